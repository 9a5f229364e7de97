/** Plays a game again: where it stands, for whose eyes, how fast. It tells its room what the server told then. */

import { createContext } from 'svelte'
import type { News } from '../connection'
import type { Glimpse, Replay, Seat, SheetView, Update } from '../protocol.gen'
import { NO_OPTIONS, Room, type Asked } from '../room.svelte'
import { Documents, type Shown, type View } from './documents'
import { isUndone, Walk, type Stretch, type TrickAt } from './walk'

export const SPEEDS = [0.5, 1, 2, 3, 4] as const

/** Nobody hears what is asked of a game that was played. */
const NOBODY: Asked = {
  ask: () => Promise.resolve(null),
  face: () => undefined,
  reopen: () => undefined,
  stop: () => undefined,
}

/** Milliseconds that a step is looked at, at speed 1. */
const LOOK = { card: 1100, trick: 2000, deal: 4500 }

export class Player {
  readonly room: Room
  readonly documents: Documents
  /** Whether the step now shown was walked to, and not jumped to. */
  walked = false
  at = $state(0)
  view: View = $state('table')
  playing = $state(false)
  speed: number = $state(1)
  undone = $state(false)
  /** The furthest that was shown: nothing behind it is told. */
  reached = $state(0)
  /** The reader wants to know how the deals ended, wherever the game stands. */
  results = $state(false)
  readonly walk: Walk = $derived.by(() => new Walk(this.replay, this.undone))
  readonly step: number = $derived(this.walk.step(this.at))
  readonly stretch: Stretch = $derived(this.walk.stretch(this.at))
  readonly tricks: readonly TrickAt[] = $derived(this.walk.tricks(this.at))
  shown: Shown = $state.raw() as Shown
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(readonly replay: Replay) {
    this.room = new Room(replay.code, () => NOBODY)
    this.documents = new Documents(replay)
    this.view = this.views[0] ?? 'table'
    this.#jump(0)
  }

  get views(): readonly View[] {
    return this.documents.views
  }

  /** Something in this game was taken back. */
  get branches(): boolean {
    return this.replay.steps.some(isUndone)
  }

  get atEnd(): boolean {
    return this.at === this.walk.end
  }

  /** What is shown was taken back later. */
  get struck(): boolean {
    return this.replay.steps[this.step]?.undone ?? false
  }

  /** The sheet as far as the reader may know it. */
  get known(): SheetView | null {
    const step = this.results ? this.replay.steps.length - 1 : this.reached
    return this.documents.common(step).sheet
  }

  glimpses(at: number): readonly Glimpse[] {
    return this.documents.glimpses(this.walk.step(at), this.view)
  }

  /** A step on, with everything that moved then; or back. */
  go(by: 1 | -1): void {
    const to = this.at + by
    if (to < 0 || to > this.walk.end) return
    if (by < 0) this.seek(to)
    else this.#advance(to)
  }

  seek(at: number): void {
    this.#jump(Math.max(0, Math.min(at, this.walk.end)))
    this.#wait()
  }

  toTrick(by: 1 | -1): void {
    this.seek(this.walk.trick(this.at, by))
  }

  toDeal(by: 1 | -1): void {
    this.seek(this.walk.deal(this.at, by))
  }

  /** From the end it begins again. */
  toggle(): void {
    this.playing = !this.playing
    if (this.playing && this.atEnd) this.#jump(0)
    this.#wait()
  }

  faster(by: 1 | -1): void {
    const at = SPEEDS.findIndex((speed) => speed === this.speed)
    this.setSpeed(SPEEDS[Math.max(0, Math.min(at + by, SPEEDS.length - 1))] ?? 1)
  }

  setSpeed(speed: number): void {
    this.speed = speed
    this.#wait()
  }

  look(view: View): void {
    this.view = view
    this.#jump(this.at)
  }

  /** With the eyes of the next one. */
  lookOn(): void {
    const { views } = this
    this.look(views[(views.indexOf(this.view) + 1) % views.length] ?? this.view)
  }

  showUndone(undone: boolean): void {
    const { step } = this
    this.undone = undone
    this.seek(this.walk.near(step))
  }

  stop(): void {
    this.playing = false
    clearTimeout(this.#timer)
  }

  #wait(): void {
    clearTimeout(this.#timer)
    if (this.playing && this.atEnd) this.playing = false
    if (!this.playing) return
    this.#timer = setTimeout(() => this.go(1), this.#look() / this.speed)
  }

  #look(): number {
    if (this.dealIsOver) return LOOK.deal
    const trick = this.shown.glimpses.some((seen) => seen.type === 'trick_taken')
    return trick ? LOOK.trick : LOOK.card
  }

  /** No deal runs at the step that is shown. */
  get dealIsOver(): boolean {
    const type = this.shown.game?.phase.type
    return type === 'between' || type === 'over'
  }

  #advance(at: number): void {
    this.walked = true
    this.at = at
    this.#show()
    this.room.receive([...this.#around(), this.#update(this.shown.glimpses)])
    this.#wait()
  }

  /** The step before is told too, without a glimpse: a finished trick lies on the table it was laid on. */
  #jump(at: number): void {
    this.walked = false
    this.at = at
    this.#show()
    const { glimpses } = this.shown
    const before = this.step > 0 ? this.documents.at(this.step - 1, this.view).game : null
    const blank = { ...this.#update([]), seq: -1, game: before }
    this.room.receive([...this.#around(), blank, this.#update(this.dealIsOver ? [] : glimpses)])
  }

  #show(): void {
    this.shown = this.documents.at(this.step, this.view)
    this.reached = Math.max(this.reached, this.step)
  }

  /** The chairs as they are for whose eyes it is, and the sheet. */
  #around(): News[] {
    const { table, sheet } = this.shown.common
    const me: Seat | null = typeof this.view === 'number' ? this.view : null
    const mine = me === null ? [] : [me]
    return [
      { type: 'table', table: { ...table, me }, mine },
      { type: 'sheet', sheet },
    ]
  }

  #update(glimpses: readonly Glimpse[]): Update {
    const seq = this.replay.steps[this.step]?.seq ?? 0
    const { game } = this.shown
    return { type: 'update', seq, game, glimpses, options: NO_OPTIONS, clock: null }
  }
}

export const [player, providePlayer] = createContext<Player>()
