/** The sentences of a replay: a catalogue of their own. */

import { bookOf, type Key, type Path, type Plain, type Values, type Words } from '../words.svelte'
import type en from './words/en.json'

export type ReplayKey = Plain<Path<typeof en>>
export type Say = (key: ReplayKey, values?: Values) => string

const book = bookOf(import.meta.glob('./words/*.json', { import: 'default' }))

export function learnReplay(w: Words): Promise<void> {
  return w.learn('replay', book)
}

export function saying(w: Words): Say {
  return (key, values) => w.say(`replay.${key}` as Key, values)
}
