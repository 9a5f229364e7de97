/** How this phone comes to its chair: it watches until somebody gives a name, joins, and is that player ever after. */

import type { Ending } from '../line'
import type { Memory } from '../memory'
import type { Hello } from '../protocol.gen'
import { newToken, Room, Seats } from '../room.svelte'

export class Chair {
  readonly room: Room
  readonly #seats: Seats
  #hello: Hello
  /** A name was given that is not yet seated. */
  joining = $state(false)

  constructor(
    readonly code: string,
    memory: Memory,
  ) {
    this.#seats = new Seats(memory)
    const token = this.#seats.token(code)
    this.#hello = token ? { type: 'resume', tokens: [token] } : { type: 'watch' }
    this.room = new Room(code, () => this.#hello)
  }

  /** The same token for every try: a join that is sent twice still takes one chair. */
  join(name: string): void {
    const token = this.#hello.type === 'join' ? this.#hello.token : newToken()
    this.#seats.keep(this.code, token)
    this.#hello = { type: 'join', name, token }
    this.joining = true
    this.room.reopen()
  }

  /** The room says who we are. */
  seated(): void {
    if (this.#hello.type === 'join') this.#hello = { type: 'resume', tokens: [this.#hello.token] }
    this.joining = false
  }

  /** True if the page can go on: the seat is forgotten, the name was not taken. */
  recovers(ending: Ending): boolean {
    this.joining = false
    if (ending === 'not-seated') {
      this.#seats.forget(this.code)
      return true
    }
    if (ending !== 'wrong-token' && ending !== 'seat-gone') return false
    this.#seats.forget(this.code)
    this.#hello = { type: 'watch' }
    this.room.reopen()
    return true
  }
}
