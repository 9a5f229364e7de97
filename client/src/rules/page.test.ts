import { beforeAll, describe, expect, test } from 'vitest'
import type { Profile, RuleBook } from '../protocol.gen'
import { Words } from '../words.svelte'
import recorded from './books.gen.json'
import { brief, differences } from './brief'
import { page } from './page'
import type { SectionId } from './section'
import { paragraphOf } from './why'
import { learnRules, saying } from './words'

const books = recorded as unknown as readonly RuleBook[]
const LANGUAGES_WRITTEN = ['en', 'de'] as const
const catalogues = import.meta.glob<object>('./words/*.json', { eager: true, import: 'default' })

const speakers = new Map<string, Words>()
beforeAll(async () => {
  for (const language of LANGUAGES_WRITTEN) {
    const words = new Words()
    await words.speak(language)
    await learnRules(words)
    speakers.set(language, words)
  }
})

function speaker(language: string): Words {
  const words = speakers.get(language)
  if (!words) throw new Error(language)
  return words
}

/** What a page says, paragraph by paragraph. */
function told(book: RuleBook, language: string, leaveOut: readonly SectionId[] = []): string {
  const sections = page(book, speaker(language)).filter(({ id }) => !leaveOut.includes(id))
  return sections
    .map(({ title, lines, pairs }) => [title, ...lines, ...pairs.flat()].join('\n'))
    .join('\n\n')
}

const numbersIn = (text: string) => [...text.matchAll(/\d+/g)].map(([found]) => Number(found))

type Path = readonly string[]
type Leaf = readonly [Path, unknown]

function leaves(node: unknown, path: Path = []): Leaf[] {
  if (node === null || typeof node !== 'object') return [[path, node]]
  return Object.entries(node).flatMap(([name, value]) => leaves(value, [...path, name]))
}

function withLeaf(book: RuleBook, path: Path, value: unknown): RuleBook {
  const copy = structuredClone(book)
  let node = copy.profile as unknown as Record<string, unknown>
  for (const name of path.slice(0, -1)) node = node[name] as Record<string, unknown>
  node[path.at(-1) ?? ''] = value
  return copy
}

const find = (id: string): RuleBook => {
  const book = books.find(({ profile }) => profile.id === id)
  if (!book) throw new Error(id)
  return book
}

/** Values that say nothing on a page, or only how another one is said. */
const SILENT = /^(id|source|terms|house_rules|chosen)\b|^exchange\.forgetting_costs$/

/** A number that cannot be the one of any other rule. */
const STRANGE = 1777

describe.each(LANGUAGES_WRITTEN)('in %s', (language) => {
  test('sentences hold no numbers of their own, but for history and the length of a game', () => {
    const text = JSON.stringify(catalogues[`./words/${language}.json`], (key, value: unknown) =>
      ['about', 'family'].includes(key) ? undefined : value,
    )
    const spoken = text.replace(/"[^"]*":/g, '').replace(/{{\w+}}/g, '')

    expect(numbersIn(spoken)).toEqual([])
  })

  test.each(books)('no sentence of $profile.id is missing or half said', (book) => {
    expect(told(book, language)).not.toMatch(/rules\.\w|\$t\(|{{|undefined|NaN/)
    for (const { lines, pairs } of page(book, speaker(language)))
      for (const text of [...lines, ...pairs.flat()]) expect(text).not.toBe('')
  })

  test.each(books)('every number of $profile.id is on its page', (book) => {
    const { profile } = book
    const silent = leaves(profile).filter(
      ([path, value]) =>
        typeof value === 'number' &&
        value > 0 &&
        !SILENT.test(path.join('.')) &&
        told(withLeaf(book, path, STRANGE), language) === told(book, language),
    )

    expect(silent).toEqual(silent.filter(([path]) => unsaid(path, profile)))
  })

  test.each(books)('every number of the page of $profile.id is the profile’s', (book) => {
    const profile = book.profile
    const said = numbersIn(told(book, language, ['about', 'family', 'example', 'terms']))
    const known = new Set(leaves(profile).map(([, value]) => value))
    const { packets, talon_after, talons } = profile.dealing
    const total = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0)
    const playing = profile.table.players - (profile.table.sitter ? 1 : 0)
    const worked = [
      total(packets),
      total(talon_after),
      total(talon_after) / talons,
      playing,
      total(packets) * playing + total(talon_after),
      profile.scoring.target - 1,
      profile.barrel ? profile.barrel.at - profile.barrel.fall : 0,
      profile.concession?.costly ? profile.concession.costly - 1 : 0,
      book.total,
      ...book.ranks.map(({ points }) => points),
      ...book.ranks.map(({ rank }) => Number(speaker(language).say(`rank.${rank}`))),
    ]

    expect(said.filter((number) => !known.has(number) && !worked.includes(number))).toEqual([])
  })

  test.each(books)('every switch of $profile.id can be read', (book) => {
    const unread = leaves(book.profile).filter(
      ([path, value]) =>
        typeof value === 'boolean' &&
        !SILENT.test(path.join('.')) &&
        told(withLeaf(book, path, !value), language) === told(book, language),
    )

    expect(unread.filter(([path]) => !unsaid(path, book.profile))).toEqual([])
  })

  test.each(books)('$profile.id in five lines and five facts', ({ profile }) => {
    const say = saying(speaker(language), profile.terms)

    expect(brief(profile, say).filter((line) => line && !/rules\.|{{/.test(line))).toHaveLength(5)
    expect(new Set(differences(profile, say).map(([name]) => name))).toHaveLength(5)
  })
})

/** Where something else in a profile makes a value say nothing. */
function unsaid(path: Path, { exchange, dealing, scoring, concession }: Profile): boolean {
  const name = path.join('.')
  if (name === 'scoring.rounding') return scoring.rounding === 1
  if (name === 'concession.cost') return concession?.costly === null
  if (name === 'exchange.hidden_at_opening') return exchange === null
  if (name === 'scoring.declarer_wins_first') return exchange === null
  if (name === 'auction.ceiling_by_pairs') return exchange?.raise_contract === false
  return name === 'exchange.talon_shown' && dealing.talons > 1
}

test('a worked score is the one that the engine reckons', () => {
  const example = page(find('de-3'), speaker('en')).find(({ id }) => id === 'example')

  expect(example?.lines).toEqual([
    'You play at 150. 74 points in tricks and diamonds for 80 make 154: the contract is made, you write 150.',
    'At 160 you would have lost 160.',
    'Another player has 32 points and writes 30.',
    'Another player has 14 points and writes 15.',
  ])
})

test('a house rule that is on changes its paragraph and stands in the list', () => {
  const book = withLeaf(find('ru-3'), ['auction', 'step'], 10)
  const changed = { ...book, profile: { ...book.profile, chosen: { step: 10 } } }
  const sections = page(changed, speaker('en'))

  expect(sections.find(({ id }) => id === 'house')?.pairs).toEqual([['Bidding step', '10']])
  expect(sections.find(({ id }) => id === 'auction')?.lines.join()).toContain('a multiple of 10')
})

test('a refusal leads to a paragraph that its rules have', () => {
  const ids = page(find('ru-3'), speaker('en')).map(({ id }) => id)

  expect(ids).toContain(paragraphOf('must-trump'))
  expect(ids).toContain(paragraphOf('concede-on-barrel'))
  expect(paragraphOf('name-empty')).toBeNull()
})
