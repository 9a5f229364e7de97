/** A card on its way: where it is when, and what is seen of it. */

import type { CardCode } from '../cards/card'
import type { GameView, Seat } from '../protocol.gen'
import type { Pose, Spots } from './places'

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

export function path(from: Pose, to: Pose, time: number, lasts: number, ease: Ease): Stop[] {
  return [
    { time, pose: from, ease },
    { time: time + lasts, pose: to, ease },
  ]
}
