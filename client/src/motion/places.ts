/** Where cards lie on a screen. A screen says so with `data-place`; everything that flies goes from place to place. */

import type { CardCode } from '../cards/card'
import type { Seat } from '../protocol.gen'

/** The middle of a thing, its size before it was turned, and by how many degrees it is turned. */
export interface Pose {
  x: number
  y: number
  width: number
  height: number
  angle: number
}

/** What lies on the screen, by the name of its place. */
export type Spots = ReadonlyMap<string, Pose>

/** The names. A turned card carries its place itself, not the box around it. */
export const place = {
  /** A card of this viewer's hand. */
  hand: (card: CardCode) => `hand:${card}`,
  /** Where a player's cards come from and tricks go to; for the own seat the whole hand. */
  seat: (seat: Seat) => `seat:${seat}`,
  /** A player's place in the trick, with a card on it or not. */
  trick: (seat: Seat) => `trick:${seat}`,
  /** A card of the talon; of the second talon and on, where there are several to choose from. */
  talon: (at: number, talon = 0) => (talon === 0 ? `talon:${at}` : `talon:${talon}.${at}`),
  /** The card that is about to be given to a player. */
  tray: (seat: Seat) => `tray:${seat}`,
  /** Where the pack lies; without it cards are dealt from the dealer's seat. */
  deck: 'deck',
  /** Where a meld is shown; without it in the middle of the trick. */
  middle: 'middle',
  /** The sign that says what is trump. */
  trump: 'trump',
} as const

/** The part of a card's width that it has while a player holds it. */
const HELD = 0.45
/** A card's proportion, and its height where only seats can be measured. */
const TALL = 1.4
const SEATS_HIGH = 2

/** A card like `card`, as small as it is when it leaves or reaches a player's `seat`. */
export function held(seat: Pose, card: Pose): Pose {
  const width = Math.min(card.width * HELD, seat.width)
  return { x: seat.x, y: seat.y, width, height: (width * card.height) / card.width, angle: 0 }
}

/** The size cards have on this screen: as the first that lies there, else to fit a seat. */
export function usual(spots: Spots): Pose | null {
  for (const kind of ['talon:', 'trick:', 'hand:', 'tray:', 'deck', 'seat:']) {
    for (const [name, pose] of spots) {
      if (!name.startsWith(kind)) continue
      const height = pose.height * SEATS_HIGH
      return kind === 'seat:' ? { ...pose, height, width: height / TALL } : pose
    }
  }
  return null
}

/** The point between all places of the trick, with the size of one. */
export function middle(spots: Spots): Pose | null {
  const named = spots.get(place.middle)
  const trick = [...spots].filter(([name]) => name.startsWith('trick:')).map(([, pose]) => pose)
  const like = trick[0] ?? usual(spots)
  if (!like) return null
  if (named) return { ...like, x: named.x, y: named.y, angle: 0 }
  const mean = (of: (pose: Pose) => number) =>
    trick.reduce((sum, pose) => sum + of(pose), 0) / trick.length
  return trick.length > 0 ? { ...like, x: mean((p) => p.x), y: mean((p) => p.y), angle: 0 } : null
}
