/**
 * Shares reads between callers. One read runs at a time; calls that come meanwhile share the next one, so that no caller
 * gets a value from before its call.
 */
export function sharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | undefined
  let next: Promise<T> | undefined
  return () => {
    if (next) return next
    const begin = (): Promise<T> => {
      next = undefined
      const current = read()
      const ended = (): void => {
        if (running === current) running = undefined
      }
      running = current
      current.then(ended, ended)
      return current
    }
    return running ? (next = running.then(begin, begin)) : begin()
  }
}
