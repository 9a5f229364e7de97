/** What flies after an update: from glimpses and places to flights. Pure, so that it can be tested without a screen. */

import type { CardCode } from '../cards/card'
import type {
  AcesMelded,
  CardPlayed,
  DealSeen,
  GameView,
  GiftsSeen,
  Glimpse,
  MarriageMelded,
  Seat,
  TalonSeen,
  Trick,
} from '../protocol.gen'
import { held, middle, place, usual, type Pose, type Spots } from './places'

export type Ease = 'out' | 'inout' | 'lay'

/** Where a card is at a time, and how it goes on from there. Times are milliseconds after the update. */
export interface Stop {
  time: number
  pose: Pose
  ease: Ease
}

export interface Flight {
  /** `null`: face down all the way. */
  card: CardCode | null
  /** When it is turned face up; left out: it is so from the start. */
  turned?: { from: number; until: number }
  stops: readonly Stop[]
  /** It comes out of a hand or goes into one, and is not seen there. */
  appears?: boolean
  vanishes?: boolean
  /** The place whose own card is not seen before this one has landed. */
  covers?: string
}

/** A number that is written in pencil while a meld is shown. */
export interface Note {
  value: number
  pose: Pose
  from: number
  until: number
}

export interface Plan {
  flights: readonly Flight[]
  note?: Note
  /** Signs on the screen that change only after a while. */
  late?: readonly { place: string; until: number }[]
}

/** Durations in milliseconds, as the looks name them. */
export interface Pace {
  move: number
  flip: number
  sweep: number
  hold: number
}

/** Both sides of an update. */
export interface Scene {
  before: Spots
  after: Spots
  was: GameView | null
  game: GameView | null
  me: Seat | null
}

const DEALING = 800
const WRITING = 600

export function plan(glimpses: readonly Glimpse[], scene: Scene, pace: Pace): Plan {
  const flights: Flight[] = []
  let extra: Pick<Plan, 'note' | 'late'> = {}
  let melded = false
  for (const seen of glimpses) {
    switch (seen.type) {
      case 'cards_dealt':
        flights.push(...deal(seen, scene, pace))
        break
      case 'talon_taken':
        flights.push(...turn(seen, scene, pace))
        break
      case 'cards_given':
        flights.push(...takeUp(seen.seat, scene, pace), ...give(seen, scene, pace))
        break
      case 'cards_laid_away':
        flights.push(...takeUp(seen.seat, scene, pace))
        break
      case 'marriage_melded':
      case 'aces_melded': {
        const shown = meld(seen, glimpses.find(played(seen.seat)), scene, pace)
        flights.push(...shown.flights)
        extra = { note: shown.note, late: shown.late }
        melded = shown.flights.length > 0
        break
      }
      case 'card_played':
        if (!melded) flights.push(...play(seen, scene, pace))
        break
    }
  }
  return { flights, ...extra }
}

/** A finished trick goes to its winner. */
export function sweep({ cards, winner }: Trick, spots: Spots, pace: Pace): Flight[] {
  const seat = spots.get(place.seat(winner))
  return cards.flatMap((lies) => {
    const from = spots.get(place.trick(lies.seat))
    if (!from || !seat) return []
    return {
      card: lies.card,
      stops: path(from, held(seat, from), 0, pace.sweep, 'inout'),
      vanishes: true,
      covers: place.trick(lies.seat),
    }
  })
}

const played =
  (seat: Seat) =>
  (seen: Glimpse): seen is CardPlayed =>
    seen.type === 'card_played' && seen.seat === seat

function path(from: Pose, to: Pose, time: number, lasts: number, ease: Ease): Stop[] {
  return [
    { time, pose: from, ease },
    { time: time + lasts, pose: to, ease },
  ]
}

/** One card after the other, forehand first, then the talon; the own ones are turned on the way. */
function deal({ dealer, order }: DealSeen, { after, game, me }: Scene, pace: Pace): Flight[] {
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

/** The talon is turned card by card; where the screen does not keep it open, it goes on to the declarer. */
function turn(seen: TalonSeen, { before, after, was, me }: Scene, pace: Pace): Flight[] {
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
    const leaves = count * turning
    stops.push(...path(start, goal, leaves, pace.sweep, 'inout'))
    return [
      { card, turned, stops, vanishes: !own, covers: own && card ? place.hand(card) : undefined },
    ]
  }).flat()
}

/** A talon that lay open goes to the declarer, as soon as the screen shows it no more. */
function takeUp(seat: Seat, { before, after, was }: Scene, pace: Pace): Flight[] {
  const talon = was?.phase.type === 'exchange' ? was.phase.talon : []
  const hand = after.get(place.seat(seat))
  return talon.flatMap((card, at) => {
    const from = before.get(place.talon(at))
    if (!from || !hand || after.has(place.talon(at))) return []
    return { card, stops: path(from, held(hand, from), 0, pace.sweep, 'inout'), vanishes: true }
  })
}

/** From the giver's tray or hand to the hand of each receiver; face up only for those two. */
function give({ seat, gifts }: GiftsSeen, scene: Scene, pace: Pace): Flight[] {
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

function play({ seat, card }: CardPlayed, { before, after }: Scene, pace: Pace): Flight[] {
  const goal = after.get(place.trick(seat))
  const own = before.get(place.hand(card))
  const seated = before.get(place.seat(seat)) ?? after.get(place.seat(seat))
  const from = own ?? (seated && goal ? held(seated, goal) : undefined)
  if (!from || !goal) return []
  return [
    {
      card,
      stops: path(from, goal, 0, pace.move, 'lay'),
      appears: !own,
      covers: place.trick(seat),
    },
  ]
}

/** The cards of a meld come to the middle, its value is written, they go back; the trump sign changes last. */
function meld(
  seen: MarriageMelded | AcesMelded,
  led: CardPlayed | undefined,
  { before, after }: Scene,
  pace: Pace,
): Plan {
  const centre = middle(after)
  const seat = after.get(place.seat(seen.seat))
  if (!centre || !seat) return { flights: [] }
  const cards: CardCode[] =
    seen.type === 'marriage_melded' ? [`${seen.suit}K`, `${seen.suit}Q`] : ['SA', 'HA', 'DA', 'CA']
  const apart = centre.width * (cards.length > 2 ? 0.45 : 0.66)
  const shown = pace.move + WRITING
  const flights = cards.flatMap((card, at): Flight[] => {
    const own = before.get(place.hand(card))
    const from = own ?? held(seat, centre)
    const spot = {
      ...centre,
      x: centre.x - centre.width * 0.65 + (at - (cards.length - 1) / 2) * apart,
      angle: (at - (cards.length - 1) / 2) * 6,
    }
    const goes = card === led?.card ? place.trick(seen.seat) : place.hand(card)
    const lands = after.get(goes)
    return [
      {
        card,
        stops: [
          ...path(from, spot, 0, pace.move, 'lay'),
          ...path(spot, lands ?? held(seat, centre), shown, pace.move, 'lay'),
        ],
        appears: !own,
        vanishes: !lands,
        covers: lands ? goes : undefined,
      },
    ]
  })
  const pose = { ...centre, x: centre.x + centre.width * 0.95 }
  return {
    flights,
    note: { value: seen.points, pose, from: pace.move, until: shown + pace.move },
    late: [{ place: place.trump, until: shown + pace.move }],
  }
}
