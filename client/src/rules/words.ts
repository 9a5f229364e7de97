/** The sentences of the rules: a catalogue of their own, fetched with the first page of rules. */

import type { Key, Path, Plain, Values, Words } from '../words.svelte'
import type en from './words/en.json'

type Catalogue = typeof en

export type RuleKey = Plain<Path<Omit<Catalogue, 'forms'>>>
/** Says a sentence in the words of one set of rules. */
export type Say = (key: RuleKey, values?: Values) => string

const catalogues = import.meta.glob<Catalogue>('./words/*.json', { import: 'default' })

export function learnRules(w: Words): Promise<void> {
  return w.learn('rules', async (language) => {
    const load = catalogues[`./words/${language}.json`]
    if (!load) throw new Error(`no rules in ${language}`)
    return load()
  })
}

export function saying(w: Words, terms: string): Say {
  return (key, values) => w.say(`rules.${key}` as Key, { context: terms, ...values })
}
