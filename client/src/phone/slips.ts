/** A slip that a player may ask for while a deal is running. */
export type Asked = 'talon' | 'trick' | 'nines'
