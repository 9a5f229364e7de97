/** The sentences of the score sheet: a catalogue of its own, fetched with the first screen that needs it. */

import { bookOf, type Words } from '../words.svelte'

const book = bookOf(import.meta.glob('./words/*.json', { import: 'default' }))

export const learnSheet = (w: Words) => w.learn('sheet', book)
