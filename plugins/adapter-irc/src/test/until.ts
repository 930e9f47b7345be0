// Waiting for a condition.
import { setTimeout } from 'node:timers/promises'

const PATIENCE_MS = 15_000

export async function until(condition: () => boolean | Promise<boolean>, what: string | (() => string)): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!await condition()) {
    if (performance.now() > end) throw new Error(`waited in vain ${typeof what === 'string' ? what : what()}`)
    await setTimeout(3)
  }
}
