/** Where the cards of a hand lie. A card that leaves leaves its place empty, so that no other moves under a finger. */

import { suitOf, type CardCode, type SuitCode } from '../cards/card'

export type Slots = readonly (CardCode | null)[]

/** The places after a change; `settle` closes the gaps. A card that comes in lays the whole hand out anew. */
export function arranged(before: Slots, hand: readonly CardCode[], settle: boolean): Slots {
  if (settle || !hand.every((card) => before.includes(card))) return hand
  return before.map((card) => (card !== null && hand.includes(card) ? card : null))
}

/** As many to a row as make two rows, and never fewer than four. */
export function columnsFor(count: number): number {
  return Math.max(4, Math.ceil(count / 2))
}

export type Brace = 'whole' | 'start' | 'end'

/** The pencil braces below held pairs; a pair that a row parts has half of it on either side. */
export function braces(
  slots: Slots,
  pairs: readonly SuitCode[],
  columns: number,
): Map<CardCode, Brace> {
  const found = new Map<CardCode, Brace>()
  slots.forEach((card, at) => {
    const next = slots[at + 1]
    if (!card || !next || suitOf(card) !== suitOf(next) || !pairs.includes(suitOf(card))) return
    if (card[1] !== 'K' || next[1] !== 'Q') return
    const parted = (at + 1) % columns === 0
    found.set(card, parted ? 'start' : 'whole')
    if (parted) found.set(next, 'end')
  })
  return found
}
