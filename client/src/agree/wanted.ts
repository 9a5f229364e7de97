/** What somebody wants of the others, in one sentence, and what it would mean. */

import { camel } from '../camel'
import type { Glimpse, ProposalView, Seat } from '../protocol.gen'
import { parts, type Values, type Words } from '../words.svelte'
import { decision } from './returned'
import { saying, type AgreeKey } from './words'

export type Naming = (seat: Seat) => string

type Chair = Pick<ProposalView, 'seat' | 'name'>

/** `Ben would like to take back the ten of hearts`; `me` is spoken to. */
export function wanted(
  proposal: ProposalView,
  name: Naming,
  w: Words,
  me: Seat | null = null,
): string {
  const values = {
    name: proposal.by === null ? '' : name(proposal.by),
    chair: chair(proposal, name),
  }
  if (proposal.kind === 'kick' && me !== null && proposal.seat === me)
    return saying(w)('wants.kickMine', values)
  if (proposal.kind !== 'take_back') return saying(w)(`wants.${camel(proposal.kind)}`, values)
  return aboutDecision('wants', decision(proposal.returns), values, w)
}

/** `Take back the ten of hearts?` */
export function asking(returns: readonly Glimpse[], w: Words): string {
  return aboutDecision('back', decision(returns), {}, w)
}

/** What comes of it if the others agree. A take-back is shown instead. */
export function meaning(proposal: ProposalView, name: Naming, w: Words): string {
  if (proposal.kind === 'take_back') return ''
  return saying(w)(`means.${camel(proposal.kind)}`, { chair: chair(proposal, name) })
}

/** Whose chair it is about: who sits there, or would. */
export function chair({ seat, name }: Chair, naming: Naming): string {
  return name || (seat === null ? '' : naming(seat))
}

function aboutDecision(
  about: 'wants' | 'back',
  seen: Glimpse | undefined,
  values: Values,
  w: Words,
): string {
  const say = (what: 'card' | 'call' | 'pass' | 'contract' | 'takeBack', more: Values = {}) =>
    saying(w)(`${about}.${what}` satisfies AgreeKey, { ...values, ...more })
  switch (seen?.type) {
    case 'card_played':
      return say('card', parts(seen.card))
    case 'bid_placed':
      return say('call', { points: seen.points })
    case 'passed':
      return say('pass')
    case 'contract_set':
      return say('contract', { points: seen.points })
    default:
      return say('takeBack')
  }
}
