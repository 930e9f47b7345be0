// A family of attacks: one idea, spelled in many ways, each of which must be an attack in real bash and must not be allowed.
import type { ExecPolicy } from '../../policy/index.js'

/** One spelling, and whether bash is asked to prove that it is an attack. */
export interface Attack {
  readonly command: string
  /** The policy under which it must not be allowed. */
  readonly policy: Partial<ExecPolicy>
  /** Needs programs or a machine that a test does not have: only judged. */
  readonly unproven?: true
}

export interface Family {
  readonly name: string
  readonly attacks: readonly Attack[]
}

/** Every combination of some lists, put together. */
export function combine<A, B>(first: readonly A[], second: readonly B[], make: (a: A, b: B) => string): string[] {
  return first.flatMap((a) => second.map((b) => make(a, b)))
}

export const readonlyPreset: Partial<ExecPolicy> = { execPreset: 'readonly' }
export const networkPreset: Partial<ExecPolicy> = { execPreset: 'network' }
export const developmentPreset: Partial<ExecPolicy> = { execPreset: 'development' }
export const full: Partial<ExecPolicy> = { execSecurity: 'full' }

export const attacks = (policy: Partial<ExecPolicy>, commands: readonly string[], unproven?: true): Attack[] =>
  commands.map((command) => ({ command, policy, ...(unproven ? { unproven } : {}) }))
