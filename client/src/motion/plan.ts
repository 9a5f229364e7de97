/** What flies after an update: from glimpses and places to flights. Pure, so that it can be tested without a screen. */

import type { CardPlayed, Glimpse, Seat } from '../protocol.gen'
import { deal } from './deal'
import type { Flight, Pace, Plan, Scene } from './flight'
import { give, takeUp, turn } from './talon'
import { meld, play } from './trick'

export function plan(glimpses: readonly Glimpse[], scene: Scene, pace: Pace): Plan {
  const flights: Flight[] = []
  let extra: Pick<Plan, 'note' | 'late'> = {}
  let melded = false
  for (const seen of glimpses) {
    switch (seen.type) {
      case 'cards_dealt':
        flights.push(...deal(seen, scene, pace))
        break
      case 'talon_taken':
        flights.push(...turn(seen, scene, pace))
        break
      case 'cards_given':
        flights.push(...takeUp(seen.seat, scene, pace), ...give(seen, scene, pace))
        break
      case 'cards_laid_away':
        flights.push(...takeUp(seen.seat, scene, pace))
        break
      case 'marriage_melded':
      case 'aces_melded': {
        const shown = meld(seen, glimpses.find(played(seen.seat)), scene, pace)
        flights.push(...shown.flights)
        extra = { note: shown.note, late: shown.late }
        melded = shown.flights.length > 0
        break
      }
      case 'card_played':
        if (!melded) flights.push(...play(seen, scene, pace))
        break
    }
  }
  return { flights, ...extra }
}

const played =
  (seat: Seat) =>
  (seen: Glimpse): seen is CardPlayed =>
    seen.type === 'card_played' && seen.seat === seat
