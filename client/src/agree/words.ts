/** The sentences of consent: a catalogue of their own, fetched when the table first has something to settle. */

import { bookOf, type Key, type Path, type Plain, type Values, type Words } from '../words.svelte'
import type en from './words/en.json'

export type AgreeKey = Plain<Path<typeof en>>
export type Say = (key: AgreeKey, values?: Values) => string

const book = bookOf(import.meta.glob('./words/*.json', { import: 'default' }))

export const learnAgree = (w: Words) => w.learn('agree', book)

export function saying(w: Words): Say {
  return (key, values) => w.say(`agree.${key}` as Key, values)
}
