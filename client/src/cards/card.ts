/** What a card is called on the wire, and the parts of that name. */

export type SuitCode = 'S' | 'H' | 'D' | 'C'
export type RankCode = 'A' | 'T' | 'K' | 'Q' | 'J' | '9' | '8' | '7'
export type CardCode = `${SuitCode}${RankCode}`

export function suitOf(card: CardCode): SuitCode {
  return card[0] as SuitCode
}

export function rankOf(card: CardCode): RankCode {
  return card[1] as RankCode
}
