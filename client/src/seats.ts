/** The seats of this device, by room. Their tokens are in its cookies where those work; else they are remembered here. */

import type { Memory } from './memory'
import type { Seat } from './protocol.gen'

const TOKEN_BYTES = 16
/** What a hello may carry. */
const MOST_TOKENS = 8

/** The secret that is a seat in one room: made here, from secure randomness. */
export function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** A seat that was asked for and is not given yet: by sitting down, or of the table by a claim. */
export interface Trial {
  token: string
  claim?: { seat: Seat; name: string; at: number }
}

export class Seats {
  /** False once a token could only be remembered until the page goes. */
  lasts = true

  constructor(readonly memory: Memory) {}

  /** Whether this device sits there, as far as it knows. */
  has(code: string): boolean {
    return this.codes().includes(code)
  }

  /** Those that no cookie holds. */
  tokens(code: string): string[] {
    return words(this.memory.get(`seat.${code}`)).slice(-MOST_TOKENS)
  }

  /** From now on `token` is brought along. */
  hold(code: string, token: string): void {
    const others = this.tokens(code).filter((other) => other !== token)
    this.#remember([code, ...this.codes().filter((other) => other !== code)])
    this.lasts = this.memory.set(`seat.${code}`, [...others, token].join(' '))
  }

  trial(code: string): Trial | null {
    return JSON.parse(this.memory.get(`seat.${code}.trial`) ?? 'null') as Trial | null
  }

  attempt(code: string, trial: Trial): void {
    this.memory.set(`seat.${code}.trial`, JSON.stringify(trial))
  }

  endTrial(code: string): void {
    this.memory.forget(`seat.${code}.trial`)
  }

  /** `tokens` are kept elsewhere; that there is a seat is still remembered. */
  release(code: string, tokens: readonly string[]): void {
    const left = this.tokens(code).filter((token) => !tokens.includes(token))
    if (left.length > 0) this.memory.set(`seat.${code}`, left.join(' '))
    else this.memory.forget(`seat.${code}`)
  }

  /** What this device's player is called there: names may be changed to tell two apart. */
  name(code: string): string | null {
    return this.memory.get(`seat.${code}.name`)
  }

  keepName(code: string, name: string): void {
    this.memory.set(`seat.${code}.name`, name)
  }

  /** This device sits there, by a seat that a cookie holds. */
  remember(code: string): void {
    if (!this.has(code)) this.#remember([code, ...this.codes()])
  }

  forget(code: string): void {
    this.memory.forget(`seat.${code}`)
    this.memory.forget(`seat.${code}.name`)
    this.#remember(this.codes().filter((other) => other !== code))
  }

  /** The rooms this device sits in, the latest first. */
  codes(): string[] {
    return words(this.memory.get('seats'))
  }

  #remember(codes: string[]): void {
    this.memory.set('seats', codes.join(' '))
  }
}

function words(text: string | null): string[] {
  return (text ?? '').split(' ').filter(Boolean)
}
