/** A part of the page that is fetched when it is needed, or in a quiet moment before. */

import type { Component } from 'svelte'

const RELOAD_AFTER = 1500

export class Later<C extends Component<any>> {
  component: C | null = $state.raw(null)
  #fetching: Promise<boolean> | null = null

  constructor(readonly load: () => Promise<{ default: C }>) {}

  /** False if it did not come; a browser remembers that, so asking again would not help. */
  fetch(): Promise<boolean> {
    this.#fetching ??= this.load().then(
      (module) => {
        this.component = module.default
        return true
      },
      () => false,
    )
    return this.#fetching
  }

  /** It is to be shown now. What did not come is fetched anew with the whole page, as soon as the server answers. */
  async need(): Promise<void> {
    if (!(await this.fetch())) void reload()
  }
}

async function reload(): Promise<void> {
  await new Promise((done) => setTimeout(done, RELOAD_AFTER))
  const answer = await fetch('/api/health').catch(() => null)
  if (answer?.ok) location.reload()
  else void reload()
}
