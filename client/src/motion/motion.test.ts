import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { GameView, PlayView, SeatView, Update } from '../protocol.gen'
import type { Room } from '../room.svelte'
import { Motion } from './motion.svelte'
import { plan } from './plan'
import type { Pose } from './places'
import type { Stage } from './stage'
import { sweep } from './trick'

const CARDS = [
  { seat: 0, card: 'HK' },
  { seat: 1, card: 'H9' },
  { seat: 2, card: 'HA' },
] as const
const TRICK = { cards: CARDS, winner: 2 }

class Screen implements Stage {
  covered = new Set<string>()
  talon = false
  away = false
  quiet = false
  measure = () => {
    const pose = (x: number): Pose => ({ x, y: 0, width: 50, height: 70, angle: 0 })
    const names = [0, 1, 2].flatMap((seat) => [`seat:${seat}`, `trick:${seat}`])
    if (this.talon) names.push('talon:0')
    return new Map(names.map((one, at) => [one, pose(at)]))
  }
  cover = (place: string) => {
    this.covered.add(place)
    return () => void this.covered.delete(place)
  }
  pace = () => ({ move: 200, flip: 400, sweep: 400, hold: 1800 })
  hidden = () => this.away
  calm = () => this.quiet
}

const NOTHING = { take_back: null, void_deal: false, end_game: false, reopen: false } as const
const seat = { cards: 1, tricks: 0 } as SeatView

function playing(part: Partial<PlayView>): GameView {
  const phase = { type: 'play', trick: [], last_trick: null, ...part } as PlayView
  return { phase, seats: [seat, seat, seat], turn: 0, hand: [] } as unknown as GameView
}

const BEFORE = playing({ trick: CARDS.slice(0, 2) })
const AFTER = playing({ last_trick: TRICK })
const SCORED = {
  phase: { type: 'between', last_trick: TRICK, voided: null },
} as unknown as GameView
const closing: Update['glimpses'] = [
  { type: 'card_played', seat: 2, card: 'HA', next: null },
  { type: 'trick_taken', seat: 2, points: 15 },
]

function table(): { screen: Screen; room: Room; motion: Motion; show: typeof show } {
  const room = { game: BEFORE as GameView | null, seq: 1, me: null, mover: null } as unknown as Room
  const screen = new Screen()
  const motion = new Motion(room, screen)
  motion.moves = { plan, sweep }
  function show(game: GameView, glimpses: Update['glimpses'], seq = room.seq + 1): void {
    const drawn = room.mover?.(
      { type: 'update', seq, game, glimpses, options: NOTHING, clock: null },
      room.game,
    )
    room.game = game
    room.seq = seq
    drawn?.()
  }
  return { screen, room, motion, show }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a finished trick rests, then is swept, then is gone', () => {
  const { motion, show } = table()
  show(AFTER, closing)
  expect(motion.trick).toEqual(CARDS)

  vi.advanceTimersByTime(1999)
  expect(motion.flights.some((one) => one.sweeping)).toBe(false)
  vi.advanceTimersByTime(1)
  const swept = motion.flights.filter((one) => one.sweeping)
  expect(swept).toHaveLength(3)
  expect(motion.trick).toEqual(CARDS)

  for (const one of swept) motion.landed(one.id)
  expect(motion.trick).toEqual([])
})

test('the next lead sweeps the trick at once', () => {
  const { motion, show } = table()
  show(AFTER, closing)
  motion.skip(false)
  const lead = [{ seat: 2, card: 'S9' }] as const
  show(playing({ trick: lead, last_trick: TRICK }), [
    { type: 'card_played', seat: 2, card: 'S9', next: 0 },
  ])

  expect(motion.flights.map((one) => one.flight.card)).toEqual(['HK', 'H9', 'HA', 'S9'])
  expect(motion.trick).toEqual(lead)
})

test('the deal stays drawn until its last trick is swept', () => {
  const { motion, show } = table()
  show(SCORED, [...closing, { type: 'deal_scored', outcome: 'played' }])

  expect(motion.game?.phase).toMatchObject({ type: 'play', trick: CARDS })
  expect(motion.game?.turn).toBeNull()
  expect(motion.game?.seats.map((one) => [one.cards, one.tricks])).toEqual([
    [0, 0],
    [0, 0],
    [0, 1],
  ])
  vi.advanceTimersByTime(2000)
  motion.skip()
  expect(motion.game?.phase.type).toBe('between')
})

test('an update without glimpses jumps; one that changes nothing does not', () => {
  const { motion, show, room } = table()
  show(AFTER, closing)
  show(AFTER, [], room.seq)
  expect(motion.trick).toEqual(CARDS)

  show(AFTER, [])
  expect([motion.trick, motion.flights]).toEqual([[], []])
})

test('nothing moves while nobody looks', () => {
  const { motion, show, screen } = table()
  screen.away = true
  show(AFTER, closing)

  expect([motion.trick, motion.flights]).toEqual([[], []])
})

test('without movement the hold stays', () => {
  const { motion, show, screen } = table()
  screen.quiet = true
  show(AFTER, closing)

  expect(motion.flights).toEqual([])
  expect(motion.trick).toEqual(CARDS)
  vi.advanceTimersByTime(2000)
  expect(motion.trick).toEqual([])
})

test('a place is covered until its card has landed, and at once free after a skip', async () => {
  const { motion, show, screen } = table()
  show(AFTER, closing)
  expect([...screen.covered]).toEqual(['trick:2'])

  motion.skip(false)
  await vi.runAllTicks()
  await Promise.resolve()
  expect([...screen.covered]).toEqual([])
  expect(motion.trick).toEqual(CARDS)
})

test('a card whose place has gone is not on its way there any more', () => {
  const { motion, show, screen } = table()
  screen.talon = true
  show(BEFORE, [{ type: 'talon_taken', seat: 0, talon: 0, cards: ['CJ'] }])
  expect(motion.flights.map((one) => one.flight.covers)).toEqual(['talon:0'])

  screen.talon = false
  show(BEFORE, [{ type: 'contract_set', seat: 0, points: 120 }])
  expect(motion.flights).toEqual([])
})

test('a screen that is far behind jumps', () => {
  const { motion, show } = table()
  const passes = Array.from({ length: 7 }, () => ({ type: 'passed', seat: 1, next: null }) as const)
  show(AFTER, passes)

  expect([motion.flights, motion.lively]).toEqual([[], false])
})
