// Where the failure of somebody else's callback goes: to the page or process that it belongs to, not to those who called.

/** Reports an error as if nobody had caught it. */
export function reportAsUncaught(error: unknown): void {
  if (typeof reportError === 'function') reportError(error)
  else
    queueMicrotask(() => {
      throw error
    })
}
