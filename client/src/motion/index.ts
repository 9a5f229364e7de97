/** What a page takes from here. */

export { Motion, motion, provideMotion } from './motion.svelte'
export { place } from './places'
export { screen } from './stage'
