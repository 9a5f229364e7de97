/** What one player is about to do: the card that is lifted, the cards that are put out, the amount. Nothing of it is known to the server. */

import { createContext } from 'svelte'
import type { CardCode } from '../cards/card'
import { arranged, type Slots } from '../hand/slots'
import type { BidRange, Choices, GameView, MeldOpen, Reason, Seat } from '../protocol.gen'
import type { Room } from '../room.svelte'
import type { Settings } from '../settings.svelte'
import { within } from './amount'

/** A lead that wants an answer: meld, or lead plainly. `card` is null until one of the meld's is chosen. */
export interface Leading {
  card: CardCode | null
  meld: MeldOpen | null
}

export class Desk {
  slots: Slots = $state.raw([])
  lifted: CardCode | null = $state(null)
  /** Cards laid out to be given, by receiver. */
  gifts: ReadonlyMap<Seat, CardCode> = $state.raw(new Map())
  /** The tray that was tapped: the next card goes there. */
  chosen: Seat | null = $state(null)
  aside: readonly CardCode[] = $state.raw([])
  amount = $state(0)
  leading: Leading | null = $state.raw(null)
  /** Why a card that was tapped, or a call that was wanted, is not open. */
  why: Reason | null = $state(null)
  /** The declarer has looked at the talon and takes it up. */
  tookUp = $state(false)

  #game: GameView | null = null
  #seq = 0
  #me: Seat | null = null
  #range: BidRange | null = null

  constructor(
    readonly room: Room,
    readonly settings: Settings,
  ) {}

  get busy(): boolean {
    return this.room.asking > 0
  }

  get #may(): Choices | null {
    return this.room.game?.may ?? null
  }

  /** Puts away what the new view no longer allows; all of it for other eyes, and where nobody saw how the view came about. */
  seen(game: GameView): void {
    const { may, phase } = game
    const { seq, glimpses } = this.room
    const { me } = this.room
    const jumped = me !== this.#me || (seq !== this.#seq && glimpses.length === 0)
    this.#me = me
    const fresh = jumped || phase.type !== this.#game?.phase.type
    this.#seq = seq
    const range = may.bid ?? may.contract
    if (fresh || !may.play.includes(this.lifted as CardCode)) this.lifted = null
    if (fresh) this.tookUp = false
    if (jumped) this.chosen = null
    if (jumped || may.give_to.length === 0) this.gifts = new Map()
    if (jumped || may.lay_away === 0) this.aside = []
    if (range && (fresh || range.least !== this.#range?.least)) this.amount = range.least
    this.leading = null
    this.why = null
    this.#range = range
    this.#game = game
    this.#arrange(fresh)
  }

  /** Every card that is to go out is laid out. */
  get ready(): boolean {
    const { give_to, lay_away } = this.room.game?.may ?? { give_to: [], lay_away: 0 }
    return this.gifts.size === give_to.length && this.aside.length === lay_away
  }

  takeUp(): void {
    this.tookUp = true
    this.#arrange(true)
  }

  /** Gaps close only while somebody else is to lead: never under a finger. */
  #arrange(fresh: boolean): void {
    const game = this.#game
    if (!game) return
    const { phase, hand } = game
    const looking = phase.type === 'exchange' && game.turn === this.room.me && !this.tookUp
    const held = looking ? hand.filter((card) => !phase.talon.includes(card)) : hand
    const idle = game.turn !== this.room.me && phase.type === 'play' && phase.trick.length === 0
    this.slots = arranged(this.slots, held, fresh || idle)
  }

  /** A tap on a card of the hand. */
  tap(card: CardCode): void {
    const may = this.#may
    if (!may || this.busy) return
    this.why = may.barred.find((barred) => barred.card === card)?.reason ?? null
    if (may.give_to.length > 0) this.give(card)
    else if (may.lay_away > 0) this.layAside(card)
    else if (!may.play.includes(card)) this.lifted = null
    else if (this.lifted === card || this.settings.now.singleTap) this.play(card)
    else this.lifted = card
  }

  /** Lays `card`; where it would make or break a meld it is asked first. */
  play(card: CardCode): void {
    const may = this.#may
    if (!may?.play.includes(card) || this.busy) return
    this.lifted = card
    const meld = may.melds.find((open) => open.cards.includes(card)) ?? null
    if (meld || may.spoils.includes(card)) this.leading = { card, meld }
    else void this.room.ask({ type: 'play_card', card })
  }

  meld(meld: MeldOpen): void {
    this.leading = { card: null, meld }
  }

  /** On the tray of `to`, else on the one that was tapped, else on the first that is empty. */
  give(card: CardCode, to?: Seat): void {
    const trays = this.#may?.give_to ?? []
    const chosen = this.chosen !== null && !this.gifts.has(this.chosen) ? this.chosen : undefined
    const tray = to ?? chosen ?? trays.find((seat) => !this.gifts.has(seat))
    if (tray === undefined || !trays.includes(tray) || this.busy || !this.#held(card)) return
    this.tookUp = true
    this.gifts = new Map(this.gifts).set(tray, card)
    this.chosen = null
  }

  takeBack(seat: Seat): void {
    const gifts = new Map(this.gifts)
    if (!gifts.delete(seat)) this.chosen = seat
    this.gifts = gifts
  }

  layAside(card: CardCode): void {
    const room = this.aside.length < (this.#may?.lay_away ?? 0)
    if (this.busy) return
    if (this.aside.includes(card)) this.aside = this.aside.filter((other) => other !== card)
    else if (room) this.aside = [...this.aside, card]
  }

  /** Up or down, as far as it goes; at the end of the range it says why. */
  say(points: number): void {
    const range = this.#range
    if (!range) return
    this.why = points > range.greatest ? range.limit : null
    this.amount = within(range, points)
  }

  isOut(card: CardCode): boolean {
    return this.aside.includes(card) || [...this.gifts.values()].includes(card)
  }

  #held(card: CardCode): boolean {
    return this.slots.includes(card) && !this.isOut(card)
  }
}

export const [desk, provideDesk] = createContext<Desk>()
