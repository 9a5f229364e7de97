/** The screen that cards fly over: what lies where, what is covered, and how fast things go. */

import type { Ease, Pace } from './flight'
import type { Pose, Spots } from './places'

/** What is needed of the screen. */
export interface Stage {
  measure(): Spots
  /** What lies at a place is not seen until the returned function is called. */
  cover(place: string): () => void
  pace(): Pace
  /** Nobody looks. */
  hidden(): boolean
  /** The reader wants no movement. */
  calm(): boolean
}

export function screen(page: Document = document): Stage {
  const calm = matchMedia('(prefers-reduced-motion: reduce)')
  return {
    measure: () => measure(page),
    cover: (place) => cover(page.querySelector(`[data-place="${place}"]`)),
    pace: () => pace(page.documentElement),
    hidden: () => page.visibilityState === 'hidden',
    calm: () => calm.matches,
  }
}

/** The easing of that name, as the looks say. */
export function easing(name: Ease): string {
  return token(document.documentElement, `--e-${name}`) || 'ease-out'
}

function measure(page: Document): Spots {
  const spots = new Map<string, Pose>()
  for (const element of page.querySelectorAll<HTMLElement>('[data-place]')) {
    const name = element.dataset.place
    const box = element.getBoundingClientRect()
    if (!name || box.width === 0 || spots.has(name)) continue
    spots.set(name, {
      x: box.left + box.width / 2,
      y: box.top + box.height / 2,
      width: element.offsetWidth,
      height: element.offsetHeight,
      angle: angle(element),
    })
  }
  return spots
}

function angle(element: Element): number {
  const { transform } = getComputedStyle(element)
  if (transform === 'none') return 0
  const { a, b } = new DOMMatrixReadOnly(transform)
  return (Math.atan2(b, a) * 180) / Math.PI
}

/** Transparent, not hidden: it can still be tapped. An animation, because it leaves no trace when cancelled. */
function cover(element: Element | null): () => void {
  const covering = element?.animate({ opacity: [0, 0] }, { duration: 1, fill: 'forwards' })
  return () => covering?.cancel()
}

function pace(root: Element): Pace {
  const ms = (name: string) => Number.parseFloat(token(root, name)) * unit(token(root, name))
  return {
    move: ms('--d-move'),
    flip: ms('--d-flip'),
    sweep: ms('--d-sweep'),
    hold: ms('--d-hold'),
  }
}

/** A build may write 220ms as .22s. */
function unit(duration: string): number {
  return duration.endsWith('ms') ? 1 : 1000
}

function token(root: Element, name: string): string {
  return getComputedStyle(root).getPropertyValue(name).trim()
}
