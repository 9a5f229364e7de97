import { expect, test } from 'vitest'
import type { Replay, ReplayStep } from '../protocol.gen'
import { listed } from './contents'
import { Walk } from './walk'

function step(kind: string, trick: number | null = null, undone = false): ReplayStep {
  return { seq: 0, kind, seat: 0, trick, undone }
}

/** Two deals; in the first a card is taken back and another played. */
const replay = {
  chapters: [
    { first: 0, deal: 0, voided: null },
    { first: 1, deal: 1, voided: null },
    { first: 9, deal: 2, voided: 'agreed' },
    { first: 11, deal: 2, voided: null },
  ],
  steps: [
    step('game_started'),
    step('cards_dealt'),
    step('bid_placed'),
    step('card_played', 1),
    step('card_played', 1),
    step('card_played', 2, true),
    step('undone'),
    step('card_played', 2),
    step('card_played', 2),
    step('cards_dealt'),
    step('deal_voided'),
    step('cards_dealt'),
    step('card_played', 1),
  ],
} as unknown as Replay

test('what was taken back is left out', () => {
  expect(new Walk(replay, false).steps).toEqual([0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 12])
  expect(new Walk(replay, true).steps).toHaveLength(13)
})

test('a deal is a stretch of positions, also where something is left out', () => {
  const { stretches } = new Walk(replay, false)

  expect(stretches.map(({ first, last }) => [first, last])).toEqual([
    [0, 0],
    [1, 6],
    [7, 8],
    [9, 10],
  ])
})

test('tricks begin where their first card that counts lies', () => {
  expect(new Walk(replay, false).tricks(2)).toEqual([
    { number: 1, at: 3 },
    { number: 2, at: 5 },
  ])
  expect(new Walk(replay, true).tricks(2)).toEqual([
    { number: 1, at: 3 },
    { number: 2, at: 7 },
  ])
})

test('from trick to trick the way leads over the beginnings of deals', () => {
  const walk = new Walk(replay, false)
  const onwards = [0]
  for (let at = 0; at < walk.end;) onwards.push((at = walk.trick(at, 1)))
  const back = [walk.end]
  for (let at = walk.end; at > 0;) back.push((at = walk.trick(at, -1)))

  expect(onwards).toEqual([0, 1, 3, 5, 7, 9, 10])
  expect(back.reverse()).toEqual(onwards)
})

test('from deal to deal', () => {
  const walk = new Walk(replay, false)

  expect(walk.deal(0, 1)).toBe(1)
  expect(walk.deal(4, 1)).toBe(7)
  expect(walk.deal(4, -1)).toBe(1)
  expect(walk.deal(1, -1)).toBe(0)
  expect(walk.deal(9, 1)).toBe(walk.end)
})

test('a step that is left out is near the one before', () => {
  const walk = new Walk(replay, false)

  expect(walk.step(walk.near(5))).toBe(4)
  expect(walk.step(walk.near(8))).toBe(8)
})

const sheet = { deals: [{ number: 1 }, { number: 2 }] } as never

test('of a deal that was not seen to its end nothing is told', () => {
  const walk = new Walk(replay, false)

  const seen = (reached: number) =>
    listed(walk, sheet, reached, false).map(({ scored, voided }) => scored?.number ?? voided)

  expect(seen(7)).toEqual([false, false, false, false])
  expect(seen(8)).toEqual([false, 1, false, false])
  expect(seen(11)).toEqual([false, 1, true, false])
  expect(seen(12)).toEqual([false, 1, true, 2])
})

test('unless the reader wants to know', () => {
  const all = listed(new Walk(replay, false), sheet, 0, true)

  expect(all.map(({ scored, voided }) => scored?.number ?? voided)).toEqual([false, 1, true, 2])
})
