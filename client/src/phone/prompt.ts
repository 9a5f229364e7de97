/** What the phone asks for, and the reason at its right. */

import { suitOf } from '../cards/card'
import type { GameView, PhaseView, Reason, Seat } from '../protocol.gen'
import type { Words } from '../words.svelte'

export interface Ask {
  title: string
  reason?: string
}

/** A phase of a running deal. */
export type Running = Exclude<PhaseView, { type: 'between' | 'over' }>

/** One short statement: whose move it is and which. */
export function title(game: GameView, phase: Running, me: Seat, name: string, w: Words): string {
  const mine = game.turn === me
  if (game.sitter === me && phase.type === 'auction') return w.say('phone.ask.out')
  switch (phase.type) {
    case 'auction':
      return mine ? w.say('phone.ask.call') : w.say('phone.ask.speaks', { name })
    case 'talon':
      return mine ? w.say('phone.ask.turn') : w.say('phone.ask.turns', { name })
    case 'exchange':
      if (!mine)
        return game.order.length > 2
          ? w.say('phone.ask.gives', { name })
          : w.say('phone.ask.awaits', { name })
      return game.may.lay_away > 0
        ? w.say('phone.ask.away', { count: game.may.lay_away })
        : w.say('phone.ask.give')
    case 'contract':
      return mine ? w.say('phone.ask.contract') : w.say('phone.ask.contracts', { name })
    case 'play':
      if (phase.trick.length === 0)
        return mine ? w.say('phone.ask.lead') : w.say('phone.ask.leads', { name })
      return mine ? w.say('phone.ask.play') : w.say('phone.ask.plays', { name })
    default:
      return phase satisfies never
  }
}

/** Why some cards cannot be laid, in the terms of this trick. */
export function barredNote(game: GameView, why: Reason | null, w: Words): string | undefined {
  const reason = why ?? game.may.barred[0]?.reason
  const led = game.phase.type === 'play' ? game.phase.trick[0]?.card : undefined
  if (!reason) return undefined
  if (led && reason === 'must-follow-suit') return w.say('phone.note.follow', { suit: suitOf(led) })
  if (led && reason === 'must-trump') return w.say('phone.note.trump', { suit: suitOf(led) })
  if (reason === 'must-beat') return w.say('phone.note.beat')
  return w.say(`reason.${reason}`)
}
