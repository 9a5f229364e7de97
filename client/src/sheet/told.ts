/** What stands under a number, in words: the steps of its sum and what else changed. */

import { camel } from '../camel'
import type { Line } from '../protocol.gen'
import type { Words } from '../words.svelte'
import { change, printed, type Note, type Step, type Sum } from './sum'

/** A sentence for each step and note of `sum`. `barrelDeals`: how many the rules give. */
export function told(w: Words, sum: Sum, line: Line, barrelDeals: number | null): string[] {
  return [
    ...sum.steps.map((step) => stepTold(w, step)),
    ...sum.notes.map((note) => noteTold(w, note, line, barrelDeals ?? 0)),
  ]
}

function stepTold(w: Words, { cause, points, from, to }: Step): string {
  return w.say(`sheet.cause.${camel(cause)}`, {
    points: change(points),
    less: Math.abs(points),
    from: printed(from),
    to: printed(to),
  })
}

function noteTold(w: Words, note: Note, { after }: Line, of: number): string {
  if (note === 'counted') return w.say('sheet.note.counted', { count: after.barrel ?? 0, of })
  return w.say(`sheet.note.${note}`, { count: after.concessions })
}
