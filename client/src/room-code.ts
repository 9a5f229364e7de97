/** The room that the address names: the first four letters of its path. */
export function roomCode(path: string): string {
  return (path.split('/')[1] ?? '').toUpperCase()
}
