/** How much of the time to answer is left. */

import type { ProposalView } from '../protocol.gen'

/** Milliseconds in which the line is whole: a player's wish is answered sooner than a strange phone's. */
const WHOLE = { player: 20_000, phone: 120_000 }

/** The part of the line that is drawn with `left` milliseconds to go, 0 to 1. */
export function share(left: number, by: ProposalView['by']): number {
  const whole = by === null ? WHOLE.phone : WHOLE.player
  return Math.min(1, Math.max(0, left / whole))
}

/** Whole seconds until `deadline`, never fewer than none. */
export function secondsUntil(deadline: number, now: number): number {
  return Math.max(0, Math.ceil((deadline - now) / 1000))
}
