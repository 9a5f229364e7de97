/** What the server answers about an evening. */

import { ask, type Answer } from '../house'
import type { Evening } from '../protocol.gen'

export function askEvening(code: string): Promise<Answer<Evening>> {
  return ask(`/api/rooms/${code}/evening`)
}
