/** A part of the page that is fetched when it is needed, or in a quiet moment before. */

import type { Component } from 'svelte'
import type { Words } from './words.svelte'

type Learn = (w: Words) => Promise<void>

const RELOAD_AFTER = 1500

export class Later<C extends Component<any>> {
  component: C | null = $state.raw(null)
  #fetching: Promise<boolean> | null = null

  /** The part, and the catalogues that its sentences are in. */
  constructor(
    readonly load: () => Promise<{ default: C }>,
    readonly learn: readonly Learn[] = [],
  ) {}

  /** False if it did not come; a browser remembers that, so asking again would not help. */
  fetch(w: Words): Promise<boolean> {
    const words = Promise.all(this.learn.map((learn) => learn(w)))
    this.#fetching ??= Promise.all([this.load(), words]).then(
      ([module]) => {
        this.component = module.default
        return true
      },
      () => false,
    )
    return this.#fetching
  }

  /** It is to be shown now. What did not come is fetched anew with the whole page, as soon as the server answers. */
  async need(w: Words): Promise<void> {
    if (!(await this.fetch(w))) void reload()
  }
}

async function reload(): Promise<void> {
  await new Promise((done) => setTimeout(done, RELOAD_AFTER))
  const answer = await fetch('/api/health').catch(() => null)
  if (answer?.ok) location.reload()
  else void reload()
}
