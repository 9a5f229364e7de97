/** Makes one document out of the one before; the server says the same in PROTOCOL.md, with examples. */

/** `document` after `patch`. What does not change is the same object as before, and nothing is changed in place. */
export function applied(document: unknown, patch: unknown): unknown {
  if (Array.isArray(patch)) return patch[0]
  if (patch === null || typeof patch !== 'object') return patch
  const changes = Object.entries(patch)
  if (changes.length === 0) return document
  const copy = (Array.isArray(document) ? [...document] : { ...(document as object) }) as Record<
    string,
    unknown
  >
  for (const [key, change] of changes) copy[key] = applied(copy[key], change)
  return copy
}
