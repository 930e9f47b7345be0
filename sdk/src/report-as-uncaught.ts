/** Reports the error of a callback as uncaught: to the page or process, not to the caller. */
export function reportAsUncaught(error: unknown): void {
  if (typeof reportError === 'function') reportError(error)
  else
    queueMicrotask(() => {
      throw error
    })
}
