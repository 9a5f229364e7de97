import { expect, test } from 'vitest'
import type { Pose } from './places'
import { sweep } from './trick'

const pose = (x: number): Pose => ({ x, y: 0, width: 50, height: 70, angle: 0 })
const TRICK = {
  cards: [
    { seat: 0, card: 'HK' },
    { seat: 1, card: 'H9' },
    { seat: 2, card: 'HA' },
  ],
  winner: 2,
} as const

test('a finished trick goes to its winner and is not seen there', () => {
  const spots = [0, 1, 2].map((seat) => [`trick:${seat}`, pose(seat)] as const)
  const flights = sweep(TRICK, new Map([...spots, ['seat:2', pose(700)]]), {
    move: 220,
    flip: 400,
    sweep: 360,
    hold: 1800,
  })

  expect(flights.map((flight) => flight.covers)).toEqual(['trick:0', 'trick:1', 'trick:2'])
  expect(flights.map((flight) => flight.stops[1])).toEqual(
    flights.map(() =>
      expect.objectContaining({ time: 360, pose: expect.objectContaining({ x: 700 }) }),
    ),
  )
  expect(flights.every((flight) => flight.vanishes)).toBe(true)
})
