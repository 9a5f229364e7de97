import { expect, test } from 'vitest'
import type { HouseRuleView, ProfileSummary } from '../protocol.gen'
import { Words } from '../words.svelte'
import { choose, chosenRules, ruleFacts, ruleName, setFor } from './rules'

const step: HouseRuleView = { key: 'step', values: [5, 10], default: 5 }
const set = (id: string, terms: string, players: number) =>
  ({ id, terms, players, version: 1, step: 5, mark: 880, target: 1000 }) as ProfileSummary

test('only what differs from the set is kept', () => {
  expect(choose({ bolts: false }, step, 10)).toEqual({ bolts: false, step: 10 })
  expect(choose({ bolts: false, step: 10 }, step, 5)).toEqual({ bolts: false })
})

test('another number of players keeps the family of rules where it can', () => {
  const sets = [set('ru-3', 'ru', 3), set('de-3', 'de', 3), set('ru-2', 'ru', 2)]

  expect(setFor(sets, 3, 'de')?.id).toBe('de-3')
  expect(setFor(sets, 2, 'de')?.id).toBe('ru-2')
  expect(setFor(sets, 4, 'ru')).toBeUndefined()
})

test('rules are said in words, those of a later release by their key', async () => {
  const w = new Words()
  await w.speak('en')

  expect(ruleFacts(w, set('ru-3', 'ru', 3))).toBe('ru-3 v1 · steps of 5 · barrel at 880')
  expect(chosenRules(w, {}, 'ru')).toBe('none changed')
  expect(chosenRules(w, { must_beat: true, step: 10, bolts: false }, 'ru')).toBe(
    'You must beat if you can · Bidding step: 10 · Bolts: off',
  )
  expect(ruleName(w, 'golden_round', 'ru')).toBe('golden_round')
})
