import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { GameSummary } from '../protocol.gen'
import { learnSheet } from '../sheet/words'
import { Words } from '../words.svelte'
import { beganTold, resultTold } from './told'
import { learnArchive } from './words'

const w = new Words()
beforeAll(async () => {
  await w.speak('en')
  await Promise.all([learnArchive(w), learnSheet(w)])
})

const ended = { names: ['Anna', 'Ben', 'Carla'], winners: [] } as unknown as GameSummary

describe('how a game ended', () => {
  test('with a winner', () => {
    expect(resultTold(w, { ...ended, winners: [1] })).toBe('Ben wins')
  })

  test('with several', () => {
    expect(resultTold(w, { ...ended, winners: [0, 2] })).toBe('Anna and Carla win together')
  })

  test('by the table', () => {
    expect(resultTold(w, ended)).toBe('Ended with the standings')
  })
})

test('a date is written in the reader’s language, and none is said to be unknown', async () => {
  vi.stubGlobal('navigator', { languages: ['de-AT', 'en-GB'] })
  expect(beganTold(w, 1_796_000_000)).toMatch(/\d Nov 2026/)
  expect(beganTold(w, null)).toBe('date not known')

  await w.speak('de')
  expect(beganTold(w, 1_796_000_000)).toMatch(/\.11\.2026/)
})
