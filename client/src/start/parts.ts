/** What the start page fetches when it is asked for. */

import { learnArchive } from '../archive/words'
import { Later } from '../later.svelte'
import { learnSheet } from '../sheet/words'

export const parts = {
  games: new Later(() => import('../archive/Games.svelte'), [learnArchive, learnSheet]),
  game: new Later(() => import('../archive/Game.svelte'), [learnArchive, learnSheet]),
}
