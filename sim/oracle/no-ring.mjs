// No session has a ring: each entry leads to the first one.

/** Returns the sessions among these entries whose parents lead round in a circle. */
export function ringsOf(entries) {
  const parents = new Map(entries.map(({ session, n, parent }) => [`${session}/${n}`, parent]))
  const good = new Set()
  const rings = new Set()
  for (const { session, n } of entries) {
    const path = new Set()
    let at = n
    while (at !== null && at !== undefined && !good.has(`${session}/${at}`)) {
      const key = `${session}/${at}`
      if (path.has(key)) {
        rings.add(session)
        break
      }
      path.add(key)
      at = parents.get(key)
    }
    for (const key of path) good.add(key)
  }
  return [...rings]
}

export const noRing = {
  name: 'no session has a ring',
  check: ({ entries }) => ringsOf(entries).map((session) => `the session ${session} has a ring`),
}
