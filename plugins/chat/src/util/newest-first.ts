import type { RingBuffer } from '@mynah/kernel/util'

/** Items of a ring buffer from the newest to the oldest. */
export function* newestFirst<T>(items: RingBuffer<T>): Generator<T> {
  for (let back = 1; back <= items.size; back++) yield items.at(-back) as T
}

/** Returns the newest item that matches. */
export function findNewest<T>(items: RingBuffer<T>, matches: (item: T) => boolean): T | undefined {
  for (const item of newestFirst(items)) if (matches(item)) return item
  return undefined
}
