/** The sentences of the large screen: a catalogue of their own, which no phone fetches. */

import { bookOf, type Key, type Path, type Plain, type Values, type Words } from '../words.svelte'
import type en from './words/en.json'

export type TableKey = Plain<Path<typeof en>>
export type Say = (key: TableKey, values?: Values) => string

const book = bookOf(import.meta.glob('./words/*.json', { import: 'default' }))

export const learnTable = (w: Words) => w.learn('table', book)

export function saying(w: Words): Say {
  return (key, values) => w.say(`table.${key}` as Key, values)
}
