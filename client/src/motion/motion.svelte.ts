/** What moves on the table of one page. It never stands in the way: input works, and every update may interrupt it. */

import { createContext, tick } from 'svelte'
import type { GameView, PlayedCard, Trick, Update } from '../protocol.gen'
import type { Room } from '../room.svelte'
import type { Flight, Note } from './flight'
import type { plan } from './plan'
import type { Stage } from './stage'
import { finished, still } from './still'
import type { sweep } from './trick'

/** How cards fly. It comes with the layer that they fly in, after a page's first screen. */
export interface Moves {
  plan: typeof plan
  sweep: typeof sweep
}

export interface Airborne {
  id: number
  flight: Flight
  uncover: () => void
  sweeping: boolean
}

/** More glimpses than one decision has, or more cards than a deal: the screen is behind and jumps. */
const MOST_GLIMPSES = 6
const MOST_FLIGHTS = 40

export class Motion {
  flights: readonly Airborne[] = $state.raw([])
  note: Note | null = $state.raw(null)
  /** The finished trick that still lies on the table. */
  resting: Trick | null = $state.raw(null)
  /** The last update was seen as it came about: what it changed may be shown being written. */
  lively = $state(false)
  #still: GameView | null = $state.raw(null)

  /** Null until the layer is here: till then everything jumps. */
  moves: Moves | null = null

  readonly #room: Room
  readonly #stage: Stage
  #id = 0
  #turn = 0
  #hold: ReturnType<typeof setTimeout> | undefined
  /** What is still to be done to the screen, by the timer that will do it. */
  readonly #late = new Map<ReturnType<typeof setTimeout>, () => void>()

  constructor(room: Room, stage: Stage) {
    this.#room = room
    this.#stage = stage
    room.mover = (update, before) => this.#follow(update, before)
  }

  /** What is to be drawn: the room's view, or the deal that ended until its last trick is swept. */
  get game(): GameView | null {
    return this.#still ?? this.#room.game
  }

  /** What lies on the table: the running trick, or the finished one while it rests. */
  get trick(): readonly PlayedCard[] {
    if (this.resting) return this.resting.cards
    const phase = this.game?.phase
    return phase?.type === 'play' ? phase.trick : []
  }

  /** Everything is at once where it belongs; `held` tricks too. */
  skip(held = true): void {
    const gone = this.flights
    this.flights = []
    for (const [timer, done] of this.#late) {
      clearTimeout(timer)
      done()
    }
    this.#late.clear()
    if (held || gone.some((one) => one.sweeping)) this.#clear()
    this.#uncover(gone)
  }

  landed(id: number): void {
    this.#drop((one) => one.id === id)
  }

  #drop(ended: (one: Airborne) => boolean): void {
    const gone = this.flights.filter(ended)
    if (gone.length === 0) return
    this.flights = this.flights.filter((one) => !ended(one))
    if (gone.some((one) => one.sweeping) && !this.#sweeping) this.#clear()
    this.#uncover(gone)
  }

  get #sweeping(): boolean {
    return this.flights.some((one) => one.sweeping)
  }

  #follow(update: Update, before: GameView | null): () => void {
    const turn = ++this.#turn
    const refreshed = update.glimpses.length === 0 && update.seq === this.#room.seq
    if (refreshed) return () => undefined
    const stage = this.#stage
    const count = update.glimpses.length
    this.lively = count > 0 && count <= MOST_GLIMPSES && !stage.hidden()
    const { moves } = this
    const jumps = !moves || !this.lively || stage.calm()
    if (jumps || this.flights.length > MOST_FLIGHTS) this.skip()
    const left = this.#sweeping ? null : this.resting
    this.#release()
    const spots = jumps ? null : stage.measure()
    const pace = stage.pace()
    const flights = left && spots && moves ? moves.sweep(left, spots, pace) : []
    this.#rest(this.lively ? finished(update) : null, update, before)
    return () => {
      if (!spots || !moves || turn !== this.#turn) return
      const after = stage.measure()
      this.#drop(({ flight }) => flight.covers !== undefined && !after.has(flight.covers))
      const scene = {
        before: spots,
        after,
        was: before,
        game: this.game,
        me: this.#room.me,
      }
      const planned = moves.plan(update.glimpses, scene, pace)
      this.#fly(flights.map(({ covers: _, ...flight }) => flight))
      this.#fly(planned.flights)
      this.#write(planned.note ?? null)
      for (const { place, until } of planned.late ?? []) {
        this.#later(until, stage.cover(place))
      }
    }
  }

  /** From now on `trick` rests, or none does. */
  #rest(trick: Trick | null, { game }: Update, before: GameView | null): void {
    this.#clear()
    if (!trick || !game) return
    const { move, hold } = this.#stage.pace()
    this.resting = trick
    this.#still = still(before, game, trick)
    this.#hold = setTimeout(() => this.#sweep(trick), move + hold)
  }

  #sweep(trick: Trick): void {
    const stage = this.#stage
    const moves = stage.hidden() || stage.calm() ? null : this.moves
    const flights = moves ? moves.sweep(trick, stage.measure(), stage.pace()) : []
    if (flights.length === 0) this.#clear()
    this.#fly(flights, true)
  }

  /** A trick on its way to its winner no longer waits for anything, nor hides what is laid in its place. */
  #release(): void {
    if (!this.#sweeping) return
    this.flights = this.flights.map((one) => {
      if (!one.sweeping) return one
      one.uncover()
      return { ...one, uncover: () => undefined, sweeping: false }
    })
  }

  #clear(): void {
    clearTimeout(this.#hold)
    this.resting = null
    this.#still = null
  }

  #fly(flights: readonly Flight[], sweeping = false): void {
    if (flights.length === 0) return
    const added = flights.map((flight) => ({
      id: ++this.#id,
      flight,
      uncover: flight.covers ? this.#stage.cover(flight.covers) : () => undefined,
      sweeping,
    }))
    this.flights = [...this.flights, ...added]
  }

  #write(note: Note | null): void {
    if (!note) return
    this.note = note
    this.#later(note.until, () => (this.note = null))
  }

  #later(until: number, done: () => void): void {
    const timer = setTimeout(() => {
      this.#late.delete(timer)
      done()
    }, until)
    this.#late.set(timer, done)
  }

  /** Only once the screen is drawn without the flyers, so that nothing is missing in between. */
  #uncover(gone: readonly Airborne[]): void {
    if (gone.length > 0) void tick().then(() => gone.forEach((one) => one.uncover()))
  }
}

export const [motion, provideMotion] = createContext<Motion>()
