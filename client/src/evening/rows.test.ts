import { expect, test } from 'vitest'
import type { EveningPlayer } from '../protocol.gen'
import { factsOf } from './rows'

const anna: EveningPlayer = {
  name: 'Anna',
  games: 2,
  won: 0,
  points: 0,
  made: 0,
  failed: 0,
  conceded: 0,
  melds: 0,
  bolts: 0,
}

test('what happened to nobody and is rare has no row', () => {
  expect(factsOf([anna, anna])).toEqual(['won', 'points', 'made', 'failed', 'melds'])
})

test('it has one as soon as it happened to somebody', () => {
  expect(factsOf([anna, { ...anna, bolts: 1 }])).toContain('bolts')
  expect(factsOf([{ ...anna, conceded: 2 }, anna])).toContain('conceded')
})
