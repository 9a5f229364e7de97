/** What a card is called on the wire, and the parts of that name. */

import type { Card as CardCode, Suit as SuitCode } from '../protocol.gen'

/** `Card` and `Suit` are the components here. */
export type { CardCode, SuitCode }

export type RankCode = CardCode extends `${SuitCode}${infer Rank}` ? Rank : never

export function suitOf(card: CardCode): SuitCode {
  return card[0] as SuitCode
}

export function rankOf(card: CardCode): RankCode {
  return card[1] as RankCode
}
