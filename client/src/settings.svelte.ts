/** What one phone has chosen for itself; nothing here is known to the server. */

import { createContext } from 'svelte'
import type { Memory } from './memory'

export const THEMES = ['system', 'day', 'night', 'contrast'] as const
export const SUITS = ['classic', 'four', 'german'] as const

export interface Choices {
  /** `null`: as the browser says. */
  language: string | null
  theme: (typeof THEMES)[number]
  suits: (typeof SUITS)[number]
  leftHanded: boolean
  singleTap: boolean
}

export class Settings {
  readonly #memory: Memory
  now: Readonly<Choices> = $state.raw(defaults())

  constructor(memory: Memory) {
    this.#memory = memory
    this.now = { ...defaults(), ...remembered(memory) }
  }

  choose<Name extends keyof Choices>(name: Name, value: Choices[Name]): void {
    this.now = { ...this.now, [name]: value }
    this.#memory.set('settings', JSON.stringify(this.now))
  }

  /** Writes what CSS reads onto the page's root. */
  dress(root: HTMLElement): void {
    const { theme, suits, leftHanded } = this.now
    attribute(root, 'data-theme', theme === 'system' ? null : theme)
    attribute(root, 'data-suits', suits === 'classic' ? null : suits)
    attribute(root, 'data-left-handed', leftHanded ? '' : null)
  }
}

export const [settings, provideSettings] = createContext<Settings>()

/** A mouse plays with one click; a thumb lifts the card first. */
function defaults(): Choices {
  return {
    language: null,
    theme: 'system',
    suits: 'classic',
    leftHanded: false,
    singleTap: globalThis.matchMedia?.('(hover: hover) and (pointer: fine)').matches ?? false,
  }
}

/** Only values that are still known: an older release may have left others. */
function remembered(memory: Memory): Partial<Choices> {
  const kept = parsed(memory.get('settings'))
  const known: Partial<Choices> = {}
  if (typeof kept.language === 'string') known.language = kept.language
  const theme = THEMES.find((name) => name === kept.theme)
  if (theme) known.theme = theme
  const suits = SUITS.find((name) => name === kept.suits)
  if (suits) known.suits = suits
  if (typeof kept.leftHanded === 'boolean') known.leftHanded = kept.leftHanded
  if (typeof kept.singleTap === 'boolean') known.singleTap = kept.singleTap
  return known
}

function parsed(text: string | null): Partial<Record<keyof Choices, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function attribute(root: HTMLElement, name: string, value: string | null): void {
  if (value === null) root.removeAttribute(name)
  else root.setAttribute(name, value)
}
