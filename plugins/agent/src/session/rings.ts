import type { Entry } from './types.js'

/** An entry and the one above it. */
export type Link = Pick<Entry, 'seq' | 'parent'>

/** Returns the entries of the ring that a walk up from a leaf has entered, or `undefined` where it comes to an end. */
export function ringIn(walk: Iterable<Link>): readonly Link[] | undefined {
  const visited = new Map<number, Link>()
  for (const link of walk) {
    if (visited.has(link.seq)) {
      const passed = Array.from(visited.values())
      return passed.slice(passed.findIndex(({ seq }) => seq === link.seq))
    }
    visited.set(link.seq, link)
  }
  return undefined
}

/**
 * Returns the entry at which a ring is opened: its oldest. Entries are appended below older ones, so the parent of the
 * oldest was changed afterwards.
 */
export const oldestOf = (ring: readonly Link[]): Link =>
  ring.reduce((oldest, link) => (link.seq < oldest.seq ? link : oldest))
