import { expect, test } from 'vitest'
import type { CardPlayed, GameView, Glimpse, Seat, SeatView } from '../protocol.gen'
import type { Pace, Scene } from './flight'
import { plan } from './plan'
import { held, type Pose, type Spots } from './places'

const PACE: Pace = { move: 220, flip: 400, sweep: 360, hold: 1800 }

const card = (x: number, y: number, angle = 0): Pose => ({ x, y, width: 100, height: 140, angle })
const name = (x: number, y: number): Pose => ({ x, y, width: 120, height: 60, angle: 0 })
const spots = (at: Record<string, Pose>): Spots => new Map(Object.entries(at))
const SEATS = { 'seat:0': name(400, 900), 'seat:1': name(100, 100), 'seat:2': name(700, 100) }
const TRICK = {
  'trick:0': card(400, 500, 1),
  'trick:1': card(300, 400, -2),
  'trick:2': card(500, 400, 2),
}

function scene(part: Partial<Scene>): Scene {
  return { before: spots(SEATS), after: spots(SEATS), was: null, game: null, me: null, ...part }
}

function game(cards: number, part: Partial<GameView> = {}): GameView {
  const seat = { cards } as SeatView
  return { seats: [seat, seat, seat], hand: [], order: [1, 2, 0], ...part } as GameView
}

const laid = (seat: Seat, of: CardPlayed['card']): CardPlayed => ({
  type: 'card_played',
  seat,
  card: of,
  next: null,
})

test('a card flies from the own hand to its place and ends askew', () => {
  const { flights } = plan(
    [laid(0, 'HK')],
    scene({ before: spots({ ...SEATS, 'hand:HK': card(50, 800) }), after: spots(TRICK) }),
    PACE,
  )

  expect(flights).toEqual([
    {
      card: 'HK',
      stops: [
        { time: 0, pose: card(50, 800), ease: 'lay' },
        { time: 220, pose: card(400, 500, 1), ease: 'lay' },
      ],
      appears: false,
      covers: 'trick:0',
    },
  ])
})

test('a neighbour’s card comes out of the neighbour’s seat', () => {
  const { flights } = plan([laid(1, 'HK')], scene({ after: spots({ ...SEATS, ...TRICK }) }), PACE)

  expect(flights[0]).toMatchObject({ appears: true, covers: 'trick:1' })
  expect(flights[0]?.stops[0]?.pose).toEqual(held(SEATS['seat:1'], TRICK['trick:1']))
})

test('cards are dealt in turn within 0.8 s, own ones to their place in the hand', () => {
  const hand = { 'hand:SA': card(50, 800), 'hand:S9': card(160, 800) }
  const { flights } = plan(
    [{ type: 'cards_dealt', dealer: 0, order: [1, 2, 0] }],
    scene({ after: spots({ ...SEATS, ...hand }), game: game(2, { hand: ['SA', 'S9'] }), me: 0 }),
    PACE,
  )

  expect(flights.map((flight) => flight.covers)).toEqual([
    undefined,
    undefined,
    'hand:SA',
    undefined,
    undefined,
    'hand:S9',
  ])
  expect(flights.map((flight) => flight.card)).toEqual([null, null, 'SA', null, null, 'S9'])
  expect(flights[2]?.turned).toBeDefined()
  expect(Math.max(...flights.flatMap((flight) => flight.stops).map((stop) => stop.time))).toBe(800)
})

test('a hidden hand is dealt face down and no card of it is named', () => {
  const { flights } = plan(
    [{ type: 'cards_dealt', dealer: 2, order: [0, 1, 2] }],
    scene({
      after: spots({ ...SEATS, 'talon:0': card(400, 400), 'talon:1': card(500, 400) }),
      game: game(7),
    }),
    PACE,
  )

  expect(flights).toHaveLength(21 + 2)
  expect(flights.every((flight) => flight.card === null && !flight.turned)).toBe(true)
  expect(flights.slice(-2).map((flight) => flight.covers)).toEqual(['talon:0', 'talon:1'])
})

const TALON = { 'talon:0': card(300, 300), 'talon:1': card(400, 300), 'talon:2': card(500, 300) }
const turned: Glimpse = { type: 'talon_taken', seat: 0, talon: 0, cards: ['CJ', 'H9', 'DA'] }

test('an open talon is turned in place, one card after the other', () => {
  const { flights } = plan(
    [turned],
    scene({ before: spots(TALON), after: spots({ ...SEATS, ...TALON }) }),
    PACE,
  )

  expect(flights.map((flight) => flight.turned)).toEqual([
    { from: 0, until: 400 },
    { from: 400, until: 800 },
    { from: 800, until: 1200 },
  ])
  expect(flights.map((flight) => flight.covers)).toEqual(['talon:0', 'talon:1', 'talon:2'])
})

test('where the talon stays nowhere it goes on: to the own hand, or to the declarer', () => {
  const hand = { 'hand:CJ': card(50, 800), 'hand:H9': card(160, 800), 'hand:DA': card(270, 800) }
  const before = spots({ ...SEATS, ...TALON })

  const own = plan([turned], scene({ before, after: spots({ ...SEATS, ...hand }), me: 0 }), PACE)
  const other = plan([turned], scene({ before, me: 1 }), PACE)

  expect(own.flights.map((flight) => flight.covers)).toEqual(['hand:CJ', 'hand:H9', 'hand:DA'])
  expect(own.flights[0]?.stops.map((stop) => stop.time)).toEqual([0, 400, 1200, 1560])
  expect(other.flights.every((flight) => flight.vanishes)).toBe(true)
})

test('a talon nobody may see moves face down', () => {
  const was = game(7, { phase: { type: 'talon', declarer: 0, bid: 100, calls: [], talons: [3] } })
  const { flights } = plan(
    [{ ...turned, cards: [] }],
    scene({ before: spots({ ...SEATS, ...TALON }), was }),
    PACE,
  )

  expect(flights).toHaveLength(3)
  expect(flights.every((flight) => flight.card === null && !flight.turned)).toBe(true)
  for (const { stops } of flights) {
    const times = stops.map(({ time }) => time)
    expect(times).toEqual([...times].sort((one, other) => one - other))
  }
})

test('gifts show a face only to giver and receiver, after the talon has gone', () => {
  const given: Glimpse = {
    type: 'cards_given',
    seat: 0,
    gifts: [
      { to: 1, card: null },
      { to: 2, card: 'S9' },
    ],
  }
  const was = game(7, {
    phase: { type: 'exchange', declarer: 0, bid: 100, calls: [], talon: ['CJ', 'H9', 'DA'] },
  })
  const { flights } = plan(
    [given],
    scene({
      before: spots({ ...SEATS, ...TALON }),
      after: spots({ ...SEATS, 'hand:S9': card(50, 800) }),
      was,
      me: 2,
    }),
    PACE,
  )

  expect(flights.map((flight) => flight.card)).toEqual(['CJ', 'H9', 'DA', null, 'S9'])
  expect(flights.map((flight) => flight.stops[0]?.time)).toEqual([0, 0, 0, 360, 360])
  expect(flights[4]).toMatchObject({ covers: 'hand:S9', turned: { from: 360, until: 720 } })
})

test('a meld is shown in the middle: both cards, the value, then the trump sign', () => {
  const { flights, note, late } = plan(
    [{ type: 'marriage_melded', seat: 1, suit: 'H', points: 100 }, laid(1, 'HQ')],
    scene({ after: spots({ ...SEATS, ...TRICK }) }),
    PACE,
  )

  expect(flights.map((flight) => flight.card)).toEqual(['HK', 'HQ'])
  expect(flights.map((flight) => flight.covers)).toEqual([undefined, 'trick:1'])
  expect(flights[1]?.stops.map((stop) => stop.time)).toEqual([0, 220, 820, 1040])
  expect(note).toMatchObject({ value: 100, from: 220, until: 1040 })
  expect(late).toEqual([{ place: 'trump', until: 1040 }])
})

test('what a screen does not show does not fly', () => {
  const all: Glimpse[] = [
    { type: 'cards_dealt', dealer: 0, order: [1, 2, 0] },
    turned,
    { type: 'aces_melded', seat: 1, points: 200 },
    laid(1, 'SA'),
  ]

  expect(plan(all, scene({ before: new Map(), after: new Map() }), PACE)).toMatchObject({
    flights: [],
  })
})
