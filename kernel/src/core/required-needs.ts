import type { Service } from '../base/token.js'
import type { AnyPlugin } from './plugin.js'

/** A need that a plugin waits for; references are not among them. */
export interface RequiredNeed {
  readonly name: string
  readonly service: Service<unknown>
  /** True for `ifEnabled`: required only while an enabled plugin declares the service. */
  readonly optional: boolean
}

/** Returns the needs of a plugin that it waits for. */
export function requiredNeeds({ needs = {} }: AnyPlugin): RequiredNeed[] {
  return Object.entries(needs).flatMap(([name, need]): RequiredNeed[] => {
    if (need.kind === 'ref') return []
    const optional = need.kind === 'if-enabled'
    return [{ name, service: optional ? need.service : need, optional }]
  })
}
