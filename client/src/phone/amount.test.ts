import { expect, test } from 'vitest'
import type { BidRange } from '../protocol.gen'
import { chips, within } from './amount'

const range = (part: Partial<BidRange>): BidRange => ({
  least: 105,
  greatest: 120,
  step: 5,
  limit: 'bid-needs-marriage',
  ...part,
})

test('an amount stays within what may be said, on its steps', () => {
  expect([100, 105, 117, 125].map((points) => within(range({}), points))).toEqual([
    105, 105, 115, 120,
  ])
  expect(within(range({ least: 110, greatest: 125, step: 10 }), 300)).toBe(120)
})

test('chips go up one step, two steps, and to 120', () => {
  expect(chips(range({}), 105)).toEqual([
    { text: '+5', to: 110, barred: null },
    { text: '+10', to: 115, barred: null },
    { text: '120', to: 120, barred: null },
  ])
})

test('a chip that goes too far says why', () => {
  expect(chips(range({}), 120).map(({ text, barred }) => [text, barred])).toEqual([
    ['+5', 'bid-needs-marriage'],
    ['+10', 'bid-needs-marriage'],
    ['+20', 'bid-needs-marriage'],
  ])
})
