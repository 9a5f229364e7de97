/** The languages that the client speaks. */

import { readdirSync, readFileSync } from 'node:fs'

/** Every catalogue in src/words by its own name: a new language is a new file and nothing else. */
export function languages(): Record<string, string> {
  const folder = new URL('./src/words/', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return Object.fromEntries(
    files.map((file) => {
      const catalogue = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { name: string }
      return [file.replace('.json', ''), catalogue.name]
    }),
  )
}
