/** The words of one page: one catalogue in memory, swapped whole when the language changes. */

import i18next, { type i18n, type TFunction } from 'i18next'
import { createContext } from 'svelte'
import { rankOf, suitOf, type CardCode } from './cards/card'
import type lobby from './lobby/words/en.json'
import type menu from './menu/words/en.json'
import type phone from './phone/words/en.json'
import type sheet from './sheet/words/en.json'
import type start from './start/words/en.json'
import type en from './words/en.json'

/** Some screens bring a group of their own; it is learnt before they are drawn, and said like all others. */
type Catalogue = typeof en & {
  lobby: typeof lobby
  menu: typeof menu
  phone: typeof phone
  sheet: typeof sheet
  start: typeof start
}

/** Dotted paths to the sentences. `forms` is each catalogue's own grammar; no component names it. */
export type Path<Node, Prefix extends string = ''> = {
  [Name in keyof Node & string]: Node[Name] extends string
    ? `${Prefix}${Name}`
    : Path<Node[Name], `${Prefix}${Name}.`>
}[keyof Node & string]

/** Plural and term suffixes are chosen at run time: `cards_one`, `cards_other` are asked for as `cards`. */
export type Plain<Key extends string> = Key extends `${infer Base}_${string}` ? Base : Key

export type Key = Plain<Path<Omit<Catalogue, 'forms'>>>
export type Values = Record<string, string | number>

export type Book = (language: string) => Promise<object>

/** The catalogue of each language, out of all files of one folder. */
export function bookOf(files: Record<string, () => Promise<unknown>>): Book {
  return async (language) => {
    const load = files[`./words/${language}.json`]
    if (!load) throw new Error(`no catalogue for ${language}`)
    return (await load()) as object
  }
}

const main = bookOf(import.meta.glob('./words/*.json', { import: 'default' }))

export class Words {
  language = $state('en')
  /** By whose words the table calls its own things; the rule profile says so. */
  terms = $state('ru')
  #t: TFunction = $state.raw((() => '') as unknown as TFunction)
  readonly #engine: i18n = engine()
  #wanted = ''
  readonly #books = new Map<string, Book>()

  /** Fetches the catalogue and then speaks it; the last language asked for wins. */
  async speak(language: string): Promise<void> {
    this.#wanted = language
    this.#engine.addResourceBundle(language, 'translation', await main(language))
    await Promise.all([...this.#books].map(([name, load]) => this.#add(language, name, load)))
    if (this.#wanted !== language) return
    this.#t = this.#engine.getFixedT(language)
    this.language = language
  }

  /** Sentences that most pages never say, below `name`; from now on in every language spoken. */
  async learn(name: string, load: Book): Promise<void> {
    this.#books.set(name, load)
    await this.#add(this.language, name, load)
  }

  async #add(language: string, name: string, load: Book): Promise<void> {
    this.#engine.addResourceBundle(language, 'translation', { [name]: await load(language) }, true)
  }

  readonly say = (key: Key, values: Values = {}): string =>
    this.#t(key, { context: this.terms, ...values }) as string

  /** As the reader's own country writes the language that is spoken. */
  get locales(): string[] {
    return [...navigator.languages.filter((tag) => tag.startsWith(this.language)), this.language]
  }

  /** Names in one sentence, joined as the language does. */
  readonly list = (names: readonly string[]): string =>
    new Intl.ListFormat(this.language, { type: 'conjunction' }).format(names)

  /** A card's name, for those who hear it; `null` lies face down. */
  readonly card = (card: CardCode | null): string =>
    card ? this.say('card.name', parts(card)) : this.say('card.back')
}

export const [words, provideWords] = createContext<Words>()

/** What a sentence about a card is built from: `{{rank}}` and `{{suit}}`. */
export function parts(card: CardCode): { rank: string; suit: string } {
  return { rank: rankOf(card), suit: suitOf(card) }
}

/** The first language of the reader that has a catalogue. */
export function bestLanguage(wished: readonly string[]): string {
  const known = (tag: string) => (NORWEGIAN.has(tag) ? 'nb' : tag) in LANGUAGES
  const tags = wished.map((tag) => tag.toLowerCase().split('-')[0] ?? '')
  const best = tags.find(known) ?? 'en'
  return NORWEGIAN.has(best) ? 'nb' : best
}

const NORWEGIAN = new Set(['no', 'nn'])

function engine(): i18n {
  const made = i18next.createInstance()
  void made.init({
    initAsync: false,
    fallbackLng: false,
    resources: {},
    interpolation: {
      // Svelte escapes for HTML; here only names must not be read as a reference to another sentence.
      escapeValue: true,
      escape: (text: string) => text.replaceAll('$t(', '$t\u2060('),
    },
  })
  return made
}
