/** What a page of rules is made of. */

export const SECTIONS = [
  'table',
  'cards',
  'deal',
  'sitter',
  'auction',
  'talon',
  'concession',
  'void',
  'play',
  'melds',
  'score',
  'example',
  'bolts',
  'barrel',
  'lock',
  'end',
  'house',
  'differ',
  'tips',
  'terms',
  'about',
  'family',
] as const

export type SectionId = (typeof SECTIONS)[number]

/** A paragraph's sentences; what a profile does not have is left out. */
export type Lines = readonly (string | false | null | undefined)[]

/** A name and what it is worth or means. */
export type Pair = readonly [string, string]

export interface Section {
  id: SectionId
  title: string
  lines: readonly string[]
  pairs: readonly Pair[]
}
