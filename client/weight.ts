/** What a phone fetches before its first screen stands; a build that grew heavier than agreed fails. */

import { gzipSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'

/** Bytes, gzipped. */
const MOST = 80_000

/** The screens that a phone may open with: joining, a running deal, the sheet between deals. Each may bring words of its own. */
const FIRST = { Join: 'lobby/', GameScreen: '', SheetScreen: 'sheet/' }

export function weight(): Plugin {
  return {
    name: 'weight',
    apply: 'build',
    writeBundle(_options, bundle) {
      const page = Object.values(bundle).find((one) => one.type === 'chunk' && one.name === 'room')
      if (page?.type !== 'chunk') return
      for (const [name, own] of Object.entries(FIRST)) {
        const words = heaviest('', bundle) + (own ? heaviest(own, bundle) : 0)
        const screen = Object.values(bundle).find((one) => 'name' in one && one.name === name)
        if (screen?.type !== 'chunk') this.error(`the phone has no screen ${name}`)
        const needed = new Set(['room.html', ...closure(page, bundle), ...closure(screen, bundle)])
        const bytes = words + [...needed].reduce((sum, file) => sum + gzipped(bundle[file]), 0)
        if (bytes > MOST) this.error(`a phone fetches ${bytes} bytes for ${name}, over ${MOST}`)
        this.info(`a phone fetches ${bytes} bytes for ${name}`)
      }
    },
  }
}

/** A chunk, all that it imports, and their styles. */
function closure(
  chunk: Rolldown.OutputChunk,
  bundle: Rolldown.OutputBundle,
  seen = new Set<string>(),
): Set<string> {
  if (seen.has(chunk.fileName)) return seen
  seen.add(chunk.fileName)
  for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style)
  for (const file of chunk.imports) {
    const other = bundle[file]
    if (other?.type === 'chunk') closure(other, bundle, seen)
  }
  return seen
}

/** The heaviest language of one folder's catalogues. */
function heaviest(folder: string, bundle: Rolldown.OutputBundle): number {
  const catalogue = new RegExp(`src/${folder}words/\\w+\\.json$`)
  const languages = Object.values(bundle).filter(
    (one) => one.type === 'chunk' && one.facadeModuleId && catalogue.test(one.facadeModuleId),
  )
  return Math.max(...languages.map(gzipped))
}

function gzipped(file: Rolldown.OutputBundle[string] | undefined): number {
  if (!file) return 0
  return gzipSync(file.type === 'chunk' ? file.code : file.source, { level: 9 }).length
}
