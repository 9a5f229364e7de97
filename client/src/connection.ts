/** One page's line to its room: it reconnects for as long as the page lives and loses no ask. */

import { backOff, closing, type Ending, type Socket } from './line'

export type Hello =
  { type: 'join'; name: string } | { type: 'resume'; token: string } | { type: 'watch' }

export type Answer = { type: 'done'; id: string } | { type: 'refused'; id: string; reason: string }
type Pong = { type: 'pong'; n: number }
type Own = Answer | Pong

/** `connecting`: not yet spoken. `lost`: was open, is trying again. `closed`: see `ending`. */
export type LineState = 'connecting' | 'open' | 'lost' | 'closed'

export interface Wiring<Message> {
  url: string
  /** Asked before every attempt: after joining it is a resume. */
  hello: () => Hello
  /** One frame's messages, without those the connection answers itself. */
  receive: (messages: Message[]) => void
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

export class Connection<Message extends { type: string }, Action> {
  state: LineState = 'connecting'
  ending: Ending | null = null
  readonly #wiring: Wiring<Message | Own>
  readonly #asks = new Map<string, Pending>()
  readonly #sleepless: () => void
  #socket: Socket | null = null
  #spoken = false
  #attempt = 0
  #pings = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #deadline: ReturnType<typeof setTimeout> | undefined
  #quiet: ReturnType<typeof setTimeout> | undefined

  constructor(wiring: Wiring<Message>) {
    this.#wiring = wiring as Wiring<Message | Own>
    this.#sleepless = wiring.onWake(() => this.#wake())
    this.#connect()
  }

  /** The server's one answer, however many reconnects it takes; `null` when the line ends first. */
  ask(action: Action): Promise<Answer | null> {
    if (this.state === 'closed') return Promise.resolve(null)
    const id = this.#wiring.newId()
    const text = JSON.stringify({ type: 'ask', id, action })
    return new Promise((resolve) => {
      this.#asks.set(id, { text, resolve })
      if (this.#spoken) this.#socket?.send(text)
    })
  }

  /** After an ending that the reader may overrule, such as a seat taken over by another phone. */
  reopen(): void {
    if (this.state !== 'closed') return
    this.#attempt = 0
    this.#tell('connecting')
    this.#connect()
  }

  /** The page leaves: nothing is sent or tried any more. */
  stop(): void {
    this.#sleepless()
    this.#hangUp()
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
    const others: (Message | Own)[] = []
    for (const message of JSON.parse(text) as (Message | Own)[]) {
      if (isAnswer(message)) this.#settle(message)
      else if (message.type !== 'pong') others.push(message)
    }
    if (!this.#spoken) this.#welcomed()
    if (others.length > 0) this.#wiring.receive(others)
  }

  /** The hello was accepted: only now is the line open, and what was never answered is asked again. */
  #welcomed(): void {
    this.#spoken = true
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

  #wake(): void {
    if (this.state === 'closed') return
    if (this.#spoken) this.#ping()
    else this.#connect()
  }

  /** A sleeping phone's socket looks open long after it died: anything heard within the limit clears it. */
  #ping(): void {
    this.#pings += 1
    this.#socket?.send(JSON.stringify({ type: 'ping', n: this.#pings }))
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
    this.#spoken = false
    const socket = this.#socket
    this.#socket = null
    if (!socket) return
    socket.onopen = socket.onmessage = socket.onclose = null
    socket.close()
  }

  #end(ending: Ending): void {
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

function isAnswer(message: { type: string }): message is Answer {
  return message.type === 'done' || message.type === 'refused'
}
