/** Where each pencil stroke of a number stands. A one is narrow: it starts further left and takes less room. */

const WIDE = 18.5
const ONE = { shift: -3.5, width: 12 }

export interface Stroke {
  id: string
  x: number
}

/** Glyphs for digits, `+`, `-` and `−`, on a line 30 units high. */
export function pencil(text: string): { strokes: Stroke[]; width: number } {
  const strokes: Stroke[] = []
  let at = 0
  for (const sign of text) {
    const id = glyph(sign)
    if (id === null) continue
    strokes.push({ id, x: sign === '1' ? at + ONE.shift : at })
    at += sign === '1' ? ONE.width : WIDE
  }
  return { strokes, width: at + 2 }
}

/** A change of score, with its sign. Nothing written is a plain 0. */
export function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value)
}

function glyph(sign: string): string | null {
  if (sign >= '0' && sign <= '9') return `n${sign}`
  if (sign === '+') return 'np'
  return sign === '-' || sign === '−' ? 'nm' : null
}
