import { expect, test } from 'vitest'
import { secondsUntil, share } from './countdown'

test('the line is whole at first and gone at the end', () => {
  expect(share(20_000, 1)).toBe(1)
  expect(share(5_000, 1)).toBe(0.25)
  expect(share(0, 1)).toBe(0)
})

test('a strange phone is given longer', () => {
  expect(share(60_000, null)).toBe(0.5)
})

test('it never leaves its bounds', () => {
  expect(share(-100, 1)).toBe(0)
  expect(share(90_000, 1)).toBe(1)
})

test('seconds are begun seconds, and never fewer than none', () => {
  expect(secondsUntil(10_000, 7_500)).toBe(3)
  expect(secondsUntil(10_000, 10_000)).toBe(0)
  expect(secondsUntil(10_000, 12_000)).toBe(0)
})
