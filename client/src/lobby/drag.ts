/** Carries an element with the pointer, and says over which chair it is held and let go. */

import type { Seat } from '../protocol.gen'

interface Carrier {
  over: (seat: Seat | null) => void
  drop: (seat: Seat | null) => void
}

/** A finger that trembles is no drag. */
const LEAST = 8

export function dragged(chair: HTMLElement, { over, drop }: Carrier): () => void {
  let from: { x: number; y: number } | null = null
  let held = false

  const under = (event: PointerEvent): Seat | null => {
    const found = document
      .elementsFromPoint(event.clientX, event.clientY)
      .map((element) => element.closest<HTMLElement>('[data-seat]'))
      .find((element) => element && element !== chair)
    return found ? Number(found.dataset['seat']) : null
  }
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return
    from = { x: event.clientX, y: event.clientY }
    chair.setPointerCapture(event.pointerId)
  }
  const move = (event: PointerEvent) => {
    if (!from) return
    const [x, y] = [event.clientX - from.x, event.clientY - from.y]
    held ||= Math.hypot(x, y) > LEAST
    if (!held) return
    chair.classList.add('held')
    chair.style.translate = `${x}px ${y}px`
    over(under(event))
  }
  const up = (event: PointerEvent) => {
    const seat = held && event.type === 'pointerup' ? under(event) : null
    if (held) drop(seat)
    from = null
    held = false
    chair.classList.remove('held')
    chair.style.translate = ''
  }
  chair.addEventListener('pointerdown', down)
  chair.addEventListener('pointermove', move)
  chair.addEventListener('pointerup', up)
  chair.addEventListener('pointercancel', up)
  return () => {
    chair.removeEventListener('pointerdown', down)
    chair.removeEventListener('pointermove', move)
    chair.removeEventListener('pointerup', up)
    chair.removeEventListener('pointercancel', up)
  }
}
