import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Card, GameView, Replay, ReplayCommon } from '../protocol.gen'
import { Documents, type View } from './documents'

interface Sample {
  replay: Replay
  /** From the server's own views, by step; games by viewer. */
  shown: Record<string, { common: ReplayCommon; games: (GameView | null)[]; hands: Card[][] }>
}

const sample = JSON.parse(
  gunzipSync(readFileSync(new URL('./sample.gen.json.gz', import.meta.url))).toString(),
) as Sample
const { replay, shown } = sample
const steps = Object.keys(shown).map(Number)

/** The same numbers in the same disorder every time. */
const jumps = steps.map((_, at) => steps[(at * 5 + 3) % steps.length] ?? 0)

test.each([
  ['onwards', steps],
  ['backwards', [...steps].reverse()],
  ['here and there', jumps],
])('every view at every step is what the server showed, walking %s', (_way, walked) => {
  const documents = new Documents(replay)

  for (const step of walked) {
    const views: View[] = replay.viewers.map((seat) => seat ?? 'table')
    expect(views.map((view) => documents.at(step, view).game)).toEqual(shown[step]?.games)
    expect(documents.common(step)).toEqual(shown[step]?.common)
    expect(documents.at(step, 'all').hands?.hands).toEqual(shown[step]?.hands)
  }
})

test('a finished game has all hands beside the views', () => {
  expect(new Documents(replay).views).toEqual(['table', 0, 1, 2, 'all'])
})

test('a running game has the view of one seat and no other hand', () => {
  const own = {
    ...replay,
    finished: false,
    viewers: [1],
    games: replay.games.map((patches) => patches.slice(2, 3)),
    glimpses: replay.glimpses.map((seen) => seen.slice(2, 3)),
    all_hands: null,
  }
  const documents = new Documents(own)

  expect(documents.views).toEqual([1])
  expect(documents.at(7, 1).game).toEqual(shown[7]?.games[2])
  expect(documents.at(7, 1).hands).toBeNull()
})

test('a jump folds the patches of one deal at most', () => {
  let folded = 0
  const counting = replay.games.map((patches) => ({
    get 0() {
      folded += 1
      return patches[0]
    },
  }))
  const documents = new Documents({ ...replay, games: counting as unknown as Replay['games'] })
  const longest = Math.max(
    ...replay.chapters.map(
      ({ first }, at) => (replay.chapters[at + 1]?.first ?? replay.steps.length) - first,
    ),
  )

  for (const step of [0, replay.steps.length - 1, ...jumps]) {
    folded = 0
    documents.at(step, 'table')
    expect(folded).toBeLessThanOrEqual(longest)
  }
})
