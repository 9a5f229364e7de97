import { expect, test } from 'vitest'
import type { CardCode } from '../cards/card'
import type { GameView, Glimpse } from '../protocol.gen'
import type { Room } from '../room.svelte'
import type { Settings } from '../settings.svelte'
import { Desk } from './desk.svelte'

const HAND: readonly CardCode[] = ['SA', 'ST', 'SK', 'H9']
const DEALT: readonly Glimpse[] = [{ type: 'passed', seat: 2, next: null }]

const NOTHING = { deal: false, bid: null, may_pass: false, take: [], lay_away: 0, contract: null }
const MAY = { ...NOTHING, concede: null, nines: false, barred: [], melds: [], spoils: [] }

function playing(): GameView {
  const phase = { type: 'play', trick: [], last_trick: null }
  return { phase, hand: HAND, turn: 0, may: { ...MAY, give_to: [], play: HAND } } as never
}

function giving(): GameView {
  const phase = { type: 'exchange', talon: [] }
  return { phase, hand: HAND, turn: 0, may: { ...MAY, give_to: [1, 2], play: [] } } as never
}

function calling(least: number): GameView {
  const bid = { least, greatest: 120, step: 5, limit: 'bid-needs-marriage' }
  const phase = { type: 'auction', calls: [] }
  return { phase, hand: HAND, turn: 0, may: { ...MAY, give_to: [], play: [], bid } } as never
}

/** A desk that has seen `game`, and what it sees next. */
function desk(game: GameView): { desk: Desk; sees: (glimpses: readonly Glimpse[]) => void } {
  const room = { game, seq: 1, glimpses: DEALT, me: 0, asking: 0 } as unknown as Room
  const made = new Desk(room, { now: { singleTap: false } } as unknown as Settings)
  made.seen(game)
  return {
    desk: made,
    sees: (glimpses) => {
      Object.assign(room, { seq: room.seq + 1, glimpses })
      made.seen(game)
    },
  }
}

test('a lifted card stays up while others act, and is put down where the past has changed', () => {
  const { desk: mine, sees } = desk(playing())
  mine.tap('SA')

  sees(DEALT)
  expect(mine.lifted).toBe('SA')
  sees([])
  expect(mine.lifted).toBeNull()
})

test('gifts that are laid out go back where the past has changed', () => {
  const { desk: mine, sees } = desk(giving())
  mine.give('ST')
  mine.takeBack(2)

  sees([])
  expect([mine.gifts.size, mine.chosen, mine.tookUp]).toEqual([0, null, false])
})

test('the amount begins anew where the past has changed', () => {
  const { desk: mine, sees } = desk(calling(100))
  mine.say(115)

  sees(DEALT)
  expect(mine.amount).toBe(115)
  sees([])
  expect(mine.amount).toBe(100)
})
