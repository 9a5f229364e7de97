/** Where everybody sits on the television: as round the real table, seat 0 at the bottom, on from there clockwise. */

import type { Seat } from '../protocol.gen'

export type Spot = 'bottom' | 'top' | 'topLeft' | 'topRight' | 'bottomLeft' | 'bottomRight'

const TWO: Spot[] = ['bottom', 'top']
const THREE: Spot[] = ['bottom', 'topLeft', 'topRight']
const FOUR: Spot[] = ['bottomLeft', 'topLeft', 'topRight', 'bottomRight']

export function spotOf(seat: Seat, players: number): Spot {
  const spots = players === 2 ? TWO : players === 3 ? THREE : FOUR
  return spots[seat] ?? 'bottom'
}
