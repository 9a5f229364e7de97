/** One page's line to its room: it reconnects for as long as the page lives and loses no ask. */

import type {
  Ask,
  ClientMessage,
  Done,
  Face,
  Hello,
  Ping,
  Pong,
  Refused,
  Seat,
  ServerMessage,
  Wish,
} from './protocol.gen'
import { backOff, closing, type Ending, type Socket } from './line'

type Answer = Done | Refused

/** What the connection does not settle itself. */
export type News = Exclude<ServerMessage, Answer | Pong>

/** `connecting`: not yet welcomed. `lost`: was open, is trying again. `full`: was turned away for want of a place, is trying again. `closed`: see `ending`. */
export type LineState = 'connecting' | 'open' | 'lost' | 'full' | 'closed'

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
  /** Milliseconds that go on while the page sleeps. */
  now: () => number
}

/** A page that wakes wants to know soon; one that is awake can wait for a slow network. */
const PONG_WITHIN = { waking: 2000, awake: 6000 }
const ANSWER_WITHIN = 3000
const OPEN_WITHIN = { waking: 2000, awake: 5000 }
/** The server takes a device that says nothing for 10 s to be asleep. */
const SAY_EVERY = 4000
/** Pings are answered every few seconds: after such a silence the page slept, and its socket is not to be trusted. */
const SLEPT_AFTER = 10000
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
  #deadlineAt = Infinity
  #idle: ReturnType<typeof setTimeout> | undefined
  #heardAt = 0

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
      if (this.#greeted) this.#put(text)
    })
  }

  /** Looks with the eyes of `seat` from now on. While the line is down the next hello has to say it. */
  face(seat: Seat | null): void {
    if (this.#greeted) this.#say({ type: 'face', seat } satisfies Face)
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
    this.#giveUpWithin(OPEN_WITHIN.awake)
    socket.onopen = () => this.#say(this.#wiring.hello())
    socket.onmessage = ({ data }) => this.#hear(String(data))
    socket.onclose = ({ code }) => this.#closed(code)
  }

  #hear(text: string): void {
    this.#heardAt = this.#wiring.now()
    const news: News[] = []
    for (const message of JSON.parse(text) as ServerMessage[]) {
      if (message.type === 'done' || message.type === 'refused') this.#settle(message)
      else if (message.type !== 'pong') news.push(message)
    }
    if (news.some((message) => message.type === 'welcome')) this.#welcomed()
    if (this.#greeted) this.#clearDeadline()
    if (news.length > 0) this.#wiring.receive(news)
    if (news.some((message) => message.type === 'not_seated')) this.#end('not-seated')
  }

  /** The hello was accepted: only now is the line open, and what was never answered is asked again. */
  #welcomed(): void {
    this.#greeted = true
    this.#attempt = 0
    this.#tell('open')
    this.#sayMore()
    for (const { text } of this.#asks.values()) this.#put(text)
  }

  #settle(answer: Answer): void {
    this.#asks.get(answer.id)?.resolve(answer)
    this.#asks.delete(answer.id)
  }

  #closed(code: number): void {
    this.#hangUp()
    const { ending, pace, full } = closing(code)
    if (ending) return this.#end(ending)
    if (full) this.#tell('full')
    else if (this.state !== 'connecting') this.#tell('lost')
    if (pace === 'quick') this.#attempt = 0
    const delay = backOff(this.#attempt, this.#wiring.random(), pace)
    this.#attempt += 1
    this.#retry = setTimeout(() => this.#connect(), delay)
  }

  /** An attempt under way is left to finish, or a join might sit down twice; but it is not waited for long. */
  #wake(): void {
    if (this.state === 'closed') return
    if (!this.#socket) this.#connect()
    else if (!this.#greeted) this.#giveUpWithin(OPEN_WITHIN.waking)
    else if (this.#wiring.now() - this.#heardAt > SLEPT_AFTER) this.#connect()
    else this.#ping(PONG_WITHIN.waking)
  }

  /** A sleeping phone's socket looks open long after it died: anything heard within the limit clears it. */
  #ping(within: number): void {
    this.#pings += 1
    this.#say({ type: 'ping', n: this.#pings } satisfies Ping)
    this.#giveUpWithin(within)
  }

  /** A tap that nothing answers shows soonest that a line is dead; asked again it is done once. */
  #put(ask: string): void {
    this.#send(ask)
    this.#giveUpWithin(ANSWER_WITHIN)
  }

  #say(message: ClientMessage): void {
    this.#send(JSON.stringify(message))
  }

  #send(text: string): void {
    this.#socket?.send(text)
    if (this.#greeted) this.#sayMore()
  }

  /** What the server does not hear from is taken to be asleep. */
  #sayMore(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#ping(PONG_WITHIN.awake), SAY_EVERY)
  }

  /** Unless something is heard. A deadline that comes sooner stays. */
  #giveUpWithin(limit: number): void {
    const at = this.#wiring.now() + limit
    if (at >= this.#deadlineAt) return
    clearTimeout(this.#deadline)
    this.#deadlineAt = at
    this.#deadline = setTimeout(() => this.#giveUp(), limit)
  }

  #clearDeadline(): void {
    clearTimeout(this.#deadline)
    this.#deadlineAt = Infinity
  }

  /** The socket is given up without waiting for it to notice. */
  #giveUp(): void {
    this.#closed(NEVER_CLOSED)
  }

  /** Lets go of the socket; what it still says is not heard. */
  #hangUp(): void {
    clearTimeout(this.#retry)
    clearTimeout(this.#idle)
    this.#clearDeadline()
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
