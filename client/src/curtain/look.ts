/** What a shared device is to know of its room, to choose with whose eyes it looks. */

import type { GameView, PlayerView, ProposalView, Seat } from '../protocol.gen'

const NO_CARDS: readonly GameView['phase']['type'][] = ['between', 'over']

/** The deal that runs, by a name of its own; null: nobody holds cards. */
export function dealOf(game: GameView | null): string | null {
  if (!game || NO_CARDS.includes(game.phase.type)) return null
  return `${game.number}.${game.deal}`
}

/** Those of `mine` who have not answered yet. */
export function askedOf(proposals: readonly ProposalView[], mine: readonly Seat[]): Seat[] {
  const open = proposals.flatMap(({ asked, agreed }) =>
    asked.filter((seat) => !agreed.includes(seat)),
  )
  return mine.filter((seat) => open.includes(seat))
}

/** Without cards: the dealer deals; before and after a game those who are not ready come first. Else it stays as it is. */
export function usualOf(
  game: GameView | null,
  players: readonly (PlayerView | null)[],
  mine: readonly Seat[],
  facing: Seat | null,
): Seat | null {
  const now = facing ?? mine[0] ?? null
  if (game?.phase.type === 'between') return mine.includes(game.dealer) ? game.dealer : now
  const unready = mine.filter((seat) => players[seat]?.ready === false)
  return now !== null && unready.includes(now) ? now : (unready[0] ?? now)
}
