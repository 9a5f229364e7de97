/** What an evening is told by: a row each, with a number for every player. */

import type { EveningPlayer } from '../protocol.gen'

export const FACTS = ['won', 'points', 'made', 'failed', 'conceded', 'melds', 'bolts'] as const
export type Fact = (typeof FACTS)[number]

export const SHORT: readonly Fact[] = ['won', 'points', 'made', 'failed']

/** Not every table has them, and in many evenings they do not happen. */
const RARE: readonly Fact[] = ['conceded', 'bolts']

export function factsOf(players: readonly EveningPlayer[]): readonly Fact[] {
  return FACTS.filter(
    (fact) => !RARE.includes(fact) || players.some((player) => player[fact] !== 0),
  )
}
