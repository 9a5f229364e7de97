import { expect, test } from 'vitest'
import type { Seat } from '../protocol.gen'
import { Eyes, type Look } from './eyes'

const [ANNA, BEN, CARLA] = [0, 1, 2] as const

/** A phone of Anna's and Ben's, on which everything is done that the eyes say. */
function phone(mine: readonly Seat[] = [ANNA, BEN]) {
  const eyes = new Eyes()
  const look = {
    mine,
    facing: null as Seat | null,
    tapped: null as Seat | null,
    turn: null as Seat | null,
    deal: null as string | null,
    asked: [] as readonly Seat[],
    usual: ANNA as Seat | null,
  }
  function sees(change: Partial<Look> = {}): Seat | null {
    Object.assign(look, change)
    const next = eyes.next(look)
    if (next !== undefined) look.facing = next
    if (next === null) look.tapped = null
    expect(eyes.next(look)).toBeUndefined()
    return look.facing
  }
  return { sees, taps: (seat: Seat) => sees({ tapped: seat, facing: seat }) }
}

test('before the cards are dealt the phone looks with whoever may do something', () => {
  const { sees } = phone()

  expect(sees()).toBe(ANNA)
  expect(sees({ usual: BEN })).toBe(BEN)
})

test('a new deal is covered, even for whoever dealt it and has the first move', () => {
  const { sees, taps } = phone()
  sees()

  expect(sees({ deal: '1.1', turn: ANNA })).toBeNull()
  expect(taps(ANNA)).toBe(ANNA)
  expect(sees({ deal: '1.2', turn: ANNA })).toBeNull()
})

test('a hand stays open while the turn stays, goes round elsewhere or comes back to it', () => {
  const { sees, taps } = phone()
  sees({ deal: '1.1', turn: ANNA })
  taps(ANNA)

  expect(sees({ turn: ANNA })).toBe(ANNA)
  expect(sees({ turn: CARLA })).toBe(ANNA)
  expect(sees({ turn: ANNA })).toBe(ANNA)
})

test('the turn of another player at this phone brings the curtain; one tap opens it', () => {
  const { sees, taps } = phone()
  sees({ deal: '1.1', turn: ANNA })
  taps(ANNA)

  expect(sees({ turn: BEN })).toBeNull()
  expect(taps(BEN)).toBe(BEN)
  expect(sees({ turn: CARLA })).toBe(BEN)
  expect(sees({ turn: ANNA })).toBeNull()
})

test('one may look at the own hand out of turn', () => {
  const { sees, taps } = phone()
  sees({ deal: '1.1', turn: BEN })

  expect(taps(ANNA)).toBe(ANNA)
  expect(sees()).toBe(ANNA)
})

test('a question to another player at this phone brings the curtain once', () => {
  const { sees, taps } = phone()
  sees({ deal: '1.1', turn: ANNA })
  taps(ANNA)

  expect(sees({ asked: [BEN] })).toBeNull()
  expect(taps(ANNA)).toBe(ANNA)
  expect(sees()).toBe(ANNA)
})

test('whoever is asked first answers first, then the other one is asked', () => {
  const { sees, taps } = phone([ANNA, BEN, CARLA])
  sees({ deal: '1.1', turn: ANNA })
  taps(BEN)

  expect(sees({ asked: [BEN, CARLA] })).toBe(BEN)
  expect(sees({ asked: [CARLA] })).toBeNull()
})

test('whoever has answered gives the phone back to the turn', () => {
  const { sees, taps } = phone()
  sees({ deal: '1.1', turn: BEN })
  taps(BEN)
  expect(sees({ asked: [ANNA] })).toBeNull()
  taps(ANNA)

  expect(sees({ asked: [] })).toBeNull()
})

test('eyes that the server opened by itself are covered in a deal', () => {
  const { sees } = phone()
  sees({ deal: '1.1', turn: CARLA })

  expect(sees({ mine: [ANNA, BEN, CARLA], facing: CARLA })).toBeNull()
})

test('without cards whoever is asked looks until the answer', () => {
  const { sees, taps } = phone()
  sees({ asked: [BEN] })

  expect(taps(BEN)).toBe(BEN)
  expect(sees()).toBe(BEN)
  expect(sees({ asked: [] })).toBe(ANNA)
})
