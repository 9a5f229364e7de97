/** Going up and down in what may be said. The range comes from the server; here it is only walked. */

import type { BidRange, Reason } from '../protocol.gen'

export interface Chip {
  text: string
  to: number
  /** What stands in the way. */
  barred: Reason | null
}

/** The nearest amount that may be said. */
export function within({ least, greatest, step }: BidRange, points: number): number {
  const steps = Math.round((points - least) / step)
  return least + step * Math.max(0, Math.min(steps, Math.floor((greatest - least) / step)))
}

/** One step up, two steps up, and the round number below which nobody asks; beyond it, four steps. */
export function chips(range: BidRange, points: number): Chip[] {
  const { step, greatest, limit } = range
  const chip = (text: string, to: number): Chip => ({
    text,
    to,
    barred: to > greatest ? limit : null,
  })
  const last = points < ROUND ? chip(String(ROUND), ROUND) : raised(4)
  return [raised(1), raised(2), last]

  function raised(times: number): Chip {
    return chip(`+${step * times}`, points + step * times)
  }
}

const ROUND = 120
