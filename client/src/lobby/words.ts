/** The sentences of the lobby: a catalogue of its own, fetched with the first screen that needs it. */

import { bookOf, type Words } from '../words.svelte'

const book = bookOf(import.meta.glob('./words/*.json', { import: 'default' }))

export const learnLobby = (w: Words) => w.learn('lobby', book)
