/** What happened at a step, in words: for the line below the table and for those who listen. */

import { nameOf } from '../named'
import { said } from '../phone/said'
import type { Glimpse, ReplayStep, Seat, SheetView } from '../protocol.gen'
import type { Room } from '../room.svelte'
import { outcomeTold } from '../table/outcome'
import { saying as sayingTable } from '../table/words'
import type { Words } from '../words.svelte'
import { saying } from './words'

export interface Happened {
  step: ReplayStep
  glimpses: readonly Glimpse[]
  /** As it was then. */
  sheet: SheetView | null
}

export function told({ step, glimpses, sheet }: Happened, room: Room, w: Words): string {
  const name = (seat: Seat) => nameOf(room, w, seat)
  const sentences = glimpses.map((seen) => said(seen, name, w) ?? alsoSaid(seen, sheet, name, w))
  return sentences.filter((sentence) => sentence !== null).join(' ') || unseen(step, name, w)
}

/** What a running game's own screens show large. */
function alsoSaid(
  seen: Glimpse,
  sheet: SheetView | null,
  name: (seat: Seat) => string,
  w: Words,
): string | null {
  const say = saying(w)
  switch (seen.type) {
    case 'game_started':
      return say('begins')
    case 'deal_scored': {
      const deal = sheet?.deals.at(-1)
      return deal ? `${outcomeTold(deal, name, sayingTable(w))}.` : null
    }
    case 'game_won':
      return seen.winners.length > 1
        ? `${w.say('sheet.wonMany', { names: w.list(seen.winners.map(name)) })}.`
        : `${w.say('sheet.won', { name: name(seen.winners[0] ?? 0) })}.`
    case 'player_seated':
      return say('sits', { name: seen.name })
    default:
      return null
  }
}

/** A step of which nobody saw anything. */
function unseen({ kind, seat }: ReplayStep, name: (seat: Seat) => string, w: Words): string {
  const say = saying(w)
  if (kind === 'undone' && seat !== null) return say('tookBack', { name: name(seat) })
  if (kind === 'player_kicked' || kind === 'player_left') return say('left')
  return say(kind === 'game_started' ? 'begins' : 'other')
}
