/** To which paragraph a refusal leads. */

import type { Reason } from '../protocol.gen'
import type { SectionId } from './section'

const WHERE: Partial<Record<Reason, SectionId>> = {
  'bid-too-low': 'auction',
  'bid-off-step': 'auction',
  'bid-needs-marriage': 'auction',
  'bid-too-high': 'auction',
  'must-open': 'auction',
  'wrong-cards': 'talon',
  'contract-too-low': 'talon',
  'concede-not-now': 'concession',
  'concede-on-barrel': 'concession',
  'concede-limit': 'concession',
  'no-four-nines': 'void',
  'must-follow-suit': 'play',
  'must-trump': 'play',
  'must-beat': 'play',
  'no-marriage': 'melds',
  'meld-not-now': 'melds',
  'meld-must-rise': 'melds',
  'meld-locked': 'melds',
}

export function paragraphOf(reason: Reason | null): SectionId | null {
  return reason === null ? null : (WHERE[reason] ?? null)
}
