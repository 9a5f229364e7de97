import { expect, test } from 'vitest'
import { shortMemory } from './memory'
import { Settings } from './settings.svelte'

test('a choice is there again on the next page', () => {
  const memory = shortMemory()

  new Settings(memory).choose('suits', 'german')

  expect(new Settings(memory).now.suits).toBe('german')
})

test('what an older release or a stranger left behind is not believed', () => {
  const memory = shortMemory()
  memory.set('settings', JSON.stringify({ theme: 'sepia', leftHanded: 'yes', suits: 'four', x: 1 }))

  const { now } = new Settings(memory)

  expect(now).toEqual({
    language: null,
    theme: 'system',
    suits: 'four',
    leftHanded: false,
    singleTap: false,
  })
})

test.each(['', '[', 'null', '7'])('memory that holds %j is an empty one', (text) => {
  const memory = shortMemory()
  memory.set('settings', text)

  expect(new Settings(memory).now.theme).toBe('system')
})
