import { expect, test } from 'vitest'
import { pencil, signed } from './pencil'

test('digits stand on a fixed pitch, a one is narrower and starts further left', () => {
  expect(pencil('410')).toEqual({
    strokes: [
      { id: 'n4', x: 0 },
      { id: 'n1', x: 15 },
      { id: 'n0', x: 30.5 },
    ],
    width: 51,
  })
})

test('both kinds of minus are drawn', () => {
  expect(pencil('-5').strokes).toEqual(pencil('−5').strokes)
})

test('a change carries its sign, nothing is a plain zero', () => {
  expect([155, -120, 0].map(signed)).toEqual(['+155', '-120', '0'])
})
