/** Returns the first reason against one of some items. */
export function firstReason<T>(items: readonly T[], refuse: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = refuse(item)
    if (problem !== undefined) return problem
  }
  return undefined
}
