import { expect, test } from 'vitest'
import { addressOf, gameIn } from './place'

test('the address of a game leads to it', () => {
  const game = { code: 'KVRT', number: 12 }

  expect(gameIn(new URL(addressOf(game), 'http://box').hash)).toEqual(game)
})

test('capitals do not matter', () => {
  expect(gameIn('#kvrt-2')).toEqual({ code: 'KVRT', number: 2 })
})

test.each(['', '#', '#games', '#KVRT', '#KVR-1', '#KVRTA-1', '#KVRO-1', '#KVRT-0', '#KVRT-one'])(
  '%s names no game',
  (fragment) => {
    expect(gameIn(fragment)).toBeNull()
  },
)
