/** Returns a function that finds something once. A failure may be temporary, so the next call tries again. */
export function once<T>(find: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined
  return () =>
    (found ??= find().catch((error: unknown) => {
      found = undefined
      throw error
    }))
}
