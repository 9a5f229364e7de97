/** Where everybody sits, seen from one chair. Seats are numbered clockwise; the next one is at my left. */

import type { Seat } from '../protocol.gen'

/** Everybody else, from my left to my right. */
export function othersOf(me: Seat, players: number): Seat[] {
  return Array.from({ length: players - 1 }, (_, at) => (me + 1 + at) % players)
}

/** The places of a trick from left to right: those who play, with me in the middle. */
export function trickRow(me: Seat, players: number, order: readonly Seat[]): Seat[] {
  const row = othersOf(me, players).filter((seat) => order.includes(seat))
  if (order.includes(me)) row.splice(Math.ceil(row.length / 2), 0, me)
  return row
}
