/** What a phone remembers: localStorage where it works, else only until the page goes. */

export interface Memory {
  get(key: string): string | null
  set(key: string, value: string): void
  forget(key: string): void
}

const PREFIX = 'prikup.'

export function memory(): Memory {
  try {
    const store = globalThis.localStorage
    store.setItem(`${PREFIX}probe`, '1')
    store.removeItem(`${PREFIX}probe`)
    return {
      get: (key) => store.getItem(PREFIX + key),
      set: (key, value) => keep(store, PREFIX + key, value),
      forget: (key) => store.removeItem(PREFIX + key),
    }
  } catch {
    return shortMemory()
  }
}

/** For private windows that refuse storage, and for tests. */
export function shortMemory(): Memory {
  const kept = new Map<string, string>()
  return {
    get: (key) => kept.get(key) ?? null,
    set: (key, value) => void kept.set(key, value),
    forget: (key) => void kept.delete(key),
  }
}

function keep(store: Storage, key: string, value: string): void {
  try {
    store.setItem(key, value)
  } catch {
    // Full: the choice still holds for this page, it is only not remembered.
  }
}
