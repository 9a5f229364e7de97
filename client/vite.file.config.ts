/** Builds the page of a replay that is one file: one script with everything in it, which the server puts into the page. */

import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { languages } from './languages'

export default defineConfig({
  appType: 'mpa',
  plugins: [svelte()],
  define: { LANGUAGES: JSON.stringify(languages()) },
  build: {
    target: 'es2022',
    outDir: '../server/static',
    emptyOutDir: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: {
      input: ['replay-file.html'],
      output: { codeSplitting: false },
    },
  },
})
