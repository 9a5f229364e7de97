/** What the keys do. */

import type { Player } from './player.svelte'

type Do = (player: Player) => void

const ARROWS: Record<string, 1 | -1> = { ArrowRight: 1, ArrowLeft: -1 }

const PLAIN: Record<string, Do> = {
  ' ': (p) => p.toggle(),
  Home: (p) => p.seek(0),
  End: (p) => p.seek(p.walk.end),
  '1': (p) => p.setSpeed(1),
  '2': (p) => p.setSpeed(2),
  '3': (p) => p.setSpeed(3),
  '4': (p) => p.setSpeed(4),
  '+': (p) => p.faster(1),
  '-': (p) => p.faster(-1),
  v: (p) => p.lookOn(),
  u: (p) => p.showUndone(!p.undone),
}

export type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** What `key` does; null: nothing here. */
export function doing({ key, shiftKey, ctrlKey, metaKey, altKey }: Key): Do | null {
  if (metaKey || altKey) return null
  const by = ARROWS[key]
  if (by && ctrlKey) return (p) => p.toDeal(by)
  if (by && shiftKey) return (p) => p.toTrick(by)
  if (by) return (p) => p.go(by)
  return ctrlKey ? null : (PLAIN[key.length === 1 ? key.toLowerCase() : key] ?? null)
}

/** A control that has the focus keeps the keys it needs itself. */
export function needs(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false
  if (target.matches('input[type=radio]')) return key.startsWith('Arrow') || key === ' '
  return key === ' ' && target.matches('button, a, summary')
}
