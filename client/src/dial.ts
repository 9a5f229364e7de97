/** Opens the line of a page that shows a room as it is now. */

import { Connection } from './connection'
import { newId, onWake, openSocket, roomUrl } from './line'
import type { Hello } from './protocol.gen'
import type { Asked, Room } from './room.svelte'

/** `hello` is asked for before every attempt to connect. */
export function dial(hello: () => Hello): (room: Room) => Asked {
  return (room) =>
    new Connection({
      url: roomUrl(room.code),
      hello,
      receive: (news) => room.receive(news),
      changed: (state, ending) => {
        room.line = state
        room.ending = ending
      },
      open: openSocket,
      onWake,
      newId,
      random: Math.random,
      now: Date.now,
    })
}
