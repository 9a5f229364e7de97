/** Rules in words: the set's name, its few numbers, its house rules. What they do is the server's business. */

import { camel } from '../camel'
import type { HouseRuleView, ProfileSummary, Setting } from '../protocol.gen'
import type { Words } from '../words.svelte'

export type Chosen = Readonly<Record<string, Setting>>

export interface RuleChoice {
  id: string
  house_rules: Chosen
}

const HOUSE_RULES = [
  'four_aces',
  'concession_half',
  'reset_555',
  'must_beat',
  'first_trick_marriage',
  'hidden_talon_at_100',
  'running_points',
  'step',
  'rounding',
  'bolts',
  'barrel',
  'one_on_barrel',
  'third_fall_zero',
  'redeal_weak_talon',
  'talon_points',
  'sitter',
  'sitter_income',
  'discard_clock',
  'tens',
  'virgin',
] as const
const VALUES = ['last_trick', 'nobody', 'dealer', 'right', 'opposite', 'none', 'off'] as const

/** A rule that is newer than this page keeps the name it has in records. */
export function ruleName(w: Words, key: string, terms: string): string {
  const known = HOUSE_RULES.find((rule) => rule === key)
  return known ? w.say(`start.rule.${camel(known)}`, { context: terms }) : key
}

export function valueName(w: Words, value: Setting): string {
  if (typeof value === 'boolean') return w.say(value ? 'start.on' : 'start.off')
  const known = VALUES.find((name) => name === value)
  return known ? w.say(`start.value.${camel(known)}`) : String(value)
}

/** What differs from the set, in one line. */
export function chosenRules(w: Words, chosen: Chosen, terms: string): string {
  const said = Object.entries(chosen).map(([key, value]) => {
    const name = ruleName(w, key, terms)
    return value === true ? name : `${name}: ${valueName(w, value)}`
  })
  return said.length > 0 ? said.join(' · ') : w.say('start.noneChanged')
}

/** `ru-3 v1 · steps of 5 · barrel at 880` */
export function ruleFacts(
  w: Words,
  rules: Pick<ProfileSummary, 'id' | 'version' | 'terms' | 'step' | 'mark' | 'target'>,
): string {
  const { id, version, terms, step, mark, target } = rules
  const facts = [
    `${id} v${version}`,
    step !== null && w.say('start.steps', { step }),
    mark !== null
      ? w.say('start.mark', { mark, context: terms })
      : w.say('start.target', { target }),
  ]
  return facts.filter(Boolean).join(' · ')
}

/** `chosen` with `rule` set to `value`; the set's own value is not kept, for it is no difference. */
export function choose(chosen: Chosen, rule: HouseRuleView, value: Setting): Chosen {
  const others = Object.entries(chosen).filter(([key]) => key !== rule.key)
  return Object.fromEntries(value === rule.default ? others : [...others, [rule.key, value]])
}

/** The set for so many players that is nearest to the one played now. */
export function setFor(
  profiles: readonly ProfileSummary[],
  players: number,
  terms: string | undefined,
): ProfileSummary | undefined {
  const sets = profiles.filter((profile) => profile.players === players)
  return sets.find((profile) => profile.terms === terms) ?? sets[0]
}
