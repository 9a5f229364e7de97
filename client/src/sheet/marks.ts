/** Which marks stand by a number on the sheet. */

import type { DealScored, Line, ProfileView, Standing, TakenBack } from '../protocol.gen'
import { caused, fell } from './sum'

export interface Marks {
  /** A stroke for the bolt of this deal; as many as are full, crossed out, when they were paid for. */
  bolts: number
  crossed: boolean
  /** The box of the barrel with its ticks, or the old one struck out. */
  barrel: number | null
  struck: boolean
  locked: boolean
  conceded: boolean
  sat: boolean
  /** Took a decision back. */
  tookBack: boolean
}

export function marksOf(
  line: Line,
  deal: DealScored,
  profile: ProfileView,
  takenBack: readonly TakenBack[],
): Marks {
  const { before, after } = line
  const crossed = caused(line, 'bolts')
  return {
    bolts: crossed ? (profile.bolts ?? 0) : Math.max(0, after.bolts - before.bolts),
    crossed,
    barrel: after.barrel,
    struck: fell(line),
    locked: locked(after, profile),
    conceded: deal.outcome === 'conceded' && line.role === 'declarer',
    sat: line.role === 'sitter',
    tookBack: takenBack.some((one) => one.deal === deal.number && one.seat === line.seat),
  }
}

/** A table without a barrel has a lock at its mark. */
export function locked({ score }: Standing, { mark, barrel_deals }: ProfileView): boolean {
  return mark !== null && barrel_deals === null && score >= mark
}
