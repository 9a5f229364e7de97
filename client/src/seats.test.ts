import { expect, test } from 'vitest'
import { shortMemory, type Memory } from './memory'
import { newToken, Seats } from './seats'

/** Storage that outlives the page, as a browser's does. */
function longMemory(): Memory {
  const memory = shortMemory()
  return { ...memory, set: (key, value) => memory.set(key, value) || true }
}

test('a token is 128 bits in 22 letters, and no two are alike', () => {
  const tokens = Array.from({ length: 100 }, newToken)

  expect(new Set(tokens).size).toBe(100)
  for (const token of tokens) expect(token).toMatch(/^[0-9a-zA-Z_-]{22}$/)
})

test('once a cookie holds the token only the seat itself is remembered', () => {
  const seats = new Seats(longMemory())
  seats.hold('PKRT', 'a')
  seats.hold('PKRT', 'b')

  seats.release('PKRT', ['a', 'b'])

  expect(seats.tokens('PKRT')).toEqual([])
  expect(seats.has('PKRT')).toBe(true)
  expect(seats.memory.get('seat.PKRT')).toBeNull()
})

test('a token that came meanwhile is not let go with those a cookie holds', () => {
  const seats = new Seats(longMemory())
  seats.hold('PKRT', 'a')
  const kept = seats.tokens('PKRT')
  seats.hold('PKRT', 'b')

  seats.release('PKRT', kept)

  expect(seats.tokens('PKRT')).toEqual(['b'])
})

test('where nothing can be stored the page has the token, and knows that it does not last', () => {
  const seats = new Seats(shortMemory())

  seats.hold('PKRT', 'a')

  expect(seats.tokens('PKRT')).toEqual(['a'])
  expect(seats.lasts).toBe(false)
})

test('no hello carries more tokens than it may', () => {
  const seats = new Seats(longMemory())
  for (let at = 0; at < 12; at += 1) seats.hold('PKRT', `t${at}`)

  expect(seats.tokens('PKRT')).toHaveLength(8)
  expect(seats.tokens('PKRT').at(-1)).toBe('t11')
})

test('the latest room comes first, and one that is forgotten leaves nothing', () => {
  const seats = new Seats(longMemory())
  seats.hold('AAAA', 'a')
  seats.hold('BBBB', 'b')
  seats.keepName('BBBB', 'Anna')
  seats.remember('AAAA')
  expect(seats.codes()).toEqual(['BBBB', 'AAAA'])

  seats.forget('BBBB')

  expect(seats.codes()).toEqual(['AAAA'])
  expect([seats.tokens('BBBB'), seats.name('BBBB')]).toEqual([[], null])
})

test('a claim outlives its page until it is settled', () => {
  const seats = new Seats(longMemory())
  const trial = { token: 'c', claim: { seat: 1, name: 'Ben', at: 5 } }

  seats.attempt('PKRT', trial)
  expect(seats.trial('PKRT')).toEqual(trial)
  seats.endTrial('PKRT')

  expect(seats.trial('PKRT')).toBeNull()
  expect(seats.has('PKRT')).toBe(false)
})
