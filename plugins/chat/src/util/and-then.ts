import type { Awaitable } from '@mynah/kernel/util'

/**
 * Passes a value on: at once where it is there, else when it resolves. So a store in memory costs no turn of the event
 * loop.
 */
export function andThen<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
