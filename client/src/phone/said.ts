/** What just happened at the table, in words. */

import type { Glimpse, Seat } from '../protocol.gen'
import { parts, type Words } from '../words.svelte'

/** A sentence for one thing that was seen; nothing where the screen itself says it. */
export function said(seen: Glimpse, name: (seat: Seat) => string, w: Words): string | null {
  switch (seen.type) {
    case 'cards_dealt':
      return w.say('phone.heard.dealt')
    case 'bid_placed':
      return w.say('phone.heard.bid', { name: name(seen.seat), points: seen.points })
    case 'passed':
      return w.say('phone.heard.pass', { name: name(seen.seat) })
    case 'auction_won':
      return w.say('phone.heard.won', { name: name(seen.declarer), points: seen.points })
    case 'talon_taken':
      return seen.cards.length > 0
        ? w.say('phone.heard.turned', {
            name: name(seen.seat),
            cards: seen.cards.map(w.card).join(', '),
          })
        : w.say('phone.heard.turnedHidden', { name: name(seen.seat) })
    case 'cards_given':
      return w.say('phone.heard.gave', { name: name(seen.seat) })
    case 'cards_laid_away':
      return w.say('phone.heard.laid', { name: name(seen.seat) })
    case 'contract_set':
      return w.say('phone.heard.contract', { name: name(seen.seat), points: seen.points })
    case 'card_played':
      return w.say('phone.heard.card', { name: name(seen.seat), ...parts(seen.card) })
    case 'marriage_melded':
      return w.say('phone.heard.meld', {
        name: name(seen.seat),
        suit: seen.suit,
        points: seen.points,
      })
    case 'aces_melded':
      return w.say('phone.heard.aces', { name: name(seen.seat), points: seen.points })
    case 'trick_taken':
      return w.say('phone.heard.trick', { name: name(seen.seat), points: seen.points })
    case 'deal_voided':
      return w.say('phone.heard.void')
    case 'deal_conceded':
      return w.say('phone.heard.conceded', { name: name(seen.seat) })
    case 'discard_forgotten':
      return w.say('phone.heard.forgotten', { name: name(seen.seat) })
    case 'game_ended':
      return w.say('phone.heard.ended')
    case 'game_started':
    case 'deal_scored':
    case 'game_won':
    case 'player_seated':
      return null
    default:
      return seen satisfies never
  }
}

/** The one thing to be told beside the prompt: what nothing else on the screen shows, and is news to `me`. */
export function worthTelling(glimpses: readonly Glimpse[], me: Seat | null): Glimpse | null {
  const news = glimpses.filter((seen) => {
    switch (seen.type) {
      case 'trick_taken':
        return true
      case 'marriage_melded':
      case 'aces_melded':
      case 'contract_set':
      case 'cards_given':
        return seen.seat !== me
      default:
        return false
    }
  })
  return news.at(-1) ?? null
}
