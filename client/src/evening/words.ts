/** The sentences about an evening: a catalogue of its own, fetched when games are added up. */

import { bookOf, type Key, type Path, type Plain, type Values, type Words } from '../words.svelte'
import type en from './words/en.json'

export type EveningKey = Plain<Path<typeof en>>
export type Say = (key: EveningKey, values?: Values) => string

const book = bookOf(import.meta.glob('./words/*.json', { import: 'default' }))

export const learnEvening = (w: Words) => w.learn('evening', book)

export function saying(w: Words): Say {
  return (key, values) => w.say(`evening.${key}` as Key, values)
}
