import { expect, test } from 'vitest'
import { othersOf, trickRow } from './seating'

test('the next chair clockwise is at my left, the one before at my right', () => {
  expect([othersOf(0, 3), othersOf(1, 3), othersOf(2, 3)]).toEqual([
    [1, 2],
    [2, 0],
    [0, 1],
  ])
})

test('with two the other lies left of me', () => {
  expect(trickRow(1, 2, [0, 1])).toEqual([0, 1])
})

test('I lie in the middle of a trick, whoever leads', () => {
  expect(trickRow(1, 3, [2, 0, 1])).toEqual([2, 1, 0])
})

test('whoever sits out has no place in the trick', () => {
  expect(trickRow(0, 4, [1, 2, 0])).toEqual([1, 0, 2])
  expect(trickRow(3, 4, [0, 1, 2])).toEqual([0, 1, 2])
})

test('four who play all have one', () => {
  expect(trickRow(0, 4, [1, 2, 3, 0])).toEqual([1, 2, 0, 3])
})
