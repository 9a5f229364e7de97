/** What was shown at a step: a replay's patches, folded as far as they are needed. */

import type { AllHandsView, GameView, Glimpse, Replay, ReplayCommon, Seat } from '../protocol.gen'
import { applied } from './deltas'

/** With whose eyes; `all` sees every hand beside what the table screen showed. */
export type View = 'table' | 'all' | Seat

export interface Shown {
  common: ReplayCommon
  game: GameView | null
  glimpses: readonly Glimpse[]
  /** For `all` alone. */
  hands: AllHandsView | null
}

/** The documents of one list of patches, whole again at the first step of every chapter. */
class Track {
  #step = -1
  #document: unknown = null

  constructor(
    readonly patches: (step: number) => unknown,
    readonly chapterOf: (step: number) => number,
  ) {}

  /** Folds from the step that was asked for last where that is nearer than the chapter's beginning. */
  at(step: number): unknown {
    const first = this.chapterOf(step)
    const onwards = this.#step >= first && this.#step <= step
    let document = onwards ? this.#document : null
    for (let at = onwards ? this.#step + 1 : first; at <= step; at += 1)
      document = applied(document, this.patches(at))
    this.#step = step
    this.#document = document
    return document
  }
}

export class Documents {
  readonly #replay: Replay
  /** By step: it changes seldom, so most are one and the same. */
  readonly #common: readonly ReplayCommon[]
  readonly #games: readonly Track[]
  readonly #hands: Track | null

  constructor(replay: Replay) {
    this.#replay = replay
    let common: unknown = null
    this.#common = replay.common.map((patch) => (common = applied(common, patch))) as ReplayCommon[]
    const begins = replay.chapters.map((chapter) => chapter.first)
    const first = (step: number) => begins.filter((begin) => begin <= step).at(-1) ?? 0
    this.#games = replay.viewers.map(
      (_, viewer) => new Track((step) => replay.games[step]?.[viewer], first),
    )
    const { all_hands: hands } = replay
    this.#hands = hands && new Track((step) => hands[step], first)
  }

  /** Those that somebody may have, the table's first. */
  get views(): readonly View[] {
    const seen = this.#replay.viewers.map((seat): View => seat ?? 'table')
    return this.#hands ? [...seen, 'all'] : seen
  }

  common(step: number): ReplayCommon {
    const common = this.#common[step]
    if (!common) throw new RangeError(`a replay has no step ${step}`)
    return common
  }

  at(step: number, view: View): Shown {
    const viewer = this.#viewer(view)
    return {
      common: this.common(step),
      game: (this.#games[viewer]?.at(step) ?? null) as GameView | null,
      glimpses: this.glimpses(step, view),
      hands: view === 'all' ? ((this.#hands?.at(step) ?? null) as AllHandsView | null) : null,
    }
  }

  glimpses(step: number, view: View): readonly Glimpse[] {
    return this.#replay.glimpses[step]?.[this.#viewer(view)] ?? []
  }

  #viewer(view: View): number {
    return this.#replay.viewers.indexOf(typeof view === 'number' ? view : null)
  }
}
