/** What a closed line means, how long to wait, and the browser's side of a connection. */

import { CLOSE } from './protocol.gen'

/** What is used of a WebSocket. */
export interface Socket {
  onopen: ((event: Event) => void) | null
  onmessage: ((event: MessageEvent) => void) | null
  onclose: ((event: CloseEvent) => void) | null
  send(text: string): void
  close(): void
}

/** Why a line is closed for good. */
export type Ending =
  | 'no-room'
  | 'wrong-token'
  | 'taken-over'
  | 'seat-gone'
  | 'room-stopped'
  | 'failed'
  | 'bad-frame'
  | 'not-seated'
  | 'left'

const ENDINGS: Partial<Record<number, Ending>> = {
  [CLOSE.BAD_FRAME]: 'bad-frame',
  [CLOSE.WRONG_TOKEN]: 'wrong-token',
  [CLOSE.NO_SUCH_ROOM]: 'no-room',
  [CLOSE.ELSEWHERE]: 'taken-over',
  [CLOSE.SEAT_GONE]: 'seat-gone',
  [CLOSE.ROOM_STOPPED]: 'room-stopped',
  [CLOSE.FAILED]: 'failed',
}

/** How soon a line is tried again: as usual, at first at once again, or only after a while. */
export type Pace = 'usual' | 'quick' | 'patient'

const PACES: Partial<Record<number, Pace>> = {
  [CLOSE.RESTARTING]: 'quick',
  [CLOSE.FULL]: 'patient',
  [CLOSE.UNREADABLE]: 'patient',
}

const WAITS = { usual: [300, 5000], quick: [300, 5000], patient: [3000, 15000] } as const

/** Some codes end the line for good; after all others it is tried again. */
export function closing(code: number): { ending: Ending | null; pace: Pace; full: boolean } {
  return {
    ending: ENDINGS[code] ?? null,
    pace: PACES[code] ?? 'usual',
    full: code === CLOSE.FULL,
  }
}

/** Doubling from 0.3 s up to 5 s, or from 3 s up to 15 s; half of it by chance, so that a table does not come back in one stampede. */
export function backOff(attempt: number, random: number, pace: Pace = 'usual'): number {
  const [first, longest] = WAITS[pace]
  const whole = Math.min(longest, first * 2 ** attempt)
  return whole * (0.5 + random / 2)
}

export function roomUrl(code: string, { protocol, host } = location): string {
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/api/rooms/${code}/socket`
}

export function openSocket(url: string): Socket {
  return new WebSocket(url)
}

/** 128 random bits in hex; `crypto.randomUUID` does not exist on plain http. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const WINDOW_WAKES = ['pageshow', 'focus', 'online'] as const

/** Unlocking, coming back from another page or window, being thawed, and getting the network again. */
export function onWake(woken: () => void): () => void {
  const seen = () => {
    if (document.visibilityState === 'visible') woken()
  }
  document.addEventListener('visibilitychange', seen)
  document.addEventListener('resume', woken)
  for (const name of WINDOW_WAKES) addEventListener(name, woken)
  return () => {
    document.removeEventListener('visibilitychange', seen)
    document.removeEventListener('resume', woken)
    for (const name of WINDOW_WAKES) removeEventListener(name, woken)
  }
}
