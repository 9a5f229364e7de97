/** Where a room goes on after its record was damaged. */

import type { GameView } from '../protocol.gen'
import type { Words } from '../words.svelte'
import { saying } from './words'

/** `Restored to deal 3, trick 5` */
export function restoredTo(game: GameView | null, w: Words): string {
  const say = saying(w)
  if (!game) return say('restored.before')
  const { deal, phase } = game
  if (phase.type === 'over') return say('restored.over')
  if (phase.type !== 'play') return say('restored.deal', { deal })
  return say('restored.trick', { deal, trick: Math.min(phase.trick_number, phase.trick_count) })
}
