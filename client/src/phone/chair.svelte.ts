/** How this phone comes to its chairs and keeps them: it watches, sits down or asks the table for a chair, and is that player ever after. */

import { createContext } from 'svelte'
import { dial } from '../dial'
import type { Ending } from '../line'
import type { Memory } from '../memory'
import type { Claim, Hello, Join, Seat, Settled } from '../protocol.gen'
import { Room } from '../room.svelte'
import { newToken, Seats } from '../seats'

/** A chair that this phone asks the table for, and why that came to nothing. */
export interface Claimed {
  seat: Seat
  name: string
  ended: Settled | null
}

/** As long as the table is asked; after that a page that is loaded again does not ask anew. */
const CLAIM_LIVES = 120_000

export class Chair {
  readonly room: Room
  readonly #seats: Seats
  /** What this phone says until it is done; then it resumes what it has. */
  #wish: Join | Claim | null = null
  /** Asked for by this page before it was loaded again: whether it was given shows. */
  #guess: string | null = null
  #sits: boolean
  #leaving = false
  /** Who said so last, of those who share this phone: only their hand may be shown. Remembered nowhere else. */
  tapped: Seat | null = null
  /** A name was given that is not yet seated. */
  joining = $state(false)
  claimed: Claimed | null = $state.raw(null)
  /** Neither cookies nor storage keep the seat: it is forgotten with this tab. */
  forgetful = $state(false)

  constructor(
    readonly code: string,
    memory: Memory,
  ) {
    this.#seats = new Seats(memory)
    this.#sits = this.#seats.has(code)
    this.#takeUp()
    this.room = new Room(
      code,
      dial(() => this.#hello()),
    )
    if (!this.#sits && !this.#wish && !this.#guess) void this.#ask()
  }

  /** What was under way when the page was loaded again. */
  #takeUp(): void {
    const trial = this.#seats.trial(this.code)
    if (!trial) return
    const { token, claim } = trial
    if (claim && Date.now() - claim.at < CLAIM_LIVES) {
      const { seat, name } = claim
      this.claimed = { seat, name, ended: null }
      this.#wish = { type: 'claim', seat, name, token }
    } else this.#guess = token
  }

  #hello(): Hello {
    const tokens = this.#seats.tokens(this.code)
    if (this.#wish) return { ...this.#wish, tokens }
    if (this.#guess) tokens.push(this.#guess)
    const { facing, seen } = this.room
    return this.#sits || this.#guess
      ? { type: 'resume', tokens, facing, seen }
      : { type: 'watch', seen }
  }

  /** Storage may have been emptied while the cookies were not. */
  async #ask(): Promise<void> {
    const { seatsInCookies } = await import('../keep-seats')
    const kept = await seatsInCookies(this.code).catch(() => [])
    if (kept.length === 0 || this.#wish || this.#sits) return
    this.#seats.remember(this.code)
    this.#sits = true
    this.room.reopen()
  }

  /** The same token for every try: a join that is sent twice still takes one chair. */
  join(name: string, seat: Seat | null = null): void {
    const token = this.#wish?.token ?? newToken()
    this.joining = true
    this.#seats.attempt(this.code, { token })
    this.#say({ type: 'join', name, token, seat })
  }

  /** Asks the table for the chair of somebody who plays there, or for a free one under `name`. */
  claim(seat: Seat, name: string): void {
    this.claimed = { seat, name, ended: null }
    const token = newToken()
    this.#seats.attempt(this.code, { token, claim: { seat, name, at: Date.now() } })
    this.#say({ type: 'claim', seat, name, token })
  }

  /** One player more at this phone: on a free chair, which the table has to agree to once a game runs. */
  addPlayer(name: string): void {
    const { table } = this.room
    const free = table?.players.indexOf(null) ?? -1
    if (table?.running && free >= 0) this.claim(free, name)
    else this.join(name)
  }

  #say(wish: Join | Claim): void {
    this.#guess = null
    this.#wish = wish
    this.room.notSeated = null
    this.room.settled = null
    this.room.reopen()
  }

  /** The room has said who sits where: what was wished for may have come true. */
  seated(): void {
    const wish = this.#wish
    const { mine, me } = this.room
    if (mine.length === 0) return
    if (wish?.type === 'claim' && me !== wish.seat) return
    const token = wish?.token ?? this.#guess
    if (token) this.#seats.hold(this.code, token)
    this.#seats.endTrial(this.code)
    this.#wish = this.#guess = this.claimed = null
    this.#sits = true
    this.joining = false
    void this.#keep()
  }

  /** Into the cookies with what only this page or its storage knows. */
  async #keep(): Promise<void> {
    const { code } = this
    const tokens = this.#seats.tokens(code)
    if (tokens.length === 0) return
    const { keepInCookies } = await import('../keep-seats')
    const kept = await keepInCookies(code, tokens, this.room.mine).catch(() => false)
    if (kept) this.#seats.release(code, tokens)
    this.forgetful = !kept && !this.#seats.lasts
  }

  /** Something was settled at the table: perhaps this phone does not get its chair. */
  heard(settled: Settled): void {
    const { claimed } = this
    const about = settled.by === null && settled.seat === claimed?.seat
    if (!claimed || !this.#wish || !about || settled.outcome === 'agreed') return
    this.claimed = { ...claimed, ended: settled }
    this.#drop()
  }

  /** The chair is asked for no longer; the proposal lapses by itself. */
  giveUp(): void {
    this.claimed = null
    this.#drop()
    this.room.reopen()
  }

  /** The wish came to nothing. */
  #drop(): void {
    this.#seats.endTrial(this.code)
    this.#wish = this.#guess = null
    this.joining = false
  }

  /** True if the page can go on by itself: what was asked for was not given, or this phone has left. */
  recovers(ending: Ending): boolean {
    if (this.#leaving) return true
    const guessed = ending === 'wrong-token' && this.#guess !== null
    if (ending !== 'not-seated' && !guessed) return false
    this.claimed = null
    this.#drop()
    this.room.reopen()
    return true
  }

  /** Somebody at this phone has said who they are. */
  look(seat: Seat | null): void {
    this.tapped = seat
    this.room.face(seat)
  }

  /** For one of this phone's players. */
  async setReady(seat: Seat, ready: boolean): Promise<void> {
    this.room.face(seat)
    await this.room.ask({ type: 'set_ready', ready })
  }

  /** One of this phone's players stands up. */
  async leave(seat: Seat | null = this.room.me): Promise<void> {
    this.#leaving = this.room.mine.length < 2
    if (seat !== this.room.me) this.room.face(seat)
    const left = await this.room.ask({ type: 'leave' })
    // The line of a phone without a seat is closed before it is told that it was done.
    if (this.#leaving && (left || this.room.ending === 'seat-gone')) {
      await this.#forget()
      location.assign('/')
    }
    this.#leaving = false
  }

  /** The seat that was lost is let go: from now on this phone is a guest. */
  async beginAnew(): Promise<void> {
    await this.#forget()
    this.room.forget()
    this.room.reopen()
  }

  async #forget(): Promise<void> {
    this.#seats.forget(this.code)
    this.#sits = false
    const { dropFromCookies } = await import('../keep-seats')
    await dropFromCookies(this.code).catch(() => undefined)
  }
}

export const [chair, provideChair] = createContext<Chair>()
