import { expect, test } from 'vitest'
import type { DealScored } from '../protocol.gen'
import { apart, chart, totals } from './chart'

function sheet(...rows: number[][]): { deals: DealScored[] } {
  const standing = (score: number) => ({ score, bolts: 0, barrel: null, concessions: 0, falls: 0 })
  const deals = rows.slice(1).map((row, at) => ({
    number: at + 1,
    lines: row.map((score, seat) => ({
      seat,
      before: standing(rows[at]?.[seat] ?? 0),
      after: standing(score),
    })),
  }))
  return { deals: deals as unknown as DealScored[] }
}

const frame = { width: 200, height: 124, target: 1000, mark: 880 }

test('a line begins before the first deal and has a point after each', () => {
  expect(totals(sheet([0, 0], [100, 20], [220, 15]))).toEqual([
    [0, 100, 220],
    [0, 20, 15],
  ])
})

test('the target is on top, zero at the foot, deals are spread over the width', () => {
  const { lines, target, zero, mark } = chart(sheet([0, 0], [500, 0], [1000, 0]), frame)

  expect([target, mark, zero]).toEqual([18, 30, 118])
  expect(lines[0]?.path).toBe('M0 118L100 68L200 18')
})

test('scores below zero and beyond the target stay inside', () => {
  const { lines, zero, target } = chart(sheet([0, 0], [1200, -300]), frame)

  expect(lines.map(({ end }) => end)).toEqual([18, 118])
  expect(zero).toBeLessThan(118)
  expect(target).toBeGreaterThan(18)
})

test('names keep apart and inside, in the order of their lines', () => {
  expect(apart([50, 52, 51], 20, 200)).toEqual([50, 90, 70])
  expect(apart([195, 190], 20, 200)).toEqual([190, 170])
})

test('an empty sheet has no lines', () => {
  expect(chart({ deals: [] }, frame).lines).toEqual([])
})
