/** The calls of an auction as they are written down: a column for each player, a line for each round. */

import type { Call, Seat } from '../protocol.gen'

export interface Column {
  seat: Seat
  /** What this seat said, the first call first; null is its pass. */
  said: (number | null)[]
}

/** One column for each player in the order of speaking. */
export function columns(calls: readonly Call[], order: readonly Seat[]): Column[] {
  return order.map((seat) => ({
    seat,
    said: calls.filter((call) => call.seat === seat).map((call) => call.points),
  }))
}

/** Lines that are written or about to be. */
export function lines(ladder: readonly Column[], turn: Seat | null): number {
  return Math.max(0, ...ladder.map(({ seat, said }) => said.length + (seat === turn ? 1 : 0)))
}
