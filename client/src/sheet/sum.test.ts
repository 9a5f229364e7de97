import { describe, expect, test } from 'vitest'
import type { Cause, Line, Role, Standing } from '../protocol.gen'
import { change, fell, openAtFirst, sumOf, written } from './sum'

const blank: Standing = { score: 0, bolts: 0, barrel: null, concessions: 0, falls: 0 }

function line(
  role: Role,
  [cards, melds]: [number, number],
  changes: [Cause, number][],
  before: Partial<Standing> = {},
  after: Partial<Standing> = {},
): Line {
  const start = { ...blank, ...before }
  const score = changes.reduce((total, [, points]) => total + points, start.score)
  return {
    seat: 0,
    role,
    cards,
    melds,
    tricks: 1,
    changes: changes.map(([cause, points]) => ({ cause, points })),
    before: start,
    after: { ...start, score, ...after },
  }
}

describe('the worked examples of the rules', () => {
  test('a contract of 150 made with 74 and a marriage', () => {
    expect(sumOf(line('declarer', [74, 80], [['contract_made', 150]]), 150).reckoning).toEqual({
      taken: '74 + 80 = 154 ≥ 150',
      written: '+150',
    })
  })

  test('a contract of 125 missed by one', () => {
    expect(sumOf(line('declarer', [84, 40], [['contract_failed', -125]]), 125).reckoning).toEqual({
      taken: '84 + 40 = 124 < 125',
      written: '−125',
    })
  })

  test('a defender’s points are rounded, without a contract beside them', () => {
    expect(sumOf(line('defender', [14, 40], [['points', 55]]), 150).reckoning).toEqual({
      taken: '14 + 40 = 54',
      written: '+55',
    })
    expect(sumOf(line('defender', [32, 0], [['points', 30]]), 150).reckoning?.taken).toBe('32')
  })

  test('900 is written 880', () => {
    const reached = line(
      'declarer',
      [42, 100],
      [
        ['contract_made', 140],
        ['barrel_stop', -20],
      ],
      { score: 760 },
      { barrel: 0 },
    )

    expect(sumOf(reached, 140)).toEqual({
      reckoning: { taken: '42 + 100 = 142 ≥ 140', written: '+140' },
      steps: [{ cause: 'barrel_stop', points: -20, from: 900, to: 880 }],
      notes: [],
    })
    expect(written(reached)).toBe(120)
  })

  test('the third deal on the barrel without a win', () => {
    const out = line(
      'defender',
      [20, 0],
      [
        ['points', 20],
        ['barrel_keeps', -20],
        ['barrel_fall', -120],
      ],
      { score: 880, barrel: 2 },
      { barrel: null },
    )

    expect(fell(out)).toBe(true)
    expect(sumOf(out, 100).steps.map(({ cause, to }) => [cause, to])).toEqual([
      ['barrel_keeps', 880],
      ['barrel_fall', 760],
    ])
    expect(sumOf(out, 100).notes).toEqual([])
  })
})

describe('what changed without points', () => {
  test('a bolt', () => {
    const struck = line('defender', [0, 0], [['points', 0]], {}, { bolts: 1 })
    expect(sumOf(struck, 100).notes).toEqual(['bolt'])
  })

  test('exactly on the barrel, a counted deal, and off it', () => {
    const notes = (before: number | null, after: number | null) =>
      sumOf(line('defender', [5, 0], [['points', 5]], { barrel: before }, { barrel: after }), 100)
        .notes

    expect([notes(null, 0), notes(0, 1), notes(1, null)]).toEqual([
      ['mounted'],
      ['counted'],
      ['off'],
    ])
  })

  test('a concession that is free, and a deal that was thrown in', () => {
    const free = line('declarer', [0, 0], [['concession_cost', 0]], {}, { concessions: 1 })

    expect(sumOf(free, 120)).toEqual({ reckoning: null, steps: [], notes: ['free'] })
    expect(sumOf(line('player', [0, 0], []), null).notes).toEqual(['nothing'])
  })
})

test('changes carry a sign, nothing is a plain 0', () => {
  expect([155, -120, 0].map(change)).toEqual(['+155', '−120', '0'])
})

test('before the first deal no sum is open', () => {
  expect(openAtFirst([], 1)).toBeNull()
})
