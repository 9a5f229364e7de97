/** The deals of a game as they are listed: of those that the reader has not reached, nothing is told but their number. */

import type { DealScored, ReplayChapter, SheetView } from '../protocol.gen'
import type { Walk } from './walk'

export interface Listed {
  chapter: ReplayChapter
  /** The position of its first step. */
  first: number
  last: number
  /** How it ended, if that may be known. */
  scored: DealScored | null
  voided: boolean
}

/** `reached`: the furthest step that was shown. `sheet`: as far as it may be known; `results`: all of it may be. */
export function listed(
  walk: Walk,
  sheet: SheetView | null,
  reached: number,
  results: boolean,
): Listed[] {
  return walk.stretches.map(({ chapter, first, last }) => {
    const known = results || reached >= walk.step(last)
    const scored = sheet?.deals.find((deal) => deal.number === chapter.deal)
    const voided = known && chapter.voided !== null
    return { chapter, first, last, scored: known && !voided ? (scored ?? null) : null, voided }
  })
}
