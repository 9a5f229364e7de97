/** What a phone remembers: localStorage where it works, else only until the page goes. */

export interface Memory {
  get(key: string): string | null
  /** False: it is remembered only until the page goes. */
  set(key: string, value: string): boolean
  forget(key: string): void
}

const PREFIX = 'prikup.'

export function memory(): Memory {
  try {
    const store = globalThis.localStorage
    store.setItem(`${PREFIX}probe`, '1')
    store.removeItem(`${PREFIX}probe`)
    return longMemory(store)
  } catch {
    return shortMemory()
  }
}

/** For private windows that refuse storage, and for tests. */
export function shortMemory(): Memory {
  const kept = new Map<string, string>()
  return {
    get: (key) => kept.get(key) ?? null,
    set: (key, value) => {
      kept.set(key, value)
      return false
    },
    forget: (key) => void kept.delete(key),
  }
}

/** What no longer fits is remembered until the page goes. */
function longMemory(store: Storage): Memory {
  const rest = shortMemory()
  return {
    get: (key) => rest.get(key) ?? store.getItem(PREFIX + key),
    set: (key, value) => {
      try {
        store.setItem(PREFIX + key, value)
      } catch {
        return rest.set(key, value)
      }
      rest.forget(key)
      return true
    },
    forget: (key) => {
      rest.forget(key)
      store.removeItem(PREFIX + key)
    },
  }
}
