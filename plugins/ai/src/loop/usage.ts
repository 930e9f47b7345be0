// Adding up what several calls have used.
import type { Usage } from '../api/models.js'

export const NOTHING_USED: Usage = { input: 0, cachedInput: 0, output: 0 }

/** The sum. A cost is known only where the cost of every call is. */
export function addUsage(sum: Usage | undefined, usage: Usage): Usage {
  if (!sum) return usage
  const { cost } = sum
  return {
    input: sum.input + usage.input,
    cachedInput: sum.cachedInput + usage.cachedInput,
    output: sum.output + usage.output,
    ...(cost !== undefined && usage.cost !== undefined ? { cost: cost + usage.cost } : {}),
  }
}
