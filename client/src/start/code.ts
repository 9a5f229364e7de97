/** What somebody types or pastes where a room's code is asked for. */

export const CODE_LETTERS = 'ABCDEFGHKLMNPRTVWXYZ'
export const CODE_LENGTH = 4

export interface Typed {
  code: string
  /** Something was left out, because no code holds it. */
  odd: boolean
}

/** The letters of `text` that can stand in a code, in capitals. Of an address, its first four letters after the host. */
export function readCode(text: string): Typed {
  const path = /^\s*(?:https?:\/\/)?[^/\s]+\/([a-z]{4})\b/i.exec(text)
  const letters = (path?.[1] ?? text).toUpperCase().replace(/[\s\u2013-]/g, '')
  const fitting = [...letters].filter((letter) => CODE_LETTERS.includes(letter))
  return {
    code: fitting.slice(0, CODE_LENGTH).join(''),
    odd: fitting.length < [...letters].length,
  }
}
