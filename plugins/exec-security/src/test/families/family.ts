// A family of attacks: one idea, spelled in many ways, each of which must be an attack in real bash and must not be
// allowed.
import type { ExecPolicy } from '../../policy/index.js'

/**
 * How bash proves an attack: `effect` by what it shows, changes, runs or reaches, `accepts` by a program that takes the
 * option in its meaning, `parses` by being a program of bash at all. Other attacks cannot be proven here, for a reason
 * that holds on every machine.
 */
export type Proof = 'effect' | 'accepts' | 'parses' | { readonly because: string }

/** One spelling, and how it is proved. */
export interface Attack {
  readonly command: string
  /** The policy under which it must not be allowed. */
  readonly policy: Partial<ExecPolicy>
  /** The default is `effect`. */
  readonly proof?: Proof
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

export const attacks = (policy: Partial<ExecPolicy>, commands: readonly string[], proof: Proof = 'effect'): Attack[] =>
  commands.map((command) => ({ command, policy, proof }))
