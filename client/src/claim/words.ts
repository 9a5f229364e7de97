/** The sentences of phones and their chairs: a catalogue of their own, fetched when a phone is more or less than one player. */

import { bookOf, type Key, type Path, type Plain, type Values, type Words } from '../words.svelte'
import type en from './words/en.json'

export type ClaimKey = Plain<Path<typeof en>>
export type Say = (key: ClaimKey, values?: Values) => string

const book = bookOf(import.meta.glob('./words/*.json', { import: 'default' }))

export const learnClaim = (w: Words) => w.learn('claim', book)

export function saying(w: Words): Say {
  return (key, values) => w.say(`claim.${key}` as Key, values)
}

/** Any one of them will do. */
export function anyOf(names: readonly string[], w: Words): string {
  return new Intl.ListFormat(w.language, { type: 'disjunction' }).format(names)
}
