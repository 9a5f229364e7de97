/** The whole page of rules, out of a book. */

import type { Profile, RuleBook } from '../protocol.gen'
import { ruleName, valueName } from '../start/rules'
import type { Words } from '../words.svelte'
import * as before from './before-play'
import { differences } from './brief'
import * as from from './from-play'
import { SECTIONS, type Lines, type Pair, type Section, type SectionId } from './section'
import { saying, type RuleKey, type Say } from './words'

export function page(book: RuleBook, w: Words): readonly Section[] {
  const say = saying(w, book.profile.terms)
  const lines = sentences(book, say, w)
  const pairs = tables(book, say, w)
  return SECTIONS.map((id) => ({
    id,
    title: say(`head.${id}`),
    lines: lines[id].filter((line) => typeof line === 'string'),
    pairs: pairs[id] ?? [],
  })).filter(({ lines, pairs }) => lines.length + pairs.length > 0)
}

function sentences(book: RuleBook, say: Say, w: Words): Record<SectionId, Lines> {
  const { profile } = book
  const { id, version } = profile
  return {
    table: before.table(profile, say),
    cards: before.cards(book, say, w),
    deal: before.deal(profile, say),
    sitter: before.sitter(profile, say),
    auction: before.auction(profile, say),
    talon: before.talon(profile, say),
    concession: before.concession(profile, say),
    void: before.voids(profile, say),
    play: from.play(profile, say),
    melds: from.melds(profile, say),
    score: from.score(profile, say),
    example: from.example(book, say),
    bolts: from.bolts(profile, say),
    barrel: from.barrel(profile, say),
    lock: from.lock(profile, say),
    end: from.end(profile, say),
    house: Object.keys(profile.chosen).length > 0 ? [] : [say('house.none')],
    differ: [],
    tips: tips(profile, say),
    terms: [],
    about: [
      say('about.time'),
      say('about.nobody'),
      say('about.source'),
      say('about.ours'),
      say('about.version', { id, version }),
    ],
    family: FAMILY.map((key) => say(key)),
  }
}

const FAMILY = ['family.origin', 'family.countries', 'family.kin', 'family.russeln'] as const

/** Each source's own advice; those of the Russian and Polish rules have none. */
const TIPS: Partial<Record<Profile['terms'], readonly RuleKey[]>> = {
  de: ['tips.de.pairs', 'tips.de.tricks', 'tips.de.give', 'tips.de.together', 'tips.de.watch'],
  no: [
    'tips.no.low',
    'tips.no.ten',
    'tips.no.pairs',
    'tips.no.together',
    'tips.no.barrel',
    'tips.no.nines',
  ],
  '1001': ['tips.1001.queen', 'tips.1001.two'],
}

function tips({ terms }: Profile, say: Say): Lines {
  return (TIPS[terms] ?? []).map((key) => say(key))
}

const TERMS = ['talon', 'marriage', 'bolt', 'barrel', 'concession'] as const

function tables(
  { profile, ranks }: RuleBook,
  say: Say,
  w: Words,
): Partial<Record<SectionId, readonly Pair[]>> {
  const { meld, chosen, terms } = profile
  const suits: [string, number][] = [
    [say('suit.H'), meld.hearts],
    [say('suit.D'), meld.diamonds],
    [say('suit.C'), meld.clubs],
    [say('suit.S'), meld.spades],
  ]
  suits.sort(([, one], [, other]) => other - one)
  return {
    cards: ranks.map(({ rank, points }) => [w.say(`rank.${rank}`), `${points}`]),
    melds: suits.map(([suit, worth]) => [suit, `${worth}`]),
    house: Object.entries(chosen).map(([key, value]) => [
      ruleName(w, key, terms),
      valueName(w, value),
    ]),
    differ: differences(profile, say),
    terms: TERMS.map((term) => [say(`terms.${term}`), say(`terms.${term}Is`)]),
  }
}
