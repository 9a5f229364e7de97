/** Names on the wire have underscores; in a catalogue an underscore begins a plural or a term. */

export type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

export function camel<Name extends string>(name: Name): Camel<Name> {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) as Camel<Name>
}
