/** What this page knows of its room. Components read it; only `receive` writes it. */

import { createContext, tick } from 'svelte'
import { Connection, type LineState, type News } from './connection'
import { newId, onWake, openSocket, roomUrl, type Ending } from './line'
import type { Memory } from './memory'
import type {
  GameView,
  Glimpse,
  Hello,
  KickedView,
  Nearness,
  Options,
  PlayerView,
  Presence,
  ProposalView,
  Reason,
  Seat,
  Settled,
  SheetView,
  TableView,
  Update,
  Welcome,
  Wish,
} from './protocol.gen'

/** Measures before a change and moves cards after it: called with the news, returns what to do once it is drawn. */
export type Mover = (update: Update, before: GameView | null) => () => void

const NO_OPTIONS: Options = { take_back: null, void_deal: false, end_game: false, reopen: false }

export class Room {
  line: LineState = $state('connecting')
  ending: Ending | null = $state(null)
  welcome: Welcome | null = $state.raw(null)
  table: TableView | null = $state.raw(null)
  sheet: SheetView | null = $state.raw(null)
  presence: Presence | null = $state.raw(null)
  /** The seats of this device; `me` is the one it looks with. */
  mine: readonly Seat[] = $state.raw([])
  /** What waits for somebody's consent, and who can be called back. */
  proposals: readonly ProposalView[] = $state.raw([])
  kicked: readonly KickedView[] = $state.raw([])
  /** What became of the last proposal; told for a while and then cleared by whoever tells it. */
  settled: Settled | null = $state.raw(null)
  /** What may be proposed to the others now. */
  options: Options = $state.raw(NO_OPTIONS)
  /** When the declarer has forgotten to lay away, by `performance.now()`. */
  clock: number | null = $state(null)
  /** Replaced whole, never patched. */
  game: GameView | null = $state.raw(null)
  /** How that came about. Empty after a reconnect. */
  glimpses: readonly Glimpse[] = $state.raw([])
  seq = $state(0)
  /** Asks without an answer yet. */
  asking = $state(0)
  /** Why the last ask came to nothing; cleared by the next one and by every change. */
  complaint: Reason | null = $state(null)
  /** Why the last name was not taken. */
  notSeated: Reason | null = $state(null)
  mover: Mover | null = null

  readonly me: Seat | null = $derived(this.table?.me ?? null)
  readonly myTurn = $derived(this.me !== null && this.game?.turn === this.me)

  readonly #connection: Connection

  constructor(
    readonly code: string,
    hello: () => Hello,
  ) {
    this.#connection = new Connection({
      url: roomUrl(code),
      hello,
      receive: (news) => this.receive(news),
      changed: (state, ending) => {
        this.line = state
        this.ending = ending
      },
      open: openSocket,
      onWake,
      newId,
      random: Math.random,
    })
  }

  player(seat: Seat): PlayerView | null {
    return this.table?.players[seat] ?? null
  }

  /** How near that player's device is. Nobody is missed before it is known, or on a free chair. */
  near(seat: Seat): Nearness {
    return this.presence?.players[seat] ?? 'here'
  }

  /** True once it is done and stored; a refusal is left in `complaint`. */
  async ask(action: Wish): Promise<boolean> {
    this.asking += 1
    this.complaint = null
    const answer = await this.#connection.ask(action)
    this.asking -= 1
    if (answer?.type === 'refused') this.complaint = answer.reason
    return answer?.type === 'done'
  }

  reopen(): void {
    this.#connection.reopen()
  }

  stop(): void {
    this.#connection.stop()
  }

  receive(news: readonly News[]): void {
    for (const message of news) {
      switch (message.type) {
        case 'welcome':
          this.welcome = message
          this.notSeated = null
          break
        case 'table':
          this.table = message.table
          this.mine = message.mine
          break
        case 'sheet':
          this.sheet = message.sheet
          break
        case 'presence':
          this.presence = message
          break
        case 'update':
          this.#show(message)
          break
        case 'proposals':
          this.proposals = message.proposals
          this.kicked = message.kicked
          break
        case 'settled':
          this.settled = message
          break
        case 'not_seated':
          this.notSeated = message.reason
          break
        default:
          message satisfies never
      }
    }
  }

  #show(update: Update): void {
    const drawn = this.mover?.(update, this.game)
    if (update.seq !== this.seq) this.complaint = null
    this.seq = update.seq
    this.game = update.game
    this.glimpses = update.glimpses
    this.options = update.options
    this.clock = update.clock === null ? null : performance.now() + update.clock
    if (drawn) void tick().then(drawn)
  }
}

export const [room, provideRoom] = createContext<Room>()

const TOKEN_BYTES = 16

/** The secret that is this device's seat in one room: made here, from secure randomness. */
export function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** This device's seats, by room code. */
export class Seats {
  constructor(readonly memory: Memory) {}

  token(code: string): string | null {
    return this.memory.get(`seat.${code}`)
  }

  keep(code: string, token: string): void {
    this.memory.set(`seat.${code}`, token)
    this.#remember([code, ...this.codes().filter((other) => other !== code)])
  }

  /** What this device's player is called there: names may be changed to tell two apart. */
  name(code: string): string | null {
    return this.memory.get(`seat.${code}.name`)
  }

  keepName(code: string, name: string): void {
    this.memory.set(`seat.${code}.name`, name)
  }

  forget(code: string): void {
    this.memory.forget(`seat.${code}`)
    this.memory.forget(`seat.${code}.name`)
    this.#remember(this.codes().filter((other) => other !== code))
  }

  /** The rooms this device sits in, the latest first. */
  codes(): string[] {
    return (this.memory.get('seats') ?? '').split(' ').filter(Boolean)
  }

  #remember(codes: string[]): void {
    this.memory.set('seats', codes.join(' '))
  }
}
