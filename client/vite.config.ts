import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { languages } from './languages'
import { weight } from './weight'

/** In development, the addresses the server gives to the pages. */
function addresses(): Plugin {
  return {
    name: 'addresses',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const path = request.url?.split('?')[0] ?? '/'
        if (/^\/[a-z]{4}$/i.test(path)) request.url = '/room.html'
        if (/^\/[a-z]{4}\/table$/i.test(path)) request.url = '/table.html'
        if (/^\/[a-z]{4}\/replay\/\d+$/i.test(path)) request.url = '/replay.html'
        next()
      })
    },
  }
}

/** A few files that belong together, instead of one for each small thing that two screens share. */
const PIECES = [
  { name: 'base', test: /node_modules\/(?!svelte\/src\/reactivity)|vite|rolldown/ },
  {
    name: 'paper',
    test: /src\/(cards|ink|looks|(?!archive|evening)\w+\/words\.ts|ui\/(?!S[lew]|Row|Pick|Switch)|(?!house|keep)[^/]+\.(svelte|ts)$)/,
  },
  { name: 'slips', test: /src\/(ui\/|house|start\/rules\.ts)/ },
  { name: 'motion', test: /src\/motion\/(index|motion|stage|still|places)/ },
  { name: 'air', test: /src\/motion\// },
  { name: 'desk', test: /src\/(phone\/(desk|seating|Named)|agree\/countdown)/ },
  {
    name: 'agree',
    test: /src\/agree\/(Returns|Countdown|Consents|needs|outcome|restored|returned|wanted)/,
  },
  { name: 'chairs', test: /src\/lobby\/(Chair(Label|s)?\.|places|drag)/ },
  { name: 'sheet', test: /src\/sheet\/(?!Won|SheetS|words)/ },
  { name: 'rules', test: /src\/(start\/(Rules|HouseRules|Sets)|lobby\/Ticket)/ },
]

export default defineConfig({
  appType: 'mpa',
  plugins: [svelte(), addresses(), weight()],
  define: { LANGUAGES: JSON.stringify(languages()) },
  build: {
    target: 'es2022',
    outDir: '../server/static',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // A browser that cannot fetch ahead fetches a little later.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'room.html', 'table.html', 'replay.html'],
      output: { codeSplitting: { groups: PIECES } },
    },
  },
  server: {
    proxy: {
      '/api': 'http://127.0.0.1:8000',
      '/ws': { target: 'ws://127.0.0.1:8000', ws: true },
    },
  },
  test: { include: ['src/**/*.test.ts'] },
})
