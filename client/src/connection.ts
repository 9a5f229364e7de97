/** One page's line to its room: it reconnects for as long as the page lives and loses no ask. */

import type { Ask, Done, Hello, Ping, Pong, Refused, ServerMessage, Wish } from './protocol.gen'
import { backOff, closing, type Ending, type Socket } from './line'

type Answer = Done | Refused

/** What the connection does not settle itself. */
export type News = Exclude<ServerMessage, Answer | Pong>

/** `connecting`: not yet welcomed. `lost`: was open, is trying again. `closed`: see `ending`. */
export type LineState = 'connecting' | 'open' | 'lost' | 'closed'

export interface Wiring {
  url: string
  /** Asked before every attempt: after joining it is a resume. */
  hello: () => Hello
  /** The news of one frame: they belong together. */
  receive: (news: News[]) => void
  changed: (state: LineState, ending: Ending | null) => void
  open: (url: string) => Socket
  /** Calls back whenever the page may have slept; returns how to stop that. */
  onWake: (woken: () => void) => () => void
  newId: () => string
  random: () => number
}

const PONG_WITHIN = 2000
const OPEN_WITHIN = 5000
const QUIET_FOR = 15000
/** What browsers report when the other end said nothing. */
const NEVER_CLOSED = 1006

interface Pending {
  text: string
  resolve: (answer: Answer | null) => void
}

export class Connection {
  state: LineState = 'connecting'
  ending: Ending | null = null
  readonly #wiring: Wiring
  readonly #asks = new Map<string, Pending>()
  readonly #sleepless: () => void
  #socket: Socket | null = null
  #greeted = false
  #attempt = 0
  #pings = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #deadline: ReturnType<typeof setTimeout> | undefined
  #quiet: ReturnType<typeof setTimeout> | undefined

  constructor(wiring: Wiring) {
    this.#wiring = wiring
    this.#sleepless = wiring.onWake(() => this.#wake())
    this.#connect()
  }

  /** The server's one answer, however many reconnects it takes; `null` when the line ends first. */
  ask(action: Wish): Promise<Answer | null> {
    if (this.state === 'closed') return Promise.resolve(null)
    const id = this.#wiring.newId()
    const text = JSON.stringify({ type: 'ask', id, action } satisfies Ask)
    return new Promise((resolve) => {
      this.#asks.set(id, { text, resolve })
      if (this.#greeted) this.#socket?.send(text)
    })
  }

  /** With a new hello: to sit down after watching, or after an ending that the reader may overrule. */
  reopen(): void {
    this.#attempt = 0
    this.#tell('connecting')
    this.#connect()
  }

  /** The page leaves: nothing is sent or tried any more. */
  stop(): void {
    this.#sleepless()
    this.#end('left')
  }

  #connect(): void {
    this.#hangUp()
    const socket = this.#wiring.open(this.#wiring.url)
    this.#socket = socket
    this.#deadline = setTimeout(() => this.#giveUp(), OPEN_WITHIN)
    socket.onopen = () => socket.send(JSON.stringify(this.#wiring.hello()))
    socket.onmessage = ({ data }) => this.#hear(String(data))
    socket.onclose = ({ code }) => this.#closed(code)
  }

  #hear(text: string): void {
    clearTimeout(this.#deadline)
    this.#listenOn()
    const news: News[] = []
    for (const message of JSON.parse(text) as ServerMessage[]) {
      if (message.type === 'done' || message.type === 'refused') this.#settle(message)
      else if (message.type !== 'pong') news.push(message)
    }
    if (news.some((message) => message.type === 'welcome')) this.#welcomed()
    if (news.length > 0) this.#wiring.receive(news)
    if (news.some((message) => message.type === 'not_seated')) this.#end('not-seated')
  }

  /** The hello was accepted: only now is the line open, and what was never answered is asked again. */
  #welcomed(): void {
    this.#greeted = true
    this.#attempt = 0
    this.#tell('open')
    for (const { text } of this.#asks.values()) this.#socket?.send(text)
  }

  #settle(answer: Answer): void {
    this.#asks.get(answer.id)?.resolve(answer)
    this.#asks.delete(answer.id)
  }

  #closed(code: number): void {
    this.#hangUp()
    const what = closing(code)
    if (what.ending) return this.#end(what.ending)
    if (this.state === 'open') this.#tell('lost')
    const delay = backOff(what.quick ? 0 : this.#attempt, this.#wiring.random())
    this.#attempt += 1
    this.#retry = setTimeout(() => this.#connect(), delay)
  }

  /** An attempt under way is left to finish, or a join might sit down twice. */
  #wake(): void {
    if (this.state === 'closed') return
    if (this.#greeted) this.#ping()
    else if (!this.#socket) this.#connect()
  }

  /** A sleeping phone's socket looks open long after it died: anything heard within the limit clears it. */
  #ping(): void {
    this.#pings += 1
    this.#socket?.send(JSON.stringify({ type: 'ping', n: this.#pings } satisfies Ping))
    clearTimeout(this.#deadline)
    this.#deadline = setTimeout(() => this.#giveUp(), PONG_WITHIN)
  }

  #listenOn(): void {
    clearTimeout(this.#quiet)
    this.#quiet = setTimeout(() => this.#ping(), QUIET_FOR)
  }

  /** The socket is given up without waiting for it to notice. */
  #giveUp(): void {
    this.#closed(NEVER_CLOSED)
  }

  /** Lets go of the socket; what it still says is not heard. */
  #hangUp(): void {
    for (const timer of [this.#retry, this.#deadline, this.#quiet]) clearTimeout(timer)
    this.#greeted = false
    const socket = this.#socket
    this.#socket = null
    if (!socket) return
    socket.onopen = socket.onmessage = socket.onclose = null
    socket.close()
  }

  #end(ending: Ending): void {
    this.#hangUp()
    for (const { resolve } of this.#asks.values()) resolve(null)
    this.#asks.clear()
    this.#tell('closed', ending)
  }

  #tell(state: LineState, ending: Ending | null = null): void {
    this.state = state
    this.ending = ending
    this.#wiring.changed(state, ending)
  }
}
