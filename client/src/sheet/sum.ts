/** A line of the sheet as a sum: what was taken, what was written for it, and every later step. Only what the line says is read; nothing is worked out by rules. */

import type { Cause, DealScored, Line } from '../protocol.gen'

export interface Step {
  cause: Cause
  points: number
  /** The total before this step and after it. */
  from: number
  to: number
}

export type Note = 'bolt' | 'mounted' | 'counted' | 'off' | 'sits' | 'free' | 'nothing'

export interface Sum {
  /** `42 + 100 = 142 ≥ 140 → +140`; null where no cards were counted. */
  reckoning: { taken: string; written: string } | null
  steps: readonly Step[]
  notes: readonly Note[]
}

/** Causes that write what was taken in the deal; they end the reckoning. */
const RECKONED: readonly Cause[] = ['contract_made', 'contract_failed', 'points']
const FALLS: readonly Cause[] = ['barrel_fall', 'sent_off']
const MOUNTS: readonly Cause[] = ['barrel_stop']

export function sumOf(line: Line, contract: number | null): Sum {
  const steps = stepsOf(line)
  const first = steps.find(({ cause }) => RECKONED.includes(cause))
  return {
    reckoning: first ? { taken: taken(line, contract), written: change(first.points) } : null,
    // A price of nothing is no step: the notes say that it was free.
    steps: steps.filter((step) => step !== first && step.points !== 0),
    notes: notesOf(line),
  }
}

/** A number with its sign, as it is printed; nothing is a plain 0. */
export function change(points: number): string {
  if (points === 0) return '0'
  return points > 0 ? `+${points}` : `−${-points}`
}

/** A number as it is printed: with a true minus. */
export function printed(points: number): string {
  return points < 0 ? `−${-points}` : String(points)
}

/** What the whole deal changed. */
export function written(line: Line): number {
  return line.after.score - line.before.score
}

/** The last deal's lines are open to their own player first. */
export function openAtFirst(
  deals: readonly DealScored[],
  me: number | null,
): { number: number; seat: number } | null {
  const last = deals.at(-1)
  return last ? { number: last.number, seat: me ?? last.declarer ?? 0 } : null
}

export function caused(line: Line, cause: Cause): boolean {
  return line.changes.some((one) => one.cause === cause)
}

/** Fell off the barrel in this deal, by time or by a newcomer. */
export function fell(line: Line): boolean {
  return FALLS.some((cause) => caused(line, cause))
}

function stepsOf(line: Line): Step[] {
  let total = line.before.score
  return line.changes.map(({ cause, points }) => {
    const from = total
    total += points
    return { cause, points, from, to: total }
  })
}

function taken({ role, cards, melds }: Line, contract: number | null): string {
  const raw = cards + melds
  const sum = melds > 0 ? `${cards} + ${melds} = ${raw}` : String(raw)
  if (role !== 'declarer' || contract === null) return sum
  return `${sum} ${raw >= contract ? '≥' : '<'} ${contract}`
}

function notesOf(line: Line): Note[] {
  const { role, before, after, changes } = line
  const notes: Note[] = []
  if (role === 'sitter') notes.push('sits')
  if (after.bolts > before.bolts) notes.push('bolt')
  if (after.concessions > before.concessions) notes.push('free')
  if (before.barrel === null && after.barrel !== null && !MOUNTS.some((one) => caused(line, one)))
    notes.push('mounted')
  if (before.barrel !== null && after.barrel !== null && after.barrel > before.barrel)
    notes.push('counted')
  if (before.barrel !== null && after.barrel === null && !fell(line)) notes.push('off')
  if (changes.length === 0 && notes.length === 0) notes.push('nothing')
  return notes
}
