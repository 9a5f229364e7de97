/** What goes back when a decision is taken back: each thing with whose it is. */

import type { Glimpse, GameView, PlayedCard, Seat } from '../protocol.gen'
import { parts, type Words } from '../words.svelte'
import { saying } from './words'

export interface Returning {
  /** Null where it is the whole table's. */
  seat: Seat | null
  text: string
}

/** What the glimpses show that would no longer be so, the oldest first. */
export function returning(glimpses: readonly Glimpse[], w: Words): Returning[] {
  return glimpses.flatMap((seen) => one(seen, w) ?? [])
}

function one(seen: Glimpse, w: Words): Returning | null {
  const say = saying(w)
  switch (seen.type) {
    case 'card_played':
      return { seat: seen.seat, text: w.card(seen.card) }
    case 'bid_placed':
      return { seat: seen.seat, text: say('returns.call', { points: seen.points }) }
    case 'passed':
      return { seat: seen.seat, text: say('returns.pass') }
    case 'contract_set':
      return { seat: seen.seat, text: say('returns.contract', { points: seen.points }) }
    case 'cards_laid_away':
      return { seat: seen.seat, text: say('returns.laid', { count: seen.count }) }
    case 'marriage_melded': {
      const { suit, points } = seen
      return { seat: seen.seat, text: say('returns.meld', { suit, points }) }
    }
    case 'aces_melded':
      return { seat: seen.seat, text: say('returns.aces', { points: seen.points }) }
    case 'deal_scored':
      return { seat: null, text: say('returns.written') }
    case 'game_won':
    case 'game_ended':
      return { seat: null, text: say('returns.end') }
    default:
      return null
  }
}

/** What `me` and the others did since `me` last decided, as far as the table shows it. */
export function sinceMine(game: GameView, me: Seat): Glimpse[] {
  const { phase } = game
  if (phase.type === 'play') {
    const cards = [...(phase.last_trick?.cards ?? []), ...phase.trick]
    const at = cards.map(({ seat }) => seat).lastIndexOf(me)
    return at < 0 ? [] : [...meldWith(cards[at], game, me), ...cards.slice(at).map(played)]
  }
  if (!('calls' in phase)) return []
  const at = phase.calls.map(({ seat }) => seat).lastIndexOf(me)
  return at < 0
    ? []
    : phase.calls
        .slice(at)
        .map(({ seat, points }) =>
          points === null
            ? { type: 'passed', seat, next: null }
            : { type: 'bid_placed', seat, points, next: null },
        )
}

function played({ seat, card }: PlayedCard): Glimpse {
  return { type: 'card_played', seat, card, next: null }
}

/** The meld that `card` announced: of a melded pair one half was led, and the other is still held. */
function meldWith(card: PlayedCard | undefined, game: GameView, me: Seat): Glimpse[] {
  if (!card || game.phase.type !== 'play') return []
  const { suit, rank } = parts(card.card)
  const other = rank === 'K' ? 'Q' : rank === 'Q' ? 'K' : null
  const meld = game.phase.melds.find((made) => made.seat === me && made.suit === suit)
  const held = other !== null && game.hand.some((one) => one === suit + other)
  if (!meld?.suit || !held) return []
  return [{ type: 'marriage_melded', seat: me, suit: meld.suit, points: meld.points }]
}

/** The decision itself: the first that counts, with the card rather than the meld it announced. */
export function decision(glimpses: readonly Glimpse[]): Glimpse | undefined {
  const [first] = glimpses
  if (first?.type !== 'marriage_melded' && first?.type !== 'aces_melded') return first
  return glimpses.find((seen) => seen.type === 'card_played')
}
