/** With whose eyes a device looks that several players share. No hand comes out before its owner has tapped. */

import type { Seat } from '../protocol.gen'

/** What is to be known of the room and of this device. */
export interface Look {
  mine: readonly Seat[]
  /** Whose eyes are asked for now. */
  facing: Seat | null
  /** Who tapped last. */
  tapped: Seat | null
  turn: Seat | null
  /** The deal that runs; null: nobody holds cards. */
  deal: string | null
  /** Those of `mine` whose consent is asked for. */
  asked: readonly Seat[]
  /** Where nobody holds cards: who may do something. */
  usual: Seat | null
}

export class Eyes {
  #deal: string | null = null
  #turn: Seat | null = null
  #asked: readonly Seat[] = []

  /** The eyes to look with from now on, null for nobody's; undefined: as before. */
  next(look: Look): Seat | null | undefined {
    return look.deal === null ? this.#open(look) : this.#covered(look, look.deal)
  }

  /** A new deal, a turn and a question belong to whoever taps next, and so does the turn after an answer. */
  #covered({ mine, facing, tapped, turn, asked }: Look, deal: string): null | undefined {
    const dealt = deal !== this.#deal
    const others = turn !== null && turn !== tapped && mine.includes(turn)
    const passed = others && turn !== this.#turn
    const changed = asked.join() !== this.#asked.join()
    const wanted = changed && asked.length > 0 && !holds(asked, tapped)
    const answered = changed && others && holds(this.#asked, tapped) && !holds(asked, tapped)
    this.#deal = deal
    this.#turn = turn
    this.#asked = asked
    const trusted = dealt || passed || wanted || answered ? null : tapped
    return facing !== null && facing !== trusted ? null : undefined
  }

  /** Nothing is to be hidden: whoever is asked looks until the answer, else whoever may do something. */
  #open({ facing, tapped, asked, usual }: Look): Seat | undefined {
    this.#deal = this.#turn = null
    if (facing === tapped && holds(asked, facing)) return undefined
    return usual === null || usual === facing ? undefined : usual
  }
}

function holds(seats: readonly Seat[], seat: Seat | null): boolean {
  return seat !== null && seats.includes(seat)
}
