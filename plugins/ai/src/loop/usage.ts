import type { Usage } from '../api/models.js'
import { addUsage } from '../api/usage.js'

/** Returns the sum of the steps of a loop. Its cost is known only when the cost of every step is. */
export function addStepUsage(sum: Usage | undefined, step: Usage): Usage {
  if (!sum) return step
  const { cost, ...total } = addUsage(sum, step)
  return sum.cost === undefined || step.cost === undefined || cost === undefined ? total : { ...total, cost }
}
