/** The phone's screens and slips. Only the one that is shown is fetched at once; the others in a quiet moment after it. */

import { Later } from '../later.svelte'

export const parts = {
  join: new Later(() => import('../lobby/Join.svelte')),
  lobby: new Later(() => import('../lobby/Lobby.svelte')),
  game: new Later(() => import('./GameScreen.svelte')),
  dealSlips: new Later(() => import('./DealSlips.svelte')),
  sheet: new Later(() => import('../sheet/SheetScreen.svelte')),
  won: new Later(() => import('../sheet/Won.svelte')),
  sheetSlip: new Later(() => import('../sheet/SheetSlip.svelte')),
  rules: new Later(() => import('../rules/TableBook.svelte')),
  menu: new Later(() => import('../menu/MenuSlip.svelte')),
}

const QUIET = 1200

/** Fetches what is not here yet, so that a line lost later matters to no screen. */
export function fetchRest(): () => void {
  const timer = setTimeout(async () => {
    for (const part of Object.values(parts)) await part.fetch()
  }, QUIET)
  return () => clearTimeout(timer)
}
