/** What is said of a game in a line: when it was, how it ended. */

import type { GameSummary } from '../protocol.gen'
import type { Words } from '../words.svelte'
import { saying } from './words'

/** When it began, as the reader writes dates. */
export function beganTold(w: Words, at: number | null): string {
  if (at === null) return saying(w)('undated')
  const format = new Intl.DateTimeFormat(w.locales, { dateStyle: 'medium', timeStyle: 'short' })
  return format.format(at * 1000)
}

/** Who won, or that the table ended it. */
export function resultTold(w: Words, { winners, names }: GameSummary): string {
  const won = winners.map((seat) => names[seat] ?? '')
  if (won.length > 1) return w.say('sheet.wonMany', { names: w.list(won) })
  return won[0] === undefined ? w.say('sheet.ended') : w.say('sheet.won', { name: won[0] })
}
