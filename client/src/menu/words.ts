/** The sentences of the menu: a catalogue of its own, fetched with it in a quiet moment. */

import { bookOf, type Words } from '../words.svelte'

const book = bookOf(import.meta.glob('./words/*.json', { import: 'default' }))

export const learnMenu = (w: Words) => w.learn('menu', book)
