/** A set of rules in five lines, and the five points on which the sources of the game differ. */

import type { Profile } from '../protocol.gen'
import { active, sum } from './before-play'
import type { Pair } from './section'
import type { Say } from './words'

export function brief(profile: Profile, say: Say): readonly string[] {
  const { auction, meld } = profile
  const worth = [meld.spades, meld.hearts, meld.diamonds, meld.clubs]
  return [
    seats(profile, say),
    auction
      ? say('brief.auction', { opening: auction.opening, step: auction.step })
      : say('brief.noAuction'),
    talon(profile, say),
    say('brief.melds', { least: Math.min(...worth), most: Math.max(...worth) }),
    goal(profile, say),
  ]
}

function seats(profile: Profile, say: Say): string {
  const { players, direction, sitter } = profile.table
  const counter = direction === 'counterclockwise'
  const values = { players, active: active(profile), hand: sum(profile.dealing.packets) }
  if (sitter === null) return say(counter ? 'brief.counter' : 'brief.cards', values)
  return say(counter ? 'brief.sitsCounter' : 'brief.sits', values)
}

function talon({ dealing, exchange }: Profile, say: Say): string {
  const { talons } = dealing
  const cards = sum(dealing.talon_after)
  if (!exchange) return say('brief.noTalon')
  if (talons > 1) return say('brief.pick', { talons, away: cards / talons })
  return say(exchange.then === 'give' ? 'brief.give' : 'brief.layAway', { talon: cards })
}

function goal({ barrel, lock, scoring }: Profile, say: Say): string {
  const { target } = scoring
  if (barrel) return say('brief.barrel', { target, at: barrel.at })
  return lock ? say('brief.lock', { target, at: lock.at }) : say('brief.end', { target })
}

export function differences(profile: Profile, say: Say): readonly Pair[] {
  const { auction, meld, barrel, lock } = profile
  const above = meld.locked_above
  return [
    [
      say('differ.step'),
      auction ? say('differ.by', { step: auction.step }) : say('differ.noAuction'),
    ],
    [say('differ.rounding'), rounding(profile, say)],
    [say('differ.limit'), limit(profile, say)],
    [
      say('differ.zone'),
      barrel
        ? say('differ.barrel', { at: barrel.at })
        : lock
          ? say('differ.lock', { at: lock.at })
          : above !== null
            ? say('differ.melds', { above })
            : say('differ.none'),
    ],
    [say('differ.failed'), say(auction ? 'differ.costs' : 'differ.noAuction')],
  ]
}

function rounding({ scoring }: Profile, say: Say): string {
  if (scoring.tens) return say('differ.tenth')
  return scoring.rounding > 1
    ? say('differ.nearest', { rounding: scoring.rounding })
    : say('differ.exact')
}

function limit({ auction }: Profile, say: Say): string {
  if (!auction) return say('differ.noAuction')
  const { ceiling, free_up_to: free } = auction
  if (free === null) return say('differ.ceiling', { ceiling })
  return auction.ceiling_by_pairs
    ? say('differ.byPairs', { free })
    : say('differ.withPair', { ceiling, free })
}
