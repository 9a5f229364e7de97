import { expect, test } from 'vitest'
import type { Call } from '../protocol.gen'
import { columns, lines } from './ladder'

const call = (seat: number, points: number | null): Call => ({ seat, points })
const CALLS = [call(2, 100), call(0, 105), call(1, null), call(2, 110)]

test('each column holds what one player said, in the order of speaking', () => {
  expect(columns(CALLS, [2, 0, 1])).toEqual([
    { seat: 2, said: [100, 110] },
    { seat: 0, said: [105] },
    { seat: 1, said: [null] },
  ])
})

test('the call that is waited for has a line of its own', () => {
  const ladder = columns(CALLS, [2, 0, 1])

  expect([lines(ladder, 0), lines(ladder, 2), lines([], null)]).toEqual([2, 3, 0])
})
