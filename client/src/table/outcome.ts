/** How a deal ended, as one sentence. */

import type { DealScored, Seat } from '../protocol.gen'
import type { Say } from './words'

export function outcomeTold(deal: DealScored, name: (seat: Seat) => string, say: Say): string {
  const values = { name: name(deal.declarer ?? 0), points: deal.contract ?? 0 }
  if (deal.outcome === 'thrown_in') return say('thrownIn')
  if (deal.outcome === 'conceded') return say('conceded', values)
  if (deal.outcome === 'forgotten') return say('forgotten', values)
  if (deal.made === null) return say('noDeclarer', { number: deal.number })
  return say(deal.made ? 'made' : 'failed', values)
}
