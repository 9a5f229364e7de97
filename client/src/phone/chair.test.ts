import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { shortMemory, type Memory } from '../memory'
import type { Hello, PlayerView, Seat, TableView } from '../protocol.gen'
import { Chair } from './chair.svelte'

/** The browser's side of a line, in the test's hands. */
class Line {
  static all: Line[] = []
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  readonly sent: { type: string }[] = []
  constructor() {
    Line.all.push(this)
  }
  static get last(): Line {
    return Line.all.at(-1) ?? expect.fail('no line was opened')
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Hello)
  }
  close(): void {}
  says(...messages: object[]): void {
    this.onmessage?.({ data: JSON.stringify(messages) })
  }
  /** What the page says first. */
  get hello() {
    this.onopen?.()
    return this.sent[0]
  }
}

/** The server's side of the seats in cookies: those that it would bring back. */
let kept: Seat[] = []
let posted: string[] = []
let storable = true

beforeEach(() => {
  Line.all = []
  kept = []
  posted = []
  storable = true
  vi.stubGlobal('WebSocket', Line)
  vi.stubGlobal('location', { protocol: 'http:', host: 'box' })
  vi.stubGlobal('document', new EventTarget())
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('fetch', (_address: string, init?: { method?: string; body?: string }) => {
    if (init?.method === 'POST' && init.body) posted.push(JSON.parse(init.body).token)
    return Promise.resolve(Response.json({ seats: storable ? kept : [] }))
  })
})
afterEach(() => void vi.unstubAllGlobals())

/** Storage that outlives the page. */
function longMemory(): Memory {
  const memory = shortMemory()
  return { ...memory, set: (key, value) => memory.set(key, value) || true }
}

const players = ['Anna', 'Ben', null].map((name) =>
  name === null ? null : ({ name, ready: false } as PlayerView),
)

/** The whole room for a device with the seats `mine`. */
function whole(me: Seat | null, mine: Seat[], seq = 7): object[] {
  const table = { me, players, running: false } as unknown as TableView
  return [
    { type: 'welcome', protocol: 2, build: 'b', epoch: 'e' },
    { type: 'table', table, mine },
    { type: 'update', seq, game: null, glimpses: [], options: {}, clock: null },
  ]
}

async function joined(memory: Memory): Promise<Chair> {
  const chair = new Chair('PKRT', memory)
  await vi.waitFor(() => expect(Line.last.hello).toMatchObject({ type: 'watch' }))
  chair.join('Anna')
  expect(Line.last.hello).toMatchObject({ type: 'join', name: 'Anna' })
  kept = [0]
  Line.last.says(...whole(0, [0]))
  chair.seated()
  await vi.waitFor(() => expect(posted).toHaveLength(1))
  return chair
}

test('a page that shows the room says so when it comes back; one that was loaded again does not', async () => {
  const memory = longMemory()
  await joined(memory)

  Line.last.onclose?.({ code: 1006 })
  await vi.waitFor(() => expect(Line.all).toHaveLength(3))
  expect(Line.last.hello).toMatchObject({
    type: 'resume',
    facing: 0,
    seen: { epoch: 'e', seq: 7, me: 0 },
  })

  new Chair('PKRT', memory)
  expect(Line.last.hello).toMatchObject({ type: 'resume', facing: null, seen: null })
})

test('once the cookie is known to hold it, neither storage nor hello has the token', async () => {
  const memory = longMemory()
  const chair = await joined(memory)

  await vi.waitFor(() => expect(memory.get('seat.PKRT')).toBeNull())
  expect(chair.forgetful).toBe(false)
  new Chair('PKRT', memory)
  expect(Line.last.hello).toMatchObject({ type: 'resume', tokens: [] })
})

test('a browser without cookies keeps the token in its storage', async () => {
  storable = false
  const memory = longMemory()
  const chair = await joined(memory)

  await new Promise((done) => setTimeout(done))
  expect(memory.get('seat.PKRT')).toBe(posted[0])
  expect(chair.forgetful).toBe(false)
  new Chair('PKRT', memory)
  expect(Line.last.hello).toMatchObject({ type: 'resume', tokens: posted })
})

test('a browser that keeps nothing plays on, and the page knows that the tab is all', async () => {
  storable = false
  const chair = await joined(shortMemory())

  await vi.waitFor(() => expect(chair.forgetful).toBe(true))
  Line.last.onclose?.({ code: 1006 })
  await vi.waitFor(() => expect(Line.all).toHaveLength(3))
  expect(Line.last.hello).toMatchObject({ type: 'resume', tokens: posted })
})

test('cookies bring a seat back that storage has forgotten', async () => {
  kept = [1]
  new Chair('PKRT', longMemory())
  expect(Line.last.hello).toMatchObject({ type: 'watch' })

  await vi.waitFor(() => expect(Line.last.hello).toMatchObject({ type: 'resume' }))
})

test.each(['seat-gone', 'wrong-token', 'taken-over'] as const)(
  'a seat is not forgotten by itself: %s',
  async (ending) => {
    const memory = longMemory()
    const chair = await joined(memory)

    expect(chair.recovers(ending)).toBe(false)

    new Chair('PKRT', memory)
    expect(Line.last.hello).toMatchObject({ type: 'resume' })
  },
)

test('whoever begins anew is a guest who has nothing', async () => {
  const memory = longMemory()
  const chair = await joined(memory)

  await chair.beginAnew()

  expect(Line.last.hello).toMatchObject({ type: 'watch' })
  expect(memory.get('seats')).toBe('')
})

test('one more player brings the seats that this phone has, and a refusal changes nothing', async () => {
  storable = false
  const chair = await joined(longMemory())
  const [anna] = posted

  chair.addPlayer('Zoe')
  expect(Line.last.hello).toMatchObject({ type: 'join', name: 'Zoe', tokens: [anna] })
  Line.last.says({ type: 'not_seated', reason: 'table-full' })
  expect(chair.recovers('not-seated')).toBe(true)

  expect(Line.last.hello).toMatchObject({ type: 'resume', tokens: [anna] })
  expect(chair.room.notSeated).toBe('table-full')
})

test('a claim is asked for until the table answers: also by a page that is loaded again', () => {
  const memory = longMemory()
  const chair = new Chair('PKRT', memory)
  chair.claim(1, 'Ben')
  const claim = Line.last.hello
  expect(claim).toMatchObject({ type: 'claim', seat: 1, name: 'Ben' })

  const again = new Chair('PKRT', memory)
  expect(Line.last.hello).toEqual(claim)
  Line.last.says(...whole(null, []))
  again.seated()
  expect(again.claimed).not.toBeNull()

  const refused = { by: null, seat: 1, kind: 'take_over', name: 'Ben', outcome: 'refused', who: 0 }
  again.heard({ type: 'settled', ...refused } as never)
  expect(again.claimed?.ended).toMatchObject({ outcome: 'refused' })
  Line.last.onclose?.({ code: 4400 })
  again.room.reopen()
  expect(Line.last.hello).toMatchObject({ type: 'watch' })
})

test('what is settled about another chair says nothing about the claim', () => {
  const chair = new Chair('PKRT', longMemory())
  chair.claim(1, 'Ben')

  const other = { by: null, seat: 0, kind: 'take_over', name: 'Anna', outcome: 'lapsed', who: null }
  chair.heard({ type: 'settled', ...other } as never)

  expect(chair.claimed?.ended).toBeNull()
})

test('no hand is shown between two seats of one phone, whatever the line does', async () => {
  const chair = await joined(longMemory())
  Line.last.says(...whole(0, [0, 1]))
  const { room } = chair
  expect(room.covered).toBe(false)

  chair.look(null)
  expect([room.covered, room.me]).toEqual([true, 0])
  Line.last.says(...whole(null, [0, 1]).slice(1))
  chair.look(1)
  expect([room.covered, room.side]).toEqual([true, 0])
  Line.last.onclose?.({ code: 1006 })
  await vi.waitFor(() => expect(Line.last.hello).toMatchObject({ facing: 1 }))
  Line.last.says(...whole(1, [0, 1]))

  expect([room.covered, room.me, room.side]).toEqual([false, 1, 1])
})

test('of several seats one may be lost: the phone goes on with the rest', async () => {
  const chair = await joined(longMemory())
  Line.last.says(...whole(0, [0, 1]))
  chair.look(1)

  Line.last.says(...whole(null, [0]).slice(1))

  expect(chair.room.covered).toBe(false)
  expect(chair.room.facing).toBeNull()
})
