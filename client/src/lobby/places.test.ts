import { expect, test } from 'vitest'
import { placeOf } from './places'

test('the reader sits below, the next seat clockwise at their left', () => {
  expect([0, 1, 2].map((seat) => placeOf(seat, 1, 3))).toEqual(['top-right', 'bottom', 'top-left'])
  expect([0, 1, 2, 3].map((seat) => placeOf(seat, 3, 4))).toEqual([
    'left',
    'top',
    'right',
    'bottom',
  ])
  expect(placeOf(0, 1, 2)).toBe('top')
})
