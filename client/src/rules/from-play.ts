/** The rules from the first lead to the end of a game, as sentences: every number stands in the profile. */

import type { Profile, RuleBook } from '../protocol.gen'
import type { Lines } from './section'
import type { Say } from './words'

export function play({ auction, play: rules, scoring }: Profile, say: Say): Lines {
  return [
    say(auction ? 'play.declarer' : 'play.forehand'),
    say('play.follow'),
    say(rules.must_trump ? 'play.mustTrump' : 'play.mayTrump'),
    say(rules.must_beat ? 'play.mustBeat' : 'play.mayBeat'),
    say('play.wins'),
    say(scoring.running_points ? 'play.points' : 'play.ownPoints'),
  ]
}

export function melds({ meld }: Profile, say: Say): Lines {
  const above = meld.locked_above
  return [
    say('melds.when'),
    say(meld.first_lead ? 'melds.firstLead' : 'melds.notFirst'),
    say('melds.trump'),
    meld.must_rise && say('melds.rise'),
    meld.needs_trick && say('melds.trick'),
    above !== null && say('melds.locked', { above }),
    say('melds.spoilt'),
    meld.four_aces > 0 && say('melds.aces', { points: meld.four_aces }),
    say('melds.worth'),
  ]
}

export function score({ auction, scoring }: Profile, say: Say): Lines {
  const { rounding, virgin, reset_at } = scoring
  const others = auction ? say('score.othersExact') : say('score.everybody')
  return [
    auction && say('score.raw'),
    auction && say(scoring.declarer_writes === 'contract' ? 'score.contract' : 'score.points'),
    scoring.tens ? say('score.tens') : rounding > 1 ? say('score.others', { rounding }) : others,
    virgin > 0 && say('score.virgin', { points: virgin }),
    reset_at !== null && say('score.reset', { at: reset_at }),
    auction && say('score.negative'),
  ]
}

export function example({ example: worked }: RuleBook, say: Say): Lines {
  const { suit, meld, contract, missed } = worked
  const [first, ...others] = worked.shares
  if (!first) return []
  const sums = { suit, meld, ...first }
  return [
    contract === null
      ? say('example.player', sums)
      : say('example.declarer', { contract, ...sums }),
    missed !== null && say('example.missed', { missed }),
    ...others.map(({ raw, written }) => say('example.other', { raw, written })),
  ]
}

export function bolts({ bolts: rules, barrel }: Profile, say: Say): Lines {
  if (!rules) return []
  const { limit, cost } = rules
  return [say('bolts.strike'), say('bolts.cost', { limit, cost }), barrel && say('bolts.barrel')]
}

export function barrel({ barrel: rules, scoring }: Profile, say: Say): Lines {
  if (!rules) return []
  const { at, deals, fall, zero_after_falls: falls } = rules
  const { target } = scoring
  return [
    say('barrel.at', { at, last: target - 1 }),
    say('barrel.only', { target }),
    say('barrel.fails'),
    say('barrel.fall', { deals, fall, to: at - fall }),
    falls !== null && say('barrel.zero', { falls }),
    rules.one_at_a_time && say('barrel.one'),
    say('barrel.jump', { target }),
  ]
}

export function lock({ lock: rules }: Profile, say: Say): Lines {
  return rules ? [say('lock.at', { at: rules.at }), say('lock.free')] : []
}

export function end({ auction, scoring }: Profile, say: Say): Lines {
  return [
    say('end.target', { target: scoring.target }),
    say(auction && scoring.declarer_wins_first ? 'end.declarer' : 'end.highest'),
    say(scoring.ties === 'share' ? 'end.share' : 'end.playOn'),
  ]
}
