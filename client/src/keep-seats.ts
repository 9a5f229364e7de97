/** A device's seats of one room in its cookies: they outlive its tabs, and no script can read them. */

import type { KeepSeat, KeptSeats, Seat } from './protocol.gen'

/** The seats that the cookies bring back, as the server says. */
export async function seatsInCookies(code: string): Promise<readonly Seat[]> {
  const answer = await fetch(address(code), { cache: 'no-store' })
  return answer.ok ? ((await answer.json()) as KeptSeats).seats : []
}

/** True if from now on the cookies bring back every seat of `mine`: asked for, since a browser may drop them unsaid. */
export async function keepInCookies(
  code: string,
  tokens: readonly string[],
  mine: readonly Seat[],
): Promise<boolean> {
  for (const token of tokens) {
    await fetch(address(code), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token } satisfies KeepSeat),
    })
  }
  const kept = await seatsInCookies(code)
  return mine.every((seat) => kept.includes(seat))
}

export async function dropFromCookies(code: string): Promise<void> {
  await fetch(address(code), { method: 'DELETE' })
}

function address(code: string): string {
  return `/api/rooms/${code}/seats`
}
