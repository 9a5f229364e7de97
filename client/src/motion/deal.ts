/** Cards going out from the dealer. */

import type { CardCode } from '../cards/card'
import type { DealSeen } from '../protocol.gen'
import { path, type Flight, type Pace, type Scene } from './flight'
import { held, place, usual, type Pose } from './places'

/** All cards, whatever their number. */
const DEALING = 800

/** One card after the other, forehand first, then the talon; the own ones are turned on the way. */
export function deal(
  { dealer, order }: DealSeen,
  { after, game, me }: Scene,
  pace: Pace,
): Flight[] {
  const size = usual(after)
  const seat = after.get(place.seat(dealer))
  const deck = after.get(place.deck) ?? (seat && size ? held(seat, size) : null)
  if (!game || !size || !deck) return []
  const rounds = Math.max(...order.map((one) => game.seats[one]?.cards ?? 0))
  const goals: { pose: Pose; card: CardCode | null; covers?: string }[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const one of order) {
      const card = one === me ? game.hand[round] : undefined
      const own = card && after.get(place.hand(card))
      const theirs = after.get(place.seat(one))
      if (card && own) goals.push({ pose: own, card, covers: place.hand(card) })
      else if (theirs) goals.push({ pose: held(theirs, size), card: null })
    }
  }
  for (const [name, pose] of after) {
    if (name.startsWith('talon:')) goals.push({ pose, card: null, covers: name })
  }
  const gap = (DEALING - pace.move) / Math.max(1, goals.length - 1)
  return goals.map(({ pose, card, covers }, at) => ({
    card,
    stops: path(deck, pose, at * gap, pace.move, 'out'),
    turned: card ? { from: at * gap, until: at * gap + pace.move } : undefined,
    vanishes: covers === undefined,
    covers,
  }))
}
