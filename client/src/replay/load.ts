/** Where a replay comes from: the server, or the file that it stands in. */

import { ask, type Answer } from '../house'
import type { Replay, Seat } from '../protocol.gen'

export interface Address {
  code: string
  number: number
  /** With whose eyes, where several of a running game's players share this device. */
  seat: Seat | null
}

/** `/KVRT/replay/3?seat=1` */
export function addressIn({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Address {
  const [, code = '', , number = ''] = pathname.split('/')
  const seat = new URLSearchParams(search).get('seat')
  return {
    code: code.toUpperCase(),
    number: Number.parseInt(number) || 0,
    seat: seat === null ? null : Number(seat),
  }
}

/** The whole game, with what was taken back. `tokens` are those that no cookie brings. */
export function askReplay(
  { code, number, seat }: Address,
  tokens: readonly string[],
): Promise<Answer<Replay>> {
  const asked = new URLSearchParams({ undone: '1' })
  if (seat !== null) asked.set('seat', String(seat))
  const headers: HeadersInit =
    tokens.length > 0 ? { authorization: `Bearer ${tokens.join(' ')}` } : {}
  return ask(`/api/rooms/${code}/games/${number}/replay?${asked}`, { headers })
}

/** The game that was put into this page, packed by gzip and written in base64. */
export async function unpack(written: string): Promise<Replay> {
  const packed = Uint8Array.from(atob(written), (letter) => letter.charCodeAt(0))
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  return (await new Response(stream).json()) as Replay
}
