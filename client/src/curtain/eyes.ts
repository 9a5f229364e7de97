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
  #asked = ''

  /** The eyes to look with from now on, null for nobody's; undefined: as before. */
  next(look: Look): Seat | null | undefined {
    return look.deal === null ? this.#open(look) : this.#covered(look, look.deal)
  }

  /** A new deal, a turn and a question belong to whoever taps next; nobody else is shown for longer. */
  #covered({ mine, facing, tapped, turn, asked }: Look, deal: string): null | undefined {
    const dealt = deal !== this.#deal
    const passed = turn !== this.#turn && turn !== null && turn !== tapped && mine.includes(turn)
    const key = asked.join()
    const wanted = key !== this.#asked && key !== '' && !asked.some((seat) => seat === tapped)
    this.#deal = deal
    this.#turn = turn
    this.#asked = key
    const trusted = dealt || passed || wanted ? null : tapped
    return facing !== null && facing !== trusted ? null : undefined
  }

  /** Nothing is to be hidden: whoever is asked looks until the answer, else whoever may do something. */
  #open({ facing, tapped, asked, usual }: Look): Seat | undefined {
    this.#deal = this.#turn = null
    if (facing !== null && facing === tapped && asked.includes(facing)) return undefined
    return usual === null || usual === facing ? undefined : usual
  }
}
