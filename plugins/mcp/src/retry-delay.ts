import { backoff, SECOND_MS } from '@mynah/kernel/util'

/** Delays grow from 1 s to 5 min. Each is random between half of its bound and the bound, hence 0.75 ± a third. */
const OPTIONS = { firstMs: 0.75 * SECOND_MS, maxMs: 0.75 * 300 * SECOND_MS, jitter: 1 / 3 } as const

/**
 * Returns the delay before a server is tried again, in milliseconds.
 *
 * @param attempts failed attempts so far
 * @param random between 0 and 1
 */
export const retryDelay = (attempts: number, random: number): number =>
  Math.round(backoff(attempts, { ...OPTIONS, random: () => random }))
