/** Cards laid to the trick, melds shown on the way, and the trick going to its winner. */

import type { CardCode } from '../cards/card'
import type { AcesMelded, CardPlayed, MarriageMelded, Trick } from '../protocol.gen'
import { path, type Flight, type Pace, type Plan, type Scene } from './flight'
import { held, middle, place, type Spots } from './places'

const WRITING = 600

export function play({ seat, card }: CardPlayed, { before, after }: Scene, pace: Pace): Flight[] {
  const goal = after.get(place.trick(seat))
  const own = before.get(place.hand(card))
  const seated = before.get(place.seat(seat)) ?? after.get(place.seat(seat))
  const from = own ?? (seated && goal ? held(seated, goal) : undefined)
  if (!from || !goal) return []
  return [
    {
      card,
      stops: path(from, goal, 0, pace.move, 'lay'),
      appears: !own,
      covers: place.trick(seat),
    },
  ]
}

/** The cards of a meld come to the middle, its value is written, they go back; the trump sign changes last. */
export function meld(
  seen: MarriageMelded | AcesMelded,
  led: CardPlayed | undefined,
  { before, after }: Scene,
  pace: Pace,
): Plan {
  const centre = middle(after)
  const seat = after.get(place.seat(seen.seat))
  if (!centre || !seat) return { flights: [] }
  const cards: CardCode[] =
    seen.type === 'marriage_melded' ? [`${seen.suit}K`, `${seen.suit}Q`] : ['SA', 'HA', 'DA', 'CA']
  const apart = centre.width * (cards.length > 2 ? 0.45 : 0.66)
  const shown = pace.move + WRITING
  const flights = cards.flatMap((card, at): Flight[] => {
    const own = before.get(place.hand(card))
    const from = own ?? held(seat, centre)
    const spot = {
      ...centre,
      x: centre.x - centre.width * 0.65 + (at - (cards.length - 1) / 2) * apart,
      angle: (at - (cards.length - 1) / 2) * 6,
    }
    const goes = card === led?.card ? place.trick(seen.seat) : place.hand(card)
    const lands = after.get(goes)
    return [
      {
        card,
        stops: [
          ...path(from, spot, 0, pace.move, 'lay'),
          ...path(spot, lands ?? held(seat, centre), shown, pace.move, 'lay'),
        ],
        appears: !own,
        vanishes: !lands,
        covers: lands ? goes : undefined,
      },
    ]
  })
  const pose = { ...centre, x: centre.x + centre.width * 0.95 }
  return {
    flights,
    note: { value: seen.points, pose, from: pace.move, until: shown + pace.move },
    late: [{ place: place.trump, until: shown + pace.move }],
  }
}

/** A finished trick goes to its winner. */
export function sweep({ cards, winner }: Trick, spots: Spots, pace: Pace): Flight[] {
  const seat = spots.get(place.seat(winner))
  return cards.flatMap((lies) => {
    const from = spots.get(place.trick(lies.seat))
    if (!from || !seat) return []
    return {
      card: lies.card,
      stops: path(from, held(seat, from), 0, pace.sweep, 'inout'),
      vanishes: true,
      covers: place.trick(lies.seat),
    }
  })
}
