/** The sentences about games that were played: a catalogue of its own, fetched with the archive. */

import { bookOf, type Key, type Path, type Plain, type Values, type Words } from '../words.svelte'
import type en from './words/en.json'

export type ArchiveKey = Plain<Path<typeof en>>
export type Say = (key: ArchiveKey, values?: Values) => string

const book = bookOf(import.meta.glob('./words/*.json', { import: 'default' }))

export const learnArchive = (w: Words) => w.learn('archive', book)

export function saying(w: Words): Say {
  return (key, values) => w.say(`archive.${key}` as Key, values)
}
