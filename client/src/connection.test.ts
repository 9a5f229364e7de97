import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Connection, type LineState, type News } from './connection'
import { backOff, type Ending, type Socket } from './line'
import type { Hello } from './protocol.gen'

const LEAD = { type: 'play_card', card: 'HK' } as const

class FakeSocket implements Socket {
  onopen: Socket['onopen'] = null
  onmessage: Socket['onmessage'] = null
  onclose: Socket['onclose'] = null
  readonly sent: { type: string; [field: string]: unknown }[] = []
  closed = false

  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }
  close(): void {
    this.closed = true
  }
  says(...messages: object[]): void {
    this.onmessage?.({ data: JSON.stringify(messages) } as MessageEvent)
  }
  opens(): void {
    this.onopen?.({} as Event)
  }
  /** The network opens and the server lets us in. */
  welcomes(): void {
    this.opens()
    this.says({ type: 'welcome' })
  }
  drops(code = 1006): void {
    this.onclose?.({ code } as CloseEvent)
  }
}

/** A connection whose every surrounding is in the test's hands. */
function table() {
  const sockets: FakeSocket[] = []
  const states: [LineState, Ending | null][] = []
  const heard: News[] = []
  const said: { hello: Hello } = { hello: { type: 'join', name: 'Anna', token: 'a' } }
  let wake = () => {}
  let ids = 0
  const line = new Connection({
    url: 'ws://box/ws/PKRT',
    hello: () => said.hello,
    receive: (news) => heard.push(...news),
    changed: (state, ending) => states.push([state, ending]),
    open: () => {
      const socket = new FakeSocket()
      sockets.push(socket)
      return socket
    },
    onWake: (woken) => {
      wake = woken
      return () => (wake = () => {})
    },
    newId: () => `id${(ids += 1)}`,
    random: () => 1,
    now: Date.now,
  })
  const socket = () => sockets.at(-1) ?? expect.fail('no socket was opened')
  return { line, sockets, socket, states, heard, said, wake: () => wake() }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the first frame is the hello, and the line is open once the server welcomes', () => {
  const { line, socket, heard } = table()

  socket().opens()
  expect(line.state).toBe('connecting')
  socket().says({ type: 'welcome' }, { type: 'update' })

  expect(socket().sent).toEqual([{ type: 'join', name: 'Anna', token: 'a' }])
  expect(line.state).toBe('open')
  expect(heard).toHaveLength(2)
})

test('an ask gets its own answer, done or refused', async () => {
  const { line, socket, heard } = table()
  socket().welcomes()

  const first = line.ask(LEAD)
  const second = line.ask({ type: 'pass' })
  socket().says(
    { type: 'refused', id: 'id2', reason: 'not-your-turn' },
    { type: 'done', id: 'id1', seq: 7 },
  )

  expect(socket().sent[1]).toEqual({ type: 'ask', id: 'id1', action: LEAD })
  expect(await first).toEqual({ type: 'done', id: 'id1', seq: 7 })
  expect(await second).toEqual({ type: 'refused', id: 'id2', reason: 'not-your-turn' })
  expect(heard).toHaveLength(1)
})

test('what was never answered is asked again with the same id after a reconnect', async () => {
  const { line, socket, said, sockets } = table()
  socket().welcomes()
  const answer = line.ask(LEAD)
  said.hello = { type: 'resume', tokens: ['t'] }

  socket().drops()
  expect(line.state).toBe('lost')
  vi.advanceTimersByTime(300)
  socket().welcomes()

  expect(sockets).toHaveLength(2)
  expect(socket().sent).toEqual([
    { type: 'resume', tokens: ['t'] },
    { type: 'ask', id: 'id1', action: LEAD },
  ])
  socket().says({ type: 'done', id: 'id1', seq: 7 })
  expect(await answer).toEqual({ type: 'done', id: 'id1', seq: 7 })
})

test('an ask that nothing answers within three seconds shows that the line is dead', () => {
  const { line, socket, sockets } = table()
  socket().welcomes()
  void line.ask(LEAD)

  vi.advanceTimersByTime(2999)
  expect(line.state).toBe('open')
  vi.advanceTimersByTime(1 + 300)
  socket().welcomes()

  expect(sockets).toHaveLength(2)
  expect(socket().sent[1]).toEqual({ type: 'ask', id: 'id1', action: LEAD })
})

test('an ask made while the line is down is sent when it is up again', () => {
  const { line, socket } = table()

  void line.ask(LEAD)
  socket().welcomes()

  expect(socket().sent.map((frame) => frame.type)).toEqual(['join', 'ask'])
})

test('it waits longer after each failure, up to five seconds, and never stops trying', () => {
  const { sockets, socket } = table()

  for (const wait of [300, 600, 1200, 2400, 4800, 5000, 5000]) {
    const before = sockets.length
    socket().drops()
    vi.advanceTimersByTime(wait - 1)
    expect(sockets).toHaveLength(before)
    vi.advanceTimersByTime(1)
    expect(sockets).toHaveLength(before + 1)
  }
})

test('a server that restarts is tried again soon, however long the waits were', () => {
  const { sockets, socket } = table()
  for (const wait of [300, 600, 1200, 2400]) {
    socket().drops()
    vi.advanceTimersByTime(wait)
  }

  socket().drops(1012)
  vi.advanceTimersByTime(300)
  expect(sockets).toHaveLength(6)

  // Not up yet: from there on it waits longer again.
  socket().drops()
  vi.advanceTimersByTime(600)
  expect(sockets).toHaveLength(7)
})

test('a room that keeps being put aside is not hammered at', () => {
  const { sockets, socket } = table()
  socket().welcomes()

  socket().drops(4412)
  vi.advanceTimersByTime(300)
  expect(sockets).toHaveLength(2)
  socket().drops(4412)
  vi.advanceTimersByTime(599)
  expect(sockets).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect(sockets).toHaveLength(3)
})

test('a room whose log cannot be read now is asked for again with patience', () => {
  const { line, sockets, socket } = table()
  socket().welcomes()

  for (const wait of [3000, 6000, 12000, 15000, 15000]) {
    const before = sockets.length
    socket().drops(4503)
    vi.advanceTimersByTime(wait - 1)
    expect(sockets).toHaveLength(before)
    vi.advanceTimersByTime(1)
    expect(sockets).toHaveLength(before + 1)
  }
  expect(line.state).toBe('lost')
})

test('an ask that failed is never sent again, on this line or on the next', async () => {
  const { line, socket } = table()
  socket().welcomes()
  const answer = line.ask(LEAD)
  socket().says({ type: 'refused', id: 'id1', reason: 'failed' })
  expect(await answer).toEqual({ type: 'refused', id: 'id1', reason: 'failed' })

  socket().drops()
  vi.advanceTimersByTime(300)
  socket().welcomes()

  expect(socket().sent.map(({ type }) => type)).toEqual(['join'])
})

test('what was open when a fault stopped the room is not sent when the reader tries again', async () => {
  const { line, socket } = table()
  socket().welcomes()
  const answer = line.ask(LEAD)
  socket().drops(4501)
  expect(await answer).toBeNull()

  line.reopen()
  socket().welcomes()

  expect(socket().sent.map(({ type }) => type)).toEqual(['join'])
})

test('waking up while the line is down tries at once', () => {
  const { sockets, socket, wake } = table()
  socket().drops()

  wake()

  expect(sockets).toHaveLength(2)
})

test('waking up does not disturb an attempt under way', () => {
  const { sockets, socket, wake } = table()
  socket().opens()

  wake()

  expect(sockets).toHaveLength(1)
})

test('waking up shortens the patience with an attempt that hangs, and waking up again does not lengthen it', () => {
  const { sockets, wake } = table()

  wake()
  vi.advanceTimersByTime(1500)
  wake()
  vi.advanceTimersByTime(500)

  expect(sockets[0]?.closed).toBe(true)
  vi.advanceTimersByTime(300)
  expect(sockets).toHaveLength(2)
})

test('a page that slept does not ask a socket of before whether it lives', () => {
  const { line, sockets, socket, states, wake } = table()
  socket().welcomes()
  vi.setSystemTime(Date.now() + 60_000)

  wake()

  expect(sockets).toHaveLength(2)
  socket().welcomes()
  expect(line.state).toBe('open')
  expect(states.map(([state]) => state)).not.toContain('lost')
})

test('waking up on a dead socket replaces it when no pong comes within two seconds', () => {
  const { line, sockets, socket, wake } = table()
  socket().welcomes()

  wake()
  expect(socket().sent.at(-1)).toEqual({ type: 'ping', n: 1 })
  vi.advanceTimersByTime(2000)
  expect(line.state).toBe('lost')
  vi.advanceTimersByTime(300)

  expect(sockets[0]?.closed).toBe(true)
  expect(sockets).toHaveLength(2)
})

test('a pong keeps the socket and reaches nobody else', () => {
  const { line, sockets, socket, heard, wake } = table()
  socket().welcomes()

  wake()
  socket().says({ type: 'pong', n: 1 })
  vi.advanceTimersByTime(2000)

  expect(line.state).toBe('open')
  expect(sockets).toHaveLength(1)
  expect(heard).toHaveLength(1)
})

test('a page that says nothing else is heard every four seconds', () => {
  const { line, socket } = table()
  socket().welcomes()

  for (const n of [1, 2, 3]) {
    vi.advanceTimersByTime(4000)
    expect(socket().sent.at(-1)).toEqual({ type: 'ping', n })
    socket().says({ type: 'pong', n })
  }
  vi.advanceTimersByTime(3000)
  void line.ask(LEAD)
  vi.advanceTimersByTime(3000)

  expect(socket().sent.map(({ type }) => type)).toEqual(['join', 'ping', 'ping', 'ping', 'ask'])
})

test('a line on which pings are not answered is replaced', () => {
  const { line, socket } = table()
  socket().welcomes()

  vi.advanceTimersByTime(10_000)

  expect(line.state).toBe('lost')
})

test('a pong before the welcome is no welcome', () => {
  const { sockets, socket, wake } = table()
  socket().opens()

  socket().says({ type: 'pong', n: 1 })
  wake()
  vi.advanceTimersByTime(2300)

  expect(sockets).toHaveLength(2)
})

test('a seat is faced on an open line only; before that the hello says which', () => {
  const { line, socket } = table()
  socket().opens()
  line.face(1)
  socket().says({ type: 'welcome' })
  line.face(null)

  expect(socket().sent.slice(1)).toEqual([{ type: 'face', seat: null }])
})

test('the waits differ by chance, each between half and the whole', () => {
  for (const [random, wait] of [
    [0, 150],
    [0.5, 225],
    [1, 300],
  ] as const)
    expect(backOff(0, random)).toBe(wait)
  expect(backOff(50, 1)).toBe(5000)
})

test('a socket that never opens is given up', () => {
  const { sockets } = table()

  vi.advanceTimersByTime(5300)

  expect(sockets).toHaveLength(2)
})

test.each([
  [4400, 'bad-frame'],
  [4401, 'wrong-token'],
  [4404, 'no-room'],
  [4409, 'taken-over'],
  [4410, 'seat-gone'],
  [4500, 'room-stopped'],
  [4501, 'failed'],
] as const)('close code %i ends the line: %s', async (code, ending) => {
  const { line, sockets, socket, states, wake } = table()
  socket().welcomes()
  const answer = line.ask(LEAD)

  socket().drops(code)
  wake()
  vi.advanceTimersByTime(60000)

  expect(states.at(-1)).toEqual(['closed', ending])
  expect(await answer).toBeNull()
  expect(sockets).toHaveLength(1)
})

test.each([1000, 4408, 4412, 4413, 1011])('close code %i is only a pause', (code) => {
  const { line, socket, sockets } = table()
  socket().welcomes()

  socket().drops(code)
  vi.advanceTimersByTime(300)

  expect(line.state).toBe('lost')
  expect(sockets).toHaveLength(2)
})

test('a join that came to nothing ends the line, and another name opens it again', () => {
  const { line, socket, said, heard, states } = table()
  socket().opens()

  socket().says({ type: 'not_seated', reason: 'name-empty' })
  expect(states).toEqual([['closed', 'not-seated']])
  said.hello = { type: 'join', name: 'Ben', token: 'b' }
  line.reopen()
  socket().welcomes()

  expect(heard[0]).toEqual({ type: 'not_seated', reason: 'name-empty' })
  expect(socket().sent).toEqual([{ type: 'join', name: 'Ben', token: 'b' }])
  expect(line.state).toBe('open')
})

test('a seat taken over elsewhere can be taken back', () => {
  const { line, socket, states } = table()
  socket().welcomes()
  socket().drops(4409)

  line.reopen()
  socket().welcomes()

  expect(states.map(([state]) => state)).toEqual(['open', 'closed', 'connecting', 'open'])
})

test('a page that leaves says nothing more', () => {
  const { line, sockets, socket } = table()
  socket().welcomes()

  line.stop()
  vi.advanceTimersByTime(60000)

  expect(sockets).toHaveLength(1)
  expect(sockets[0]?.closed).toBe(true)
  expect(line.ending).toBe('left')
})

test('a page for which there is no place says so, and comes again with patience', () => {
  const { line, sockets, socket, states } = table()
  for (const wait of [3000, 6000, 12000, 15000]) {
    const before = sockets.length
    socket().drops(4429)
    expect(line.state).toBe('full')
    vi.advanceTimersByTime(wait - 1)
    expect(sockets).toHaveLength(before)
    vi.advanceTimersByTime(1)
    expect(sockets).toHaveLength(before + 1)
  }
  socket().welcomes()

  expect(line.state).toBe('open')
  expect(states.at(-1)).toEqual(['open', null])
})

test('a place that was lost to somebody else is not given up', () => {
  const { line, socket } = table()
  socket().welcomes()
  socket().drops(4429)
  expect(line.state).toBe('full')
  vi.advanceTimersByTime(3000)
  socket().drops()
  expect(line.state).toBe('lost')
})
