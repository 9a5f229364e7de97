/** Icons as single strokes on a square of 24 units. */
export const ICONS = {
  menu: 'M3 7h18M3 12h18M3 17h18',
  close: 'M5 5l14 14M19 5L5 19',
  share: 'M12 15V3M7 8l5-5 5 5M5 13v8h14v-8',
  back: 'M22 12H4M11 5l-7 7 7 7',
  go: 'M2 12h18M13 5l7 7-7 7',
  more: 'M9 5l7 7-7 7',
  tick: 'M4 12.5l5.5 5.5L20 5',
  minus: 'M4 12h16',
  plus: 'M4 12h16M12 4v16',
  sheet: 'M4 3h16v18H4zM4 8.5h16M9.3 8.5V21M14.7 8.5V21',
  undo: 'M9 5L4 10l5 5M4 10h10a5 5 0 0 1 0 10h-4',
  quiet: 'M7 2.5h10v19H7zM11 18h2',
  away: 'M7 7v14.5h10V17M17 13V2.5H9M3 3l18 18',
  cover: 'M3 4h18v14H3zM8 4v14M12 4v14M16 4v14M6 21h12',
  eye: 'M2 12c3-5 6.5-7 10-7s7 2 10 7c-3 5-6.5 7-10 7s-7-2-10-7zM15 12a3 3 0 1 1-6 0 3 3 0 1 1 6 0',
} as const

export type IconName = keyof typeof ICONS
