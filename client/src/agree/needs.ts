/** Whose consent a thing needs, in words. */

import type { PlayerView, ProposalView, Seat } from '../protocol.gen'
import type { Words } from '../words.svelte'
import { saying } from './words'

/** Everybody who sits and would be asked: neither who asks nor whom it is about. */
export function askedOf(
  players: readonly (PlayerView | null)[],
  ...silent: readonly (Seat | null)[]
): string[] {
  return players.flatMap((player, seat) => (player && !silent.includes(seat) ? player.name : []))
}

/** `Ben or Carla has to agree`; `about` is the player whom it concerns. */
export function needs(
  names: readonly string[],
  enough: ProposalView['enough'],
  about: string | null,
  w: Words,
): string {
  const say = saying(w)
  if (names.length === 0)
    return about === null ? say('needs.alone') : say('needs.absent', { name: about })
  if (enough === 'one') return say('needs.one', { names: anyOf(names, w) })
  return say('needs.all', { count: names.length, names: w.list(names) })
}

/** For whom it waits still; or that it happens by itself, unless somebody refuses. */
export function waitsFor(
  { asked, agreed, enough, counts }: Pick<ProposalView, 'asked' | 'agreed' | 'enough' | 'counts'>,
  name: (seat: Seat) => string,
  w: Words,
): string {
  if (counts !== null) return saying(w)('waits.refusal', { names: w.list(agreed.map(name)) })
  const names = asked.filter((seat) => !agreed.includes(seat)).map(name)
  if (names.length === 0) return saying(w)('waits.nobody')
  return saying(w)('waits.for', { names: enough === 'one' ? anyOf(names, w) : w.list(names) })
}

function anyOf(names: readonly string[], w: Words): string {
  return new Intl.ListFormat(w.language, { type: 'disjunction' }).format(names)
}
