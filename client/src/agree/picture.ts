/** A small picture of the table as data: the trick, the calls, the contract, or the totals. */

import type { Call, Card, GameView, Seat } from '../protocol.gen'
import { trickRow } from '../phone/seating'

export type Picture =
  | { of: 'trick'; places: { seat: Seat; card: Card | null }[] }
  | { of: 'calls'; last: { seat: Seat; call: Call | null }[] }
  | { of: 'contract'; seat: Seat; points: number }
  | { of: 'totals'; totals: { seat: Seat; score: number }[] }

/** With `me` in the middle, as on the phone. A trick that was just taken is still shown, unless `open`. */
export function picture(game: GameView, me: Seat | null, open = false): Picture {
  const { phase, order, seats } = game
  const row = trickRow(me ?? 0, seats.length, order)
  switch (phase.type) {
    case 'play': {
      const taken = phase.trick.length === 0 && !open ? phase.last_trick : null
      const cards = taken?.cards ?? phase.trick
      const card = (seat: Seat) => cards.find((played) => played.seat === seat)?.card ?? null
      return { of: 'trick', places: row.map((seat) => ({ seat, card: card(seat) })) }
    }
    case 'auction': {
      const last = (seat: Seat) => phase.calls.filter((call) => call.seat === seat).at(-1) ?? null
      return { of: 'calls', last: order.map((seat) => ({ seat, call: last(seat) })) }
    }
    case 'talon':
    case 'exchange':
    case 'contract':
      return { of: 'contract', seat: phase.declarer, points: phase.bid }
    case 'between':
    case 'over':
      return { of: 'totals', totals: seats.map(({ score }, seat) => ({ seat, score })) }
  }
}
