/** What a chair is called: by who sits there, or as a free one. A game goes on around it. */

import type { Seat } from './protocol.gen'
import type { Room } from './room.svelte'
import type { Words } from './words.svelte'

export function nameOf(room: Room, w: Words, seat: Seat): string {
  return room.player(seat)?.name ?? w.say('freeChair')
}
