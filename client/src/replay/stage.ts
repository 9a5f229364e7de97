/** The screen of a replay: cards travel as fast as it plays, and lie still where it was jumped to. */

import { screen } from '../motion'
import type { Player } from './player.svelte'

/** Above this speed cards jump. */
const SEEN_MOVING = 2

/** A finished trick lies until the next step; longer than anybody looks at one. */
const STAYS = 1e9

type Screen = ReturnType<typeof screen>

export function stageOf(player: Player, seen: Screen = screen()): Screen {
  return {
    ...seen,
    calm: () => !player.walked || player.speed > SEEN_MOVING || seen.calm(),
    pace: () => {
      const { move, flip, sweep, hold } = seen.pace()
      const { speed } = player
      return {
        move: move / speed,
        flip: flip / speed,
        sweep: sweep / speed,
        hold: player.dealIsOver ? hold / speed : STAYS,
      }
    },
  }
}
