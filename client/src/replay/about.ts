/** What is known of a game before its first card: who played it, when, by which rules. */

import type { ReplayCommon } from '../protocol.gen'
import { chosenRules } from '../start/rules'
import type { Words } from '../words.svelte'
import { saying } from './words'

export interface About {
  names: string[]
  date: string | null
  rules: string
}

export function aboutGame({ table, sheet }: ReplayCommon, w: Words): About {
  const say = saying(w)
  const { id, version, chosen, terms } = sheet?.profile ?? table.profile
  const date = (at: number) =>
    new Intl.DateTimeFormat(reader(w), { dateStyle: 'long' }).format(at * 1000)
  const rules = say('rules', { profile: id, version })
  const changed = Object.keys(chosen).length > 0
  return {
    names: table.players.map((player) => player?.name ?? w.say('freeChair')),
    date: sheet?.at == null ? null : say('played', { date: date(sheet.at) }),
    rules: changed ? `${rules} · ${chosenRules(w, chosen, terms)}` : rules,
  }
}

/** As the reader's own country writes the language that is spoken. */
function reader(w: Words): string[] {
  return [...navigator.languages.filter((tag) => tag.startsWith(w.language)), w.language]
}
