/** The view that is drawn while the last trick of a deal still lies on the table. */

import type { Choices, GameView, Trick, Update } from '../protocol.gen'

const NOTHING: Choices = {
  deal: false,
  bid: null,
  may_pass: false,
  take: [],
  give_to: [],
  lay_away: 0,
  contract: null,
  concede: null,
  nines: false,
  play: [],
  barred: [],
  melds: [],
  spoils: [],
}

/** The trick that `update` finished, if nobody has led to the next one since. */
export function finished(update: Update): Trick | null {
  const tricks = update.glimpses.filter((seen) => seen.type === 'trick_taken')
  const phase = update.game?.phase
  if (tricks.length !== 1 || !phase || !('last_trick' in phase)) return null
  return phase.type === 'play' && phase.trick.length > 0 ? null : phase.last_trick
}

/** The deal as it was, with every card played and nothing to do; null: the deal goes on, or was not seen. */
export function still(before: GameView | null, after: GameView, trick: Trick): GameView | null {
  if (before?.phase.type !== 'play' || after.phase.type === 'play') return null
  return {
    ...before,
    turn: null,
    hand: [],
    pairs: [],
    may: NOTHING,
    phase: { ...before.phase, trick: trick.cards },
    seats: before.seats.map((seat, at) => ({
      ...seat,
      cards: 0,
      tricks: seat.tricks + Number(at === trick.winner),
    })),
  }
}
