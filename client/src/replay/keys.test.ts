import { expect, test } from 'vitest'
import { doing } from './keys'
import type { Player } from './player.svelte'

/** What a key makes a player do, as the names of what was called. */
function done(key: string, held: Partial<KeyboardEvent> = {}): string[] {
  const called: string[] = []
  const player = new Proxy({} as Player, {
    get: (_, name) =>
      name === 'walk'
        ? { end: 99 }
        : name === 'undone'
          ? false
          : (...values: unknown[]) => called.push([name, ...values].join(' ')),
  })
  const keys = { key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...held }
  doing(keys)?.(player)
  return called
}

test.each([
  [' ', {}, 'toggle'],
  ['ArrowRight', {}, 'go 1'],
  ['ArrowLeft', {}, 'go -1'],
  ['ArrowRight', { shiftKey: true }, 'toTrick 1'],
  ['ArrowLeft', { ctrlKey: true }, 'toDeal -1'],
  ['Home', {}, 'seek 0'],
  ['End', {}, 'seek 99'],
  ['3', {}, 'setSpeed 3'],
  ['+', { shiftKey: true }, 'faster 1'],
  ['-', {}, 'faster -1'],
  ['V', {}, 'lookOn'],
  ['u', {}, 'showUndone true'],
])('%j with %j: %s', (key, held, does) => {
  expect(done(key, held)).toEqual([does])
})

test.each([
  ['ArrowLeft', { altKey: true }],
  ['v', { ctrlKey: true }],
  ['x', {}],
])('%j with %j is the browser’s', (key, held) => {
  expect(done(key, held)).toEqual([])
})
