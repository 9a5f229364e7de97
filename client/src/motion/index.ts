/** What a page takes from here. */

export { default as Layer } from './Layer.svelte'
export { Motion, motion, provideMotion } from './motion.svelte'
export { place } from './places'
export { screen } from './stage'
