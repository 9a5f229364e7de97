import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { applied } from './deltas'

const protocol = readFileSync(new URL('../../../server/PROTOCOL.md', import.meta.url), 'utf8')

/** What the protocol says of patches: a document, a patch, what it becomes. The server is tested by the same rows. */
const examples = [...protocol.matchAll(/^\| `(.+)` \| `(.+)` \| `(.+)` \|$/gm)]
  .map((row) => row.slice(1).map((cell): unknown => json(cell)))
  .filter((row) => row.every((cell) => cell !== undefined))

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

test('the protocol has examples of patches', () => {
  expect(examples.length).toBeGreaterThan(5)
})

test.each(examples)('%j after %j is %j', (document, patch, after) => {
  const before = JSON.stringify(document)

  expect(applied(document, patch)).toEqual(after)
  expect(JSON.stringify(document)).toBe(before)
})

test('what does not change is the same object', () => {
  const document = { seats: [{ cards: 7 }, { cards: 8 }], phase: { type: 'play' } }

  const after = applied(document, { seats: { 1: { cards: 7 } }, phase: {} }) as typeof document

  expect(after.seats[0]).toBe(document.seats[0])
  expect(after.phase).toBe(document.phase)
})
