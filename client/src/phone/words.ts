/** The sentences of the slips over a deal: a catalogue of their own, fetched with them in a quiet moment. */

import { bookOf, type Words } from '../words.svelte'

const book = bookOf(import.meta.glob('./words/*.json', { import: 'default' }))

export const learnDealSlips = (w: Words) => w.learn('phone', book)
