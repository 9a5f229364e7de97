/** Which part of the start page an address means: its games, one of them, or just the page. */

import { readCode } from '../start/code'

export interface GameName {
  code: string
  number: number
}

export const GAMES = '#games'

/** A game's own address. */
export function addressOf({ code, number }: GameName): string {
  return `/#${code}-${number}`
}

/** The game that the fragment of an address names, if it does. */
export function gameIn(fragment: string): GameName | null {
  const [, letters, digits] = /^#([a-z]{4})-([1-9]\d{0,4})$/i.exec(fragment) ?? []
  if (!letters || !digits) return null
  const { code, odd } = readCode(letters)
  return odd ? null : { code, number: Number(digits) }
}
