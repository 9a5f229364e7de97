/** The rules up to the first lead, as sentences: every number stands in the profile. */

import type { Profile, RuleBook } from '../protocol.gen'
import type { Words } from '../words.svelte'
import type { Lines } from './section'
import type { Say } from './words'

export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((all, one) => all + one, 0)

/** Players who get cards in a deal. */
export function active({ table }: Profile): number {
  return table.players - (table.sitter === null ? 0 : 1)
}

export function packSize(profile: Profile): number {
  const { packets, talon_after } = profile.dealing
  return sum(packets) * active(profile) + sum(talon_after)
}

export function table(profile: Profile, say: Say): Lines {
  const { players, direction } = profile.table
  const counter = direction === 'counterclockwise'
  const two = active(profile) === 2
  return [
    say('table.players', { players }),
    !two && say(counter ? 'table.counter' : 'table.clockwise'),
    say(two ? 'table.forehandTwo' : counter ? 'table.forehandCounter' : 'table.forehand'),
    say('table.dealer'),
  ]
}

export function cards({ profile, total }: RuleBook, say: Say, w: Words): Lines {
  const { lowest, without } = profile.pack
  return [
    say('cards.pack', { count: packSize(profile), lowest }),
    without.length > 0 && say('cards.without', { cards: w.list(without.map(w.card)) }),
    say('cards.total', { total }),
    say('cards.order'),
  ]
}

export function deal({ dealing }: Profile, say: Say): Lines {
  const { packets, talon_after, talons } = dealing
  const hand = sum(packets)
  const talon = sum(talon_after)
  const after = talon_after.join('-')
  return [
    packets.every((cards) => cards === 1)
      ? say('deal.single', { hand })
      : say('deal.packets', { hand, packets: packets.join('-') }),
    talon > 0 && talons === 1 && say('deal.talon', { talon, after }),
    talons > 1 && say('deal.talons', { talon, talons, each: talon / talons, after }),
  ]
}

export function sitter(profile: Profile, say: Say): Lines {
  const { table, sitter_income, barrel, lock } = profile
  if (table.sitter === null) return []
  const income = sitter_income
  return [
    say(`sitter.${table.sitter}`, { players: table.players, active: active(profile) }),
    income
      ? say(income.pairs ? 'sitter.incomePairs' : 'sitter.income', { ace: income.per_ace })
      : say('sitter.noIncome'),
    income && barrel && say('sitter.barrel'),
    income && lock && say('sitter.lock'),
  ]
}

export function auction({ auction: rules }: Profile, say: Say): Lines {
  if (!rules) return [say('auction.none')]
  const { opening, step, free_up_to: free, ceiling } = rules
  return [
    say(rules.must_open ? 'auction.mustOpen' : 'auction.mayPass', { opening }),
    say('auction.step', { step }),
    free !== null && say('auction.pair', { free }),
    rules.ceiling_by_pairs && free !== null
      ? say('auction.byPairs', { free, ceiling })
      : say('auction.ceiling', { ceiling }),
    say('auction.declarer'),
  ]
}

export function talon({ auction, exchange, dealing }: Profile, say: Say): Lines {
  if (!exchange || !auction) return []
  const { talons } = dealing
  const count = sum(dealing.talon_after) / talons
  const seconds = exchange.discard_seconds
  const shown = exchange.talon_shown ? say('talon.shown') : say('talon.hidden')
  const unused = { last_trick: 'lastTrick', declarer: 'declarer', nobody: 'nobody' } as const
  const gives = exchange.then === 'give'
  return [
    talons > 1 ? say('talon.pick', { talons }) : shown,
    exchange.hidden_at_opening && say('talon.atOpening', { opening: auction.opening }),
    gives ? say('talon.give') : say('talon.layAway', { count }),
    seconds > 0 && say('talon.clock', { seconds, cost: exchange.forgetting_costs }),
    say(exchange.raise_contract ? 'talon.raise' : 'talon.noRaise'),
    !gives && say(`talon.${unused[exchange.unused_points]}`),
  ]
}

export function concession({ concession: rules, barrel }: Profile, say: Say): Lines {
  if (!rules) return []
  const { costly, cost, limit, pays } = rules
  return [
    rules.pays_half ? say('concession.half') : say('concession.pays', { pays }),
    costly !== null && say('concession.costly', { count: costly - 1, cost }),
    limit !== null && say('concession.limit', { count: limit }),
    barrel && say('concession.barrel'),
    say('concession.counts'),
  ]
}

export function voids({ redeal }: Profile, say: Say): Lines {
  if (!redeal || (!redeal.four_nines && redeal.weak_talon_below === 0)) return []
  return [
    redeal.four_nines && say('void.nines'),
    redeal.weak_talon_below > 0 && say('void.weak', { points: redeal.weak_talon_below }),
    say('void.again'),
  ]
}
