import { expect, test } from 'vitest'
import { secondsUntil, share, timeLeft } from './countdown'

const player = { by: 1, counts: null }
const phone = { by: null, counts: null }

test('the line is whole at first and gone at the end', () => {
  expect(share(20_000, player)).toBe(1)
  expect(share(5_000, player)).toBe(0.25)
  expect(share(0, player)).toBe(0)
})

test('a strange phone is given longer', () => {
  expect(share(60_000, phone)).toBe(0.5)
})

test('a phone for which somebody has vouched is refused within a short time, or not at all', () => {
  expect(timeLeft({ left: 90_000, counts: 6_000 })).toBe(6_000)
  expect(timeLeft({ left: 90_000, counts: null })).toBe(90_000)
  expect(share(3_000, { by: null, counts: 6_000 })).toBe(0.5)
})

test('it never leaves its bounds', () => {
  expect(share(-100, player)).toBe(0)
  expect(share(90_000, player)).toBe(1)
})

test('seconds are begun seconds, and never fewer than none', () => {
  expect(secondsUntil(10_000, 7_500)).toBe(3)
  expect(secondsUntil(10_000, 10_000)).toBe(0)
  expect(secondsUntil(10_000, 12_000)).toBe(0)
})
