/** What the house answers over HTTP: rooms and the rules it knows. */

import type {
  NewRoom,
  Problem,
  Profile,
  ProfileSummary,
  RoomOpened,
  RoomSummary,
  RuleBook,
  Seat,
} from './protocol.gen'

/** `away`: nobody answers, or not in our words. */
export type Trouble = Problem['error'] | 'away'

export type Answer<What> = { found: What; trouble: null } | { found: null; trouble: Trouble }

export function askRoom(code: string): Promise<Answer<RoomSummary>> {
  return ask(`/api/rooms/${code}`)
}

export function askProfiles(): Promise<Answer<readonly ProfileSummary[]>> {
  return ask('/api/profiles')
}

export function askBook(code: string): Promise<Answer<RuleBook>> {
  return ask(`/api/rooms/${code}/rules`)
}

/** The book of a set that nobody plays yet. */
export function askBookOf(id: string, chosen: Profile['chosen']): Promise<Answer<RuleBook>> {
  const house_rules = encodeURIComponent(JSON.stringify(chosen))
  return ask(`/api/profiles/${id}?house_rules=${house_rules}`)
}

export function openRoom(room: NewRoom): Promise<Answer<RoomOpened>> {
  return ask('/api/rooms', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(room),
  })
}

/** Which chair of the room is held under `name`: names differ within a room. */
export function seatCalled(room: RoomSummary, name: string | null): Seat | null {
  const seat = name === null ? -1 : room.players.indexOf(name)
  return seat < 0 ? null : seat
}

/** What the server answers there. */
export async function ask<What>(path: string, init?: RequestInit): Promise<Answer<What>> {
  try {
    const response = await fetch(path, init)
    const body: unknown = await response.json()
    if (response.ok) return { found: body as What, trouble: null }
    return { found: null, trouble: (body as Problem).error }
  } catch {
    return { found: null, trouble: 'away' }
  }
}
