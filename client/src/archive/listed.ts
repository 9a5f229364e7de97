/** Games as a list that grows page by page. */

import type { GameSummary } from '../protocol.gen'

/** `more` behind `games`; while a list is read, a game may end and push one onto the next page again. */
export function joined(
  games: readonly GameSummary[],
  more: readonly GameSummary[],
): readonly GameSummary[] {
  const known = new Set(games.map(nameOf))
  return [...games, ...more.filter((game) => !known.has(nameOf(game)))]
}

export function nameOf({ code, number }: Pick<GameSummary, 'code' | 'number'>): string {
  return `${code}-${number}`
}

/** The seats of a game, the winners first, then by total. */
export function ranked({ totals, winners }: Pick<GameSummary, 'totals' | 'winners'>): number[] {
  return totals
    .map((_, seat) => seat)
    .sort(
      (a, b) =>
        Number(winners.includes(b)) - Number(winners.includes(a)) ||
        (totals[b] ?? 0) - (totals[a] ?? 0),
    )
}
