// Values that may come later: what is there at once is used at once, so that nothing waits a turn of the loop for a memory store.

export type Awaitable<T> = T | Promise<T>

/** Goes on with a value, now where it is there. */
export function andThen<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
