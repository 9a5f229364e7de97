import { expect, test } from 'vitest'
import { reloadOnce } from './fresh'
import { PROTOCOL, type Welcome } from './protocol.gen'

const welcome = (build: string, protocol: number = PROTOCOL) => ({ build, protocol }) as Welcome

/** A tab: what is left of it when its page is loaded again. */
function tab() {
  const reloads: string[] = []
  let state: unknown = { theirs: 1 }
  const history = {
    get state() {
      return state
    },
    replaceState: (next: unknown) => void (state = next),
  }
  const location = { reload: () => void reloads.push('reload') }
  return { reloads, state: () => state, window: { history, location } as unknown as Window }
}

test('a server of the same build and protocol leaves the page alone', () => {
  const { reloads, window } = tab()

  expect(reloadOnce('b1', welcome('b1'), window)).toBe(false)
  expect(reloads).toEqual([])
})

test.each([
  ['another build', welcome('b2')],
  ['another protocol', welcome('b1', PROTOCOL + 1)],
])('%s loads the page again once, and then says that it is too old', (_what, now) => {
  const { reloads, state, window } = tab()

  expect(reloadOnce('b1', now, window)).toBe(false)
  expect(reloadOnce('b1', now, window)).toBe(true)
  expect(reloadOnce('b1', now, window)).toBe(true)

  expect(reloads).toHaveLength(1)
  expect(state()).toMatchObject({ theirs: 1 })
})

test('two servers that take turns, or one that is another each time, cannot keep the page loading', () => {
  const turns = tab()
  for (let turn = 0; turn < 20; turn += 1)
    reloadOnce(turn % 2 ? 'b2' : 'b1', welcome(turn % 2 ? 'b1' : 'b2'), turns.window)
  const each = tab()
  for (let turn = 0; turn < 20; turn += 1) reloadOnce('b', welcome(`b${turn}`), each.window)

  expect(turns.reloads).toHaveLength(2)
  expect(each.reloads).toHaveLength(3)
})
