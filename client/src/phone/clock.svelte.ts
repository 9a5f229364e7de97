/** The declarer's seconds to lay away, as they run down. */

import { secondsUntil } from '../agree/countdown'

/** Seconds until the deadline that `deadline` tells, null while none runs. To be made in a component. */
export function secondsLeft(deadline: () => number | null): { readonly seconds: number | null } {
  let seconds: number | null = $state(null)
  $effect(() => {
    const end = deadline()
    const look = () => (seconds = end === null ? null : secondsUntil(end, performance.now()))
    look()
    if (end === null) return
    const timer = setInterval(look, 250)
    return () => clearInterval(timer)
  })
  return {
    get seconds() {
      return seconds
    },
  }
}
