import { expect, test } from 'vitest'
import type { Card, GameView, PhaseView } from '../protocol.gen'
import { picture } from './picture'

const seats = [{ score: 100 }, { score: -20 }, { score: 0 }]
const game = (phase: object): GameView =>
  ({ phase: phase as PhaseView, order: [0, 1, 2], seats }) as unknown as GameView
const card = (seat: number, card: Card) => ({ seat, card })
const TAKEN = { winner: 2, cards: [card(0, 'SK'), card(1, 'S9'), card(2, 'SA')] }

test('the trick as it lies, with me in the middle', () => {
  const drawn = picture(game({ type: 'play', trick: [card(0, 'SA')], last_trick: null }), 0)

  expect(drawn).toEqual({
    of: 'trick',
    places: [
      { seat: 1, card: null },
      { seat: 0, card: 'SA' },
      { seat: 2, card: null },
    ],
  })
})

test('before, the trick that was just taken is shown; after, the open one', () => {
  const between = game({ type: 'play', trick: [], last_trick: TAKEN })
  const cards = (open: boolean) => {
    const drawn = picture(between, 1, open)
    return drawn.of === 'trick' ? drawn.places.map(({ card }) => card) : []
  }

  expect(cards(false)).toEqual(['SA', 'S9', 'SK'])
  expect(cards(true)).toEqual([null, null, null])
})

test('the last call of each who speaks', () => {
  const calls = [
    { seat: 0, points: 100 },
    { seat: 1, points: 105 },
    { seat: 0, points: null },
  ]

  expect(picture(game({ type: 'auction', calls }), 2)).toEqual({
    of: 'calls',
    last: [
      { seat: 0, call: { seat: 0, points: null } },
      { seat: 1, call: { seat: 1, points: 105 } },
      { seat: 2, call: null },
    ],
  })
})

test('before play what is undertaken, between deals the totals', () => {
  expect(picture(game({ type: 'contract', declarer: 1, bid: 120 }), 0)).toEqual({
    of: 'contract',
    seat: 1,
    points: 120,
  })
  expect(picture(game({ type: 'over' }), 0)).toMatchObject({ of: 'totals' })
})
