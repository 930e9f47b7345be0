// How long a server is left alone before it is tried again: longer each time, never for good, and never all at once.

const FIRST_MS = 1_000
const LONGEST_MS = 300_000

/** ms before attempt number `attempts` is followed by the next; `random` is between 0 and 1. */
export function waitBefore(attempts: number, random: number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempts, 20))
  return Math.round(longest * (0.5 + random / 2))
}
