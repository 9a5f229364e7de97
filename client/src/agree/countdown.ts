/** How much of the time to answer is left. */

import type { ProposalView } from '../protocol.gen'

type Timed = Pick<ProposalView, 'by' | 'counts'>

/** Milliseconds in which the line is whole: a player's wish is answered sooner than a strange phone's, and one for which somebody has vouched is to be refused soon. */
const WHOLE = { player: 20_000, phone: 120_000, vouched: 6_000 }

/** Milliseconds until something comes of it by itself. */
export function timeLeft({ left, counts }: Pick<ProposalView, 'left' | 'counts'>): number {
  return counts ?? left
}

/** The part of the line that is drawn with `left` milliseconds to go, 0 to 1. */
export function share(left: number, { by, counts }: Timed): number {
  const whole = by !== null ? WHOLE.player : counts === null ? WHOLE.phone : WHOLE.vouched
  return Math.min(1, Math.max(0, left / whole))
}

/** Whole seconds until `deadline`, never fewer than none. */
export function secondsUntil(deadline: number, now: number): number {
  return Math.max(0, Math.ceil((deadline - now) / 1000))
}
