/** Where chairs stand round a table seen from above, with one of them nearest to the reader. */

import type { Seat } from '../protocol.gen'

export type Place = 'bottom' | 'left' | 'top' | 'right' | 'top-left' | 'top-right'

/** Clockwise from the reader's own chair. */
const ROUND: Readonly<Record<number, readonly Place[]>> = {
  2: ['bottom', 'top'],
  3: ['bottom', 'top-left', 'top-right'],
  4: ['bottom', 'left', 'top', 'right'],
}

export function placeOf(seat: Seat, nearest: Seat, chairs: number): Place {
  return ROUND[chairs]?.[(seat - nearest + chairs) % chairs] ?? 'bottom'
}
