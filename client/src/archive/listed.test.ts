import { expect, test } from 'vitest'
import type { GameSummary } from '../protocol.gen'
import { joined, ranked } from './listed'

function game(code: string, number: number): GameSummary {
  return {
    code,
    number,
    at: null,
    profile: 'ru-3',
    version: 1,
    state: 'won',
    names: ['Anna', 'Ben', 'Carla'],
    totals: [0, 0, 0],
    winners: [],
    deals: 1,
  }
}

test('a game that another one pushed onto the next page is listed once', () => {
  const [newest, older, oldest] = [game('AAAA', 2), game('AAAA', 1), game('BBBB', 1)]

  expect(joined([newest, older], [older, oldest])).toEqual([newest, older, oldest])
})

test('winners come first, then the highest totals', () => {
  expect(ranked({ totals: [120, 1005, 1020, 300], winners: [1] })).toEqual([1, 2, 3, 0])
  expect(ranked({ totals: [120, -40, 300], winners: [] })).toEqual([2, 0, 1])
})
