/** The sentences of the start page alone; those about rules are said elsewhere too. */

import { bookOf, type Words } from '../words.svelte'

const book = bookOf(import.meta.glob('./words/*.json', { import: 'default' }))

export const learnStart = (w: Words) => w.learn('start', book)
