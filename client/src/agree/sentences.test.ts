import { beforeAll, describe, expect, test } from 'vitest'
import type { GameView, Glimpse, ProposalKind, ProposalView, Settled } from '../protocol.gen'
import { Words } from '../words.svelte'
import { askedOf, needs, waitsFor } from './needs'
import { outcome } from './outcome'
import { restoredTo } from './restored'
import { asking, meaning, wanted } from './wanted'
import { learnAgree } from './words'

const NAMES = ['Anna', 'Ben', 'Carla']
const name = (seat: number) => NAMES[seat] ?? ''
const KINDS: readonly ProposalKind[] = [
  'take_back',
  'void_deal',
  'end_game',
  'reopen',
  'kick',
  'take_over',
  'sit_in',
]

const w = new Words()
beforeAll(async () => {
  await w.speak('en')
  await learnAgree(w)
})

function proposal(part: Partial<ProposalView>): ProposalView {
  return { kind: 'take_back', by: 1, seat: null, name: '', returns: [], ...part } as ProposalView
}

function settled(part: Partial<Settled>): Settled {
  const blank = { type: 'settled', kind: 'take_back', by: 1, seat: null, name: '', who: null }
  return { ...blank, outcome: 'agreed', ...part } as Settled
}

describe('what somebody wants', () => {
  test('a decision is named as what it was', () => {
    const seen: Glimpse[] = [
      { type: 'card_played', seat: 1, card: 'HT', next: 2 },
      { type: 'card_played', seat: 2, card: 'HA', next: null },
    ]
    const call: Glimpse = { type: 'bid_placed', seat: 1, points: 120, next: 2 }

    expect(wanted(proposal({ returns: seen }), name, w)).toBe(
      'Ben would like to take back the ten of hearts',
    )
    expect(wanted(proposal({ returns: [call] }), name, w)).toBe(
      'Ben would like to take back the call of 120',
    )
    expect(asking(seen, w)).toBe('Take back the ten of hearts?')
  })

  test('a device that has no seat is spoken of by the seat it wants', () => {
    const claim = proposal({ kind: 'take_over', by: null, seat: 0, name: 'Anna' })

    expect(wanted(claim, name, w)).toBe('A phone says it is Anna')
    expect(meaning(claim, name, w)).toContain('Anna’s cards')
  })

  test('whose chair is to be freed is spoken to', () => {
    const kick = proposal({ kind: 'kick', seat: 0 })

    expect(wanted(kick, name, w, 2)).toBe('Ben would like to free Anna’s chair')
    expect(wanted(kick, name, w, 0)).toBe('Ben would like to free your chair')
  })

  test.each(KINDS)('%s has a sentence for what it is and what it means', (kind) => {
    const said = [
      wanted(proposal({ kind, seat: 0 }), name, w),
      meaning(proposal({ kind }), name, w),
    ]

    expect(said.join()).not.toMatch(/agree\.|\{\{/)
  })
})

describe('what became of it', () => {
  test('whoever refused is named, and spoken to on the own phone', () => {
    const refused = settled({ outcome: 'refused', who: 2 })

    expect(outcome(refused, 0, name, w)).toBe('Carla would rather not')
    expect(outcome(refused, 2, name, w)).toBe('You have refused')
  })

  test('with all asked it takes one who is silent, with one asked it takes all', () => {
    expect(outcome(settled({ outcome: 'lapsed' }), 0, name, w)).toBe(
      'Not everybody answered in time',
    )
    expect(outcome(settled({ outcome: 'lapsed', kind: 'end_game' }), 0, name, w)).toBe(
      'Nobody answered in time',
    )
  })

  test('a chair that changed its phone', () => {
    const moved = settled({ kind: 'take_over', by: null, seat: 0, name: 'Anna' })

    expect(outcome(moved, 1, name, w)).toBe('Anna plays on another phone now')
    expect(outcome(moved, 0, name, w)).toBe('You play here now')
  })

  test('an undo names who did it, but not to oneself', () => {
    expect(outcome(settled({}), 0, name, w)).toBe('Ben has taken it back')
    expect(outcome(settled({}), 1, name, w)).toBe('Taken back')
  })

  test.each(
    KINDS.flatMap((kind) =>
      (['agreed', 'refused', 'lapsed', 'withdrawn', 'overtaken'] as const).map(
        (end) => [kind, end] as const,
      ),
    ),
  )('%s, %s has a sentence', (kind, end) => {
    const by = kind === 'take_over' || kind === 'sit_in' ? null : 1

    expect(outcome(settled({ kind, by, seat: 0, outcome: end, who: 2 }), 0, name, w)).not.toMatch(
      /agree\.|\{\{|^$/,
    )
  })
})

describe('whose consent it needs', () => {
  const players = NAMES.map((one) => ({ name: one, ready: true }))

  test('one of several, or all of them', () => {
    const others = askedOf(players, 0)

    expect(needs(others, 'one', null, w)).toBe('Ben or Carla has to agree')
    expect(needs(others, 'all', null, w)).toBe('Ben and Carla have to agree')
    expect(needs(askedOf(players, 0, 1), 'all', null, w)).toBe('Carla has to agree')
  })

  test('with nobody to ask, only who is away loses the chair', () => {
    expect(needs(askedOf(players.slice(0, 2), 0, 1), 'one', 'Ben', w)).toBe(
      'Goes through only while Ben is away',
    )
  })

  test('a free chair is asked nothing', () => {
    expect(askedOf([players[0] ?? null, null, players[2] ?? null], 0)).toEqual(['Carla'])
  })

  test('who has agreed is waited for no longer', () => {
    const open = { asked: [0, 2], agreed: [0], enough: 'all', counts: null } as const

    expect(waitsFor(open, name, w)).toBe('Waiting for Carla')
    expect(waitsFor({ ...open, agreed: [], enough: 'one' }, name, w)).toBe(
      'Waiting for Anna or Carla',
    )
  })

  test('where a word counts it is said whose, and that one may refuse', () => {
    const claim = { asked: [0, 1, 2], agreed: [0, 2], enough: 'one', counts: 6_000 } as const

    expect(waitsFor(claim, name, w)).toBe(
      'Agreed: Anna and Carla. It happens in a few seconds unless somebody refuses',
    )
  })
})

test('a restored room says where it stands', () => {
  const game = (phase: object) => ({ deal: 3, phase }) as unknown as GameView

  expect(restoredTo(game({ type: 'play', trick_number: 5, trick_count: 8 }), w)).toBe(
    'Restored to deal 3, trick 5',
  )
  expect(restoredTo(game({ type: 'auction' }), w)).toBe('Restored to deal 3')
  expect(restoredTo(null, w)).toBe('Restored to before the game')
})
