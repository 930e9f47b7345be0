import type { Usage } from './models.js'

export const NO_USAGE: Usage = { input: 0, cachedInput: 0, output: 0 }

/** Returns the sum of two usages. A cost that only one of them has is the cost of both. */
export function addUsage(a: Usage, b: Usage): Usage {
  const cost = a.cost === undefined && b.cost === undefined ? undefined : (a.cost ?? 0) + (b.cost ?? 0)
  return {
    input: a.input + b.input,
    cachedInput: a.cachedInput + b.cachedInput,
    output: a.output + b.output,
    ...(cost === undefined ? {} : { cost }),
  }
}
