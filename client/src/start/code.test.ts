import { expect, test } from 'vitest'
import { readCode } from './code'

test.each([
  ['pkrt', 'PKRT', false],
  [' p k-rt ', 'PKRT', false],
  ['PKRTX', 'PKRT', false],
  ['p1or', 'PR', true],
  ['', '', false],
  ['http://192.168.1.23:8000/PKRT', 'PKRT', false],
  ['192.168.1.23:8000/pkrt/table', 'PKRT', false],
])('%j is read as %j', (text, code, odd) => {
  expect(readCode(text)).toEqual({ code, odd })
})
