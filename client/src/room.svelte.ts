/** What this page knows of its room. Components read it; only `receive` writes it. */

import { createContext, tick } from 'svelte'
import type { LineState, News } from './connection'
import type { Ending } from './line'
import { reloadOnce } from './fresh'
import type {
  Done,
  GameView,
  Glimpse,
  KickedView,
  Nearness,
  Options,
  PlayerView,
  Presence,
  ProposalView,
  Reason,
  Refused,
  Seat,
  Seen,
  Settled,
  SheetView,
  Table,
  TableView,
  Update,
  Welcome,
  Wish,
} from './protocol.gen'

/** Measures before a change and moves cards after it: called with the news, returns what to do once it is drawn. */
export type Mover = (update: Update, before: GameView | null) => () => void

/** What a room is asked through: the server's line, or nobody's where the game was played long ago. */
export interface Asked {
  ask(action: Wish): Promise<Done | Refused | null>
  face(seat: Seat | null): void
  reopen(): void
  stop(): void
}

export const NO_OPTIONS: Options = {
  take_back: null,
  void_deal: false,
  end_game: false,
  reopen: false,
}

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
  /** Why the last name was not taken, or the last claim not heard. Cleared by whoever tries again. */
  notSeated: Reason | null = $state(null)
  mover: Mover | null = null

  /** The page is older than the server, and has loaded itself again in vain. */
  stale = $state(false)

  /** Whose eyes were asked for last, until the server shows what they see; undefined: nobody's else. */
  #facing: Seat | null | undefined = $state()
  #lastFaced: Seat | null = $state(null)

  readonly me: Seat | null = $derived(this.table?.me ?? null)
  /** No hand of this device is to be seen: it has several, and goes from one to another. */
  readonly covered = $derived(
    this.mine.length > 1 && (this.me === null || this.#facing !== undefined),
  )
  /** From whose chair the table is drawn. */
  readonly side: Seat = $derived(this.me ?? this.#lastFaced ?? this.mine[0] ?? 0)
  readonly myTurn = $derived(this.me !== null && this.game?.turn === this.me)

  readonly #asked: Asked
  /** What this page was served with: it was there when the line was opened first. */
  #build: string | undefined

  /** `open` begins to tell the room what is the case, by `receive`. */
  constructor(
    readonly code: string,
    open: (room: Room) => Asked,
  ) {
    this.#asked = open(this)
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
    const answer = await this.#asked.ask(action)
    this.asking -= 1
    if (answer?.type === 'refused') this.complaint = answer.reason
    return answer?.type === 'done'
  }

  /** Looks and acts with one of this device's seats, or with none. */
  face(seat: Seat | null): void {
    this.#facing = seat
    this.#asked.face(seat)
  }

  /** For a hello: whose eyes are wanted. */
  get facing(): Seat | null {
    return this.#facing === undefined ? this.me : this.#facing
  }

  /** For a hello: what this page shows already. */
  get seen(): Seen | null {
    if (!this.welcome || !this.table) return null
    return { epoch: this.welcome.epoch, seq: this.seq, me: this.me }
  }

  /** Nothing is known of the room any more. */
  forget(): void {
    this.table = this.sheet = this.game = null
    this.mine = []
  }

  reopen(): void {
    this.#asked.reopen()
  }

  stop(): void {
    this.#asked.stop()
  }

  receive(news: readonly News[]): void {
    for (const message of news) {
      switch (message.type) {
        case 'welcome':
          this.#build ??= message.build
          this.stale = reloadOnce(this.#build, message)
          this.welcome = message
          this.#facing = undefined
          break
        case 'table':
          this.#seat(message)
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

  #seat({ table, mine }: Table): void {
    this.table = table
    this.mine = mine
    const facing = this.#facing
    if (facing === table.me || (typeof facing === 'number' && !mine.includes(facing)))
      this.#facing = undefined
    if (table.me !== null) this.#lastFaced = table.me
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
