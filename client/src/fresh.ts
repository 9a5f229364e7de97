/** A page that is older than its server loads itself again: once for each build, so that it cannot go round in circles. */

import { PROTOCOL, type Welcome } from './protocol.gen'

/** More reloads than that in one tab help nobody. */
const MOST = 3

/** The builds for which this tab was loaded again. It stays with the tab's entry in the history, where storage may be refused. */
interface Marked {
  loadedFor?: string[]
}

/** True if the server is of another build than this page, and the page was loaded again for that in vain. */
export function reloadOnce(
  build: string,
  now: Welcome,
  { history, location }: Pick<Window, 'history' | 'location'> = globalThis,
): boolean {
  if (now.protocol === PROTOCOL && build === now.build) return false
  const marked = history.state as Marked | null
  const before = marked?.loadedFor ?? []
  if (before.includes(now.build) || before.length >= MOST) return true
  history.replaceState({ ...marked, loadedFor: [...before, now.build] }, '')
  location.reload()
  return false
}
