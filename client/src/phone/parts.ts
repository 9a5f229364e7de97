/** The phone's screens and slips. Only the one that is shown is fetched at once; the others in a quiet moment after it. */

import { learnAgree } from '../agree/words'
import { learnClaim } from '../claim/words'
import { Later } from '../later.svelte'
import { learnLobby } from '../lobby/words'
import { learnMenu } from '../menu/words'
import { learnSheet } from '../sheet/words'
import type { Words } from '../words.svelte'
import { learnDealSlips } from './words'

export const parts = {
  air: new Later(() => import('../motion/Layer.svelte')),
  join: new Later(() => import('../lobby/Join.svelte'), [learnLobby]),
  claimChair: new Later(() => import('../claim/ClaimChair.svelte'), [learnLobby, learnClaim]),
  claim: new Later(() => import('../claim/Waiting.svelte'), [learnClaim]),
  ended: new Later(() => import('./Ended.svelte'), [learnClaim]),
  lobby: new Later(() => import('../lobby/Lobby.svelte'), [learnLobby, learnClaim, learnAgree]),
  game: new Later(() => import('./GameScreen.svelte')),
  dealSlips: new Later(() => import('./DealSlips.svelte'), [learnDealSlips]),
  sheet: new Later(() => import('../sheet/SheetScreen.svelte'), [learnSheet]),
  won: new Later(
    () => import('../sheet/Won.svelte'),
    [learnSheet, learnLobby, learnClaim, learnAgree],
  ),
  sheetSlip: new Later(() => import('../sheet/SheetSlip.svelte'), [learnSheet]),
  rules: new Later(() => import('../rules/TableBook.svelte')),
  sharing: new Later(() => import('../curtain/Sharing.svelte'), [learnClaim]),
  addPlayer: new Later(() => import('../curtain/AddPlayer.svelte'), [learnClaim, learnLobby]),
  curtain: new Later(() => import('../curtain/Curtain.svelte'), [learnClaim]),
  menu: new Later(
    () => import('../menu/MenuSlip.svelte'),
    [learnMenu, learnSheet, learnLobby, learnClaim, learnAgree],
  ),
  agree: new Later(() => import('../agree/Layer.svelte'), [learnAgree]),
  takeBack: new Later(() => import('../agree/TakeBackSlip.svelte'), [learnAgree]),
  wait: new Later(() => import('../agree/WaitSlip.svelte'), [learnAgree, learnLobby]),
}

const QUIET = 1200

/** Fetches what is not here yet, so that a line lost later matters to no screen. */
export function fetchRest(w: Words): () => void {
  const timer = setTimeout(async () => {
    for (const part of Object.values(parts)) await part.fetch(w)
  }, QUIET)
  return () => clearTimeout(timer)
}
