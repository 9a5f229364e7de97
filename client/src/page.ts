/** Starts one of the pages: the words first, so that nothing is drawn without them. */

import { mount, type Component } from 'svelte'
import './looks/index.css'
import { memory } from './memory'
import Page from './Page.svelte'
import { Settings } from './settings.svelte'
import { bestLanguage, Words } from './words.svelte'

export async function start(App: Component): Promise<void> {
  const settings = new Settings(memory())
  const words = new Words()
  settings.dress(document.documentElement)
  await words.speak(bestLanguage([settings.now.language ?? '', ...navigator.languages]))
  mount(Page, { target: document.body, props: { App, settings, words } })
}
