import { expect, test } from 'vitest'
import { bestLanguage, Words } from './words.svelte'

const catalogues = import.meta.glob<Record<string, unknown>>('./words/*.json', {
  eager: true,
  import: 'default',
})
/** What a few screens alone say, in catalogues of their own. */
const books = import.meta.glob<Record<string, unknown>>('./*/words/*.json', {
  eager: true,
  import: 'default',
})
const PLURALS = /_(zero|one|two|few|many|other)$/
const TERMS = /_(ru|pl|de|no|1001)(?=_|$)/

/** Every path to a sentence, with the sentence. */
function sentences(node: Record<string, unknown>, prefix = ''): [string, string][] {
  return Object.entries(node).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [[prefix + name, value] as [string, string]]
      : sentences(value as Record<string, unknown>, `${prefix}${name}.`),
  )
}

function asked(catalogue: Record<string, unknown>): [string, string][] {
  return sentences(catalogue).filter(([path]) => !/(^|\.)forms\./.test(path))
}

const plain = (path: string) => path.replace(PLURALS, '').replace(TERMS, '')
const names = (text: string) => new Set([...text.matchAll(/{{(\w+)}}/g)].map((found) => found[1]))

/** A language with all its catalogues, as it is spoken; one that lacks a catalogue has too few sentences. */
const spoken = Object.fromEntries(
  Object.entries(catalogues).map(([file, catalogue]) => {
    const own = Object.entries(books).filter(([book]) => book.endsWith(file.slice(1)))
    const parts = own.map(([book, sentences]) => {
      const group = book.split('/')[1] ?? ''
      return [group, { ...(catalogue[group] as object), ...sentences }]
    })
    return [file.replace(/.*\/|\.json/g, ''), { ...catalogue, ...Object.fromEntries(parts) }]
  }),
)
const all = Object.entries(spoken)
const english = asked(spoken['en'] ?? {})

test.each(all)('%s has every sentence and none that nobody asks for', (_code, catalogue) => {
  const paths = new Set(asked(catalogue).map(([path]) => plain(path)))

  expect([...paths].sort()).toEqual([...new Set(english.map(([path]) => plain(path)))].sort())
})

test.each(all)('%s has every plural its language makes', (code, catalogue) => {
  const wanted = new Intl.PluralRules(code).resolvedOptions().pluralCategories
  const paths = new Set(sentences(catalogue).map(([path]) => path))
  const counted = [...paths].filter((path) => PLURALS.test(path))

  const missing = counted.flatMap((path) =>
    wanted.map((form) => path.replace(PLURALS, `_${form}`)).filter((form) => !paths.has(form)),
  )

  expect([...new Set(missing)]).toEqual([])
})

test.each(all)('%s names only values that the screens hand over', (_code, catalogue) => {
  const given = new Map<string, Set<string | undefined>>()
  for (const [path, text] of english) {
    given.set(plain(path), new Set([...(given.get(plain(path)) ?? []), ...names(text)]))
  }

  const unknown = asked(catalogue).flatMap(([path, text]) =>
    [...names(text)]
      .filter((name) => !given.get(plain(path))?.has(name))
      .map((name) => [path, name]),
  )

  expect(unknown).toEqual([])
})

test('cards are named in the reader’s grammar, faces in the reader’s letters', async () => {
  const words = new Words()

  await words.speak('en')
  expect([words.card('HK'), words.card(null), words.say('rank.J')]).toEqual([
    'king of hearts',
    'face down',
    'J',
  ])
  await words.speak('de')
  expect([words.card('HK'), words.say('rank.J'), words.say('rank.T')]).toEqual([
    'Herz‑König',
    'B',
    '10',
  ])
})

test('the table’s things are called as its rules call them', async () => {
  const words = new Words()
  const said: string[] = []

  for (const language of ['en', 'de']) {
    await words.speak(language)
    for (const terms of ['ru', 'de', 'no'] as const) {
      words.terms = terms
      said.push(words.say('talon.take'))
    }
  }

  expect(said).toEqual([
    'Take the prikup',
    'Take the widow',
    'Take the talon',
    'Den Prikup aufnehmen',
    'Die Witwe aufnehmen',
    'Den Talon aufnehmen',
  ])
})

test('numbers choose their plural', async () => {
  const words = new Words()
  await words.speak('en')

  expect([0, 1, 2].map((count) => words.say('count.tricks', { count }))).toEqual([
    '0 tricks',
    '1 trick',
    '2 tricks',
  ])
})

test('a name is text and nothing else', async () => {
  const words = new Words()
  await words.speak('en')

  const said = words.say('barrel.deals', { count: 1, of: '<b> $t(name) {{count}} & co' })

  expect(said.replaceAll('\u2060', '')).toContain('of <b> $t(name) {{count}} & co')
})

test.each([
  [['de-AT', 'en'], 'de'],
  [['fr', 'de'], 'de'],
  [['fr'], 'en'],
  [[], 'en'],
])('a reader of %j gets %s', (wished, language) => {
  expect(bestLanguage(wished)).toBe(language)
})
