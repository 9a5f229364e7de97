/** The way through a replay: from step to step, trick to trick, deal to deal. Positions count the steps that are walked. */

import type { Replay, ReplayChapter, ReplayStep } from '../protocol.gen'

export interface TrickAt {
  number: number
  /** The position of its first card. */
  at: number
}

/** A deal, or what came before the first one, as positions. */
export interface Stretch {
  chapter: ReplayChapter
  first: number
  last: number
}

export class Walk {
  /** The replay's steps, by position. */
  readonly steps: readonly number[]
  readonly stretches: readonly Stretch[]
  readonly #replay: Replay

  /** `undone`: also through what was taken back. */
  constructor(replay: Replay, undone: boolean) {
    this.#replay = replay
    const all = replay.steps.keys()
    this.steps = [...all].filter((step) => undone || !isUndone(replay.steps[step]))
    this.stretches = replay.chapters.flatMap((chapter, index) => {
      const end = replay.chapters[index + 1]?.first ?? replay.steps.length
      const first = this.steps.findIndex((step) => step >= chapter.first && step < end)
      const count = this.steps.filter((step) => step >= chapter.first && step < end).length
      return count === 0 ? [] : [{ chapter, first, last: first + count - 1 }]
    })
  }

  get end(): number {
    return this.steps.length - 1
  }

  step(at: number): number {
    return this.steps[at] ?? 0
  }

  /** The position of `step`, or the last one before it. */
  near(step: number): number {
    return Math.max(0, this.steps.filter((one) => one <= step).length - 1)
  }

  stretch(at: number): Stretch {
    const found = this.stretches.filter(({ first }) => first <= at).at(-1) ?? this.stretches[0]
    if (!found) throw new RangeError('a replay has a chapter')
    return found
  }

  /** The tricks of the deal at `at`, those that were taken back left out. */
  tricks(at: number): TrickAt[] {
    const { first, last } = this.stretch(at)
    const found: TrickAt[] = []
    for (let position = first; position <= last; position += 1) {
      const { trick, undone } = this.#of(position)
      if (trick !== null && !undone && trick > (found.at(-1)?.number ?? 0))
        found.push({ number: trick, at: position })
    }
    return found
  }

  /** The next or the last beginning before: of a trick, of what comes before the first, or of a deal. */
  trick(at: number, by: 1 | -1): number {
    return this.#beside(
      at,
      by,
      this.stretches.flatMap(({ first }) => [
        first,
        ...this.tricks(first).map((trick) => trick.at),
      ]),
    )
  }

  deal(at: number, by: 1 | -1): number {
    return this.#beside(
      at,
      by,
      this.stretches.map(({ first }) => first),
    )
  }

  #beside(at: number, by: 1 | -1, starts: readonly number[]): number {
    return by > 0
      ? (starts.find((start) => start > at) ?? this.end)
      : (starts.filter((start) => start < at).at(-1) ?? 0)
  }

  #of(at: number): ReplayStep {
    const found = this.#replay.steps[this.step(at)]
    if (!found) throw new RangeError(`a replay has no position ${at}`)
    return found
  }
}

/** It was taken back, or is the taking back itself. */
export function isUndone(step: ReplayStep | undefined): boolean {
  return step !== undefined && (step.undone || step.kind === 'undone')
}
