/** The talon being turned and taken up, and cards given to the others. */

import type { GiftsSeen, Seat, TalonSeen } from '../protocol.gen'
import { path, type Flight, type Pace, type Scene } from './flight'
import { held, place, usual } from './places'

/** The talon is turned card by card; where the screen does not keep it open, it goes on to the declarer. */
export function turn(seen: TalonSeen, { before, after, was, me }: Scene, pace: Pace): Flight[] {
  const talons = was?.phase.type === 'talon' ? was.phase.talons : []
  const count = Math.max(seen.cards.length, talons[seen.talon] ?? 0)
  const turning = seen.cards.length > 0 ? pace.flip : 0
  return Array.from({ length: count }, (_, at): Flight[] => {
    const card = seen.cards[at] ?? null
    const lies = before.get(place.talon(at, seen.talon))
    const open = after.get(place.talon(at))
    const start = lies ?? open
    const own = card && seen.seat === me ? after.get(place.hand(card)) : undefined
    const seat = after.get(place.seat(seen.seat))
    if (!start) return []
    const turned = card ? { from: at * turning, until: (at + 1) * turning } : undefined
    const waits = (turned?.until ?? 0) || pace.move
    const stops = path(
      start,
      open ?? start,
      turned?.from ?? 0,
      waits - (turned?.from ?? 0),
      'inout',
    )
    if (open) return [{ card, turned, stops, covers: place.talon(at) }]
    const goal = own ?? (seat && held(seat, start))
    if (!goal) return []
    const leaves = Math.max(count * turning, waits)
    stops.push(...path(start, goal, leaves, pace.sweep, 'inout'))
    return [
      { card, turned, stops, vanishes: !own, covers: own && card ? place.hand(card) : undefined },
    ]
  }).flat()
}

/** A talon that lay open goes to the declarer, as soon as the screen shows it no more. */
export function takeUp(seat: Seat, { before, after, was }: Scene, pace: Pace): Flight[] {
  const talon = was?.phase.type === 'exchange' ? was.phase.talon : []
  const hand = after.get(place.seat(seat))
  return talon.flatMap((card, at) => {
    const from = before.get(place.talon(at))
    if (!from || !hand || after.has(place.talon(at))) return []
    return { card, stops: path(from, held(hand, from), 0, pace.sweep, 'inout'), vanishes: true }
  })
}

/** From the giver's tray or hand to the hand of each receiver; face up only for those two. */
export function give({ seat, gifts }: GiftsSeen, scene: Scene, pace: Pace): Flight[] {
  const { before, after } = scene
  const size = usual(after) ?? usual(before)
  const giver = before.get(place.seat(seat))
  const waits = takeUp(seat, scene, pace).length > 0 ? pace.sweep : 0
  return gifts.flatMap(({ to, card }) => {
    const lies = before.get(place.tray(to)) ?? (card ? before.get(place.hand(card)) : undefined)
    const from = lies ?? (giver && size ? held(giver, size) : undefined)
    const own = card ? after.get(place.hand(card)) : undefined
    const seated = after.get(place.seat(to))
    const goal = own ?? (seated && from ? held(seated, lies ?? size ?? from) : undefined)
    if (!from || !goal) return []
    return {
      card,
      turned: own && !lies ? { from: waits, until: waits + pace.sweep } : undefined,
      stops: path(from, goal, waits, pace.sweep, 'inout'),
      appears: !lies,
      vanishes: !own,
      covers: own && card ? place.hand(card) : undefined,
    }
  })
}
