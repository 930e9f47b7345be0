// Reasons against something: the first that is found is told.

/** The first reason that is found against some items, or undefined. */
export function firstReason<T>(items: readonly T[], refuse: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = refuse(item)
    if (problem !== undefined) return problem
  }
  return undefined
}
