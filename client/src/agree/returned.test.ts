import { beforeAll, describe, expect, test } from 'vitest'
import type { AuctionView, Card, GameView, Glimpse, PlayView } from '../protocol.gen'
import { Words } from '../words.svelte'
import { decision, returning, sinceMine } from './returned'
import { learnAgree } from './words'

const w = new Words()
beforeAll(async () => {
  await w.speak('en')
  await learnAgree(w)
})

const ME = 1
const card = (seat: number, card: Card) => ({ seat, card })
const played = (seat: number, card: Card): Glimpse => ({
  type: 'card_played',
  seat,
  card,
  next: null,
})

function playing(part: Partial<PlayView>, hand: readonly Card[] = []): GameView {
  const phase = { type: 'play', trick: [], last_trick: null, melds: [], ...part }
  return { phase, hand } as unknown as GameView
}

describe('what the others did since I last decided', () => {
  test('my card in the running trick and what lies on it', () => {
    const game = playing({ trick: [card(0, 'SA'), card(1, 'S9'), card(2, 'SJ')] })

    expect(sinceMine(game, ME)).toEqual([played(1, 'S9'), played(2, 'SJ')])
  })

  test('my card in the trick before, the rest of that trick, and the new lead', () => {
    const game = playing({
      last_trick: { winner: 2, cards: [card(0, 'SK'), card(1, 'S9'), card(2, 'SA')] },
      trick: [card(2, 'HT')],
    })

    expect(sinceMine(game, ME)).toEqual([played(1, 'S9'), played(2, 'SA'), played(2, 'HT')])
  })

  test('nothing before my first card', () => {
    expect(sinceMine(playing({ trick: [card(0, 'SA')] }), ME)).toEqual([])
  })

  test('the meld that my lead announced, while I hold its other half', () => {
    const melds = [{ seat: ME, suit: 'H', points: 100 }] as const
    const trick = [card(1, 'HQ'), card(2, 'H9')]
    const meld: Glimpse = { type: 'marriage_melded', seat: ME, suit: 'H', points: 100 }

    expect(sinceMine(playing({ melds, trick }, ['HK']), ME)[0]).toEqual(meld)
    expect(sinceMine(playing({ melds, trick }), ME)[0]).toEqual(played(1, 'HQ'))
  })

  test('my call and all after it', () => {
    const calls = [
      { seat: 1, points: 100 },
      { seat: 2, points: 105 },
      { seat: 0, points: null },
    ]
    const game = { phase: { type: 'auction', calls } as unknown as AuctionView } as GameView

    expect(sinceMine(game, ME).map(({ type }) => type)).toEqual([
      'bid_placed',
      'bid_placed',
      'passed',
    ])
  })
})

describe('what returns, in words', () => {
  test('each card with whose it is; a trick that was taken is no thing of its own', () => {
    const seen: Glimpse[] = [
      played(1, 'S9'),
      played(2, 'HA'),
      { type: 'trick_taken', seat: 2, points: 11 },
    ]

    expect(returning(seen, w)).toEqual([
      { seat: 1, text: 'nine of spades' },
      { seat: 2, text: 'ace of hearts' },
    ])
  })

  test('what was written, and the end of the game, are the whole table’s', () => {
    const seen: Glimpse[] = [
      { type: 'deal_scored', outcome: 'played' },
      { type: 'game_won', winners: [0] },
    ]

    expect(returning(seen, w).map(({ seat }) => seat)).toEqual([null, null])
  })
})

test('of a melded lead the card is the decision', () => {
  const meld: Glimpse = { type: 'marriage_melded', seat: 1, suit: 'H', points: 100 }

  expect(decision([meld, played(1, 'HQ')])).toEqual(played(1, 'HQ'))
  expect(decision([played(1, 'S9'), played(2, 'HA')])).toEqual(played(1, 'S9'))
  expect(decision([])).toBeUndefined()
})
