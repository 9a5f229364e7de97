/** What became of a proposal, in one short sentence. */

import { camel } from '../camel'
import type { Seat, Settled } from '../protocol.gen'
import type { Words } from '../words.svelte'
import { chair, type Naming } from './wanted'
import { saying } from './words'

/** `Ben would rather not`; `me` is spoken to. */
export function outcome(settled: Settled, me: Seat | null, name: Naming, w: Words): string {
  const say = saying(w)
  const { kind, by, who } = settled
  const mine = by !== null && by === me
  const values = { name: by === null ? '' : name(by), chair: chair(settled, name) }
  switch (settled.outcome) {
    case 'agreed':
      if (kind === 'take_back' && mine) return say('settled.takeBackMine')
      if (CLAIMS.includes(kind) && settled.seat === me) return say('settled.here')
      return say(`settled.${camel(kind)}`, values)
    case 'refused':
      if (who !== null && who === me) return say('settled.refusedMine')
      return say('settled.refused', { name: who === null ? '' : name(who) })
    case 'lapsed':
      return say(TOGETHER.includes(kind) ? 'settled.lapsedAll' : 'settled.lapsed')
    case 'withdrawn':
      if (by === null) return say('settled.gone')
      return mine ? say('settled.withdrawnMine') : say('settled.withdrawn', values)
    case 'overtaken':
      return say('settled.overtaken')
  }
}

/** Kinds that give a chair to this phone, if it is the one that asked. */
const CLAIMS: readonly Settled['kind'][] = ['take_over', 'sit_in']

/** Kinds that need everybody's consent. */
const TOGETHER: readonly Settled['kind'][] = ['take_back', 'void_deal', 'reopen']
