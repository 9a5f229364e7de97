/** Where the lines of the chart run: totals after each deal, in pixels. */

import type { SheetView } from '../protocol.gen'

export interface Frame {
  width: number
  height: number
  target: number
  mark: number | null
}

export interface ChartLine {
  seat: number
  totals: readonly number[]
  path: string
  /** Where the last total stands, and where its name fits without touching another. */
  end: number
  label: number
}

export interface Chart {
  lines: readonly ChartLine[]
  zero: number
  target: number
  mark: number | null
}

/** Room above the target line for its number. */
const HEAD = 18
const FOOT = 6
const LABEL = 20

export function chart(
  sheet: Pick<SheetView, 'deals'>,
  { width, height, target, mark }: Frame,
): Chart {
  const rows = totals(sheet)
  const all = rows.flat()
  const low = Math.min(0, ...all)
  const high = Math.max(target, ...all)
  const y = (score: number) =>
    round(HEAD + ((high - score) / (high - low)) * (height - HEAD - FOOT))
  const deals = Math.max(1, (rows[0]?.length ?? 1) - 1)
  const x = (at: number) => round((at / deals) * width)
  const ends = rows.map((row) => y(row.at(-1) ?? 0))
  const labels = apart(ends, LABEL, height)
  return {
    zero: y(0),
    target: y(target),
    mark: mark === null ? null : y(mark),
    lines: rows.map((row, seat) => ({
      seat,
      totals: row,
      path: row.map((score, at) => `${at === 0 ? 'M' : 'L'}${x(at)} ${y(score)}`).join(''),
      end: ends[seat] ?? 0,
      label: labels[seat] ?? 0,
    })),
  }
}

/** By seat: the total before the first deal, then after each. */
export function totals({ deals }: Pick<SheetView, 'deals'>): number[][] {
  return (deals[0]?.lines ?? []).map((first, seat) => [
    first.before.score,
    ...deals.map((deal) => deal.lines[seat]?.after.score ?? 0),
  ])
}

/** The nearest places to `wished` that keep `gap` between them and stay above `bottom`. */
export function apart(wished: readonly number[], gap: number, bottom: number): number[] {
  const order = wished.map((_, at) => at).sort((a, b) => (wished[a] ?? 0) - (wished[b] ?? 0))
  const places = [...wished]
  let least = gap / 2
  for (const at of order) {
    places[at] = Math.max(wished[at] ?? 0, least)
    least = (places[at] ?? 0) + gap
  }
  let most = bottom - gap / 2
  for (const at of [...order].reverse()) {
    places[at] = Math.min(places[at] ?? 0, most)
    most = (places[at] ?? 0) - gap
  }
  return places
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
