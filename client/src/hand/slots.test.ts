import { expect, test } from 'vitest'
import { arranged, braces, columnsFor } from './slots'

test('a card that is played leaves a gap', () => {
  expect(arranged(['SA', 'HK', 'HQ'], ['SA', 'HQ'], false)).toEqual(['SA', null, 'HQ'])
})

test('gaps close when nobody’s finger is near', () => {
  expect(arranged(['SA', null, 'HQ'], ['SA', 'HQ'], true)).toEqual(['SA', 'HQ'])
})

test('a card that comes in lays the hand out anew', () => {
  expect(arranged(['SA', null, 'HQ'], ['SA', 'HA', 'HQ'], false)).toEqual(['SA', 'HA', 'HQ'])
})

test('a hand lies in two rows, a small one four to a row', () => {
  expect([3, 7, 8, 9, 10, 12].map(columnsFor)).toEqual([4, 4, 4, 5, 5, 6])
})

test('a held pair has one brace, or two halves where the row ends', () => {
  expect([...braces(['SA', 'HK', 'HQ'], ['H'], 4)]).toEqual([['HK', 'whole']])
  expect([...braces(['SA', 'HK', 'HQ'], ['H'], 2)]).toEqual([
    ['HK', 'start'],
    ['HQ', 'end'],
  ])
})

test('half a pair, or a pair with a gap, has none', () => {
  expect([...braces(['HK', null, 'HQ', 'CK', 'CJ'], ['H'], 5)]).toEqual([])
})
