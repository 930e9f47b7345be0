// A read that many ask for at once: one runs, and those who come meanwhile share the next, so that nobody is told what was before.

export function sharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | undefined
  let next: Promise<T> | undefined
  return () => {
    if (next) return next
    const begin = (): Promise<T> => {
      next = undefined
      const mine = read()
      const ended = (): void => {
        if (running === mine) running = undefined
      }
      running = mine
      mine.then(ended, ended)
      return mine
    }
    return running ? (next = running.then(begin, begin)) : begin()
  }
}
