/** What the server answers about games that were played. */

import { ask, type Answer } from '../house'
import type { ArchivePage, GameSheet, Problem } from '../protocol.gen'
import type { GameName } from './place'

export function askGames(player: string, page: number): Promise<Answer<ArchivePage>> {
  return ask(`/api/archive?${new URLSearchParams({ player, page: String(page) })}`)
}

export function askSheet(code: string, number: number): Promise<Answer<GameSheet>> {
  return ask(`/api/rooms/${code}/games/${number}/sheet`)
}

/** Lets the room and all its games be forgotten; null: it was. `tokens` are those that no cookie brings. */
export async function forgetRoom(
  code: string,
  tokens: readonly string[],
): Promise<Problem['error'] | 'away' | null> {
  const headers: HeadersInit =
    tokens.length > 0 ? { authorization: `Bearer ${tokens.join(' ')}` } : {}
  try {
    const response = await fetch(`/api/rooms/${code}/games`, { method: 'DELETE', headers })
    return response.ok ? null : ((await response.json()) as Problem).error
  } catch {
    return 'away'
  }
}

export const FORMATS = ['t1000', 'jsonl', 'csv', 'html'] as const

/** Where a finished game is as a file. */
export function fileOf(
  { code, number }: GameName,
  format: (typeof FORMATS)[number],
  nameless: boolean,
): string {
  return `/api/rooms/${code}/games/${number}.${format}${nameless ? '?anonymous=1' : ''}`
}
