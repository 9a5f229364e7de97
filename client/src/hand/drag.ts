/** A card that is pulled with a finger or a mouse: it follows, and says where it was let go. */

import type { Attachment } from 'svelte/attachments'

export interface Drop {
  x: number
  y: number
  dx: number
  dy: number
}

const FIRM = 10

/** `drop` is called where it is let go; the click that browsers send after a drag is swallowed. */
export function draggable(drop: (at: Drop) => void): Attachment<HTMLElement> {
  return (card) => {
    let from: { x: number; y: number; pointer: number } | null = null
    let pulled = false

    function down(event: PointerEvent): void {
      if (event.button !== 0) return
      from = { x: event.clientX, y: event.clientY, pointer: event.pointerId }
      pulled = false
      for (const [type, heard] of following) addEventListener(type, heard)
    }

    function move(event: PointerEvent): void {
      if (from?.pointer !== event.pointerId) return
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y]
      if (!pulled && Math.hypot(dx, dy) < FIRM) return
      if (!pulled) card.setPointerCapture(event.pointerId)
      pulled = true
      card.classList.add('pulled')
      card.style.translate = `${dx}px ${dy}px`
    }

    function up(event: PointerEvent): void {
      if (from?.pointer !== event.pointerId) return
      const { x, y } = from
      letGo()
      if (!pulled || event.type === 'pointercancel') return
      drop({
        x: event.clientX,
        y: event.clientY,
        dx: event.clientX - x,
        dy: event.clientY - y,
      })
    }

    function letGo(): void {
      from = null
      for (const [type, heard] of following) removeEventListener(type, heard)
      card.classList.remove('pulled')
      card.style.translate = ''
    }

    function click(event: MouseEvent): void {
      if (!pulled) return
      pulled = false
      event.stopPropagation()
      event.preventDefault()
    }

    /** A quick hand has left the card before the first move is told. */
    const following = [
      ['pointermove', move],
      ['pointerup', up],
      ['pointercancel', up],
    ] as const
    card.addEventListener('pointerdown', down)
    card.addEventListener('click', click, { capture: true })
    return () => {
      letGo()
      card.removeEventListener('pointerdown', down)
      card.removeEventListener('click', click, { capture: true })
    }
  }
}
