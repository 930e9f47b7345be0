// Policies and shorthands for the table tests.
import { expect } from 'chai'
import { evaluateCommand } from '../policy/index.js'
import type { ExecDecision, ExecPolicy } from '../policy/index.js'

/** A policy with everything not mentioned at its strictest but still in use. */
export function policy(over: Partial<ExecPolicy> = {}): ExecPolicy {
  return { execSecurity: 'allowlist', execPreset: 'custom', execAllowlist: [], execApprovalMode: 'deny', ...over }
}

export const readonly = policy({ execPreset: 'readonly' })
export const network = policy({ execPreset: 'network' })
export const development = policy({ execPreset: 'development' })
export const full = policy({ execSecurity: 'full' })

/** The same policy with questions instead of refusals. */
export function asking(base: ExecPolicy): ExecPolicy {
  return { ...base, execApprovalMode: 'ask' }
}

/** The same policy that lets through what nothing covers. */
export function permissive(base: ExecPolicy): ExecPolicy {
  return { ...base, execApprovalMode: 'allow' }
}

/** One test for each command. */
export function everyCommand(verdict: ExecDecision['verdict'], base: ExecPolicy, commands: readonly string[]): void {
  for (const command of commands) {
    it(`${verdict}: ${JSON.stringify(command)}`, () => {
      const decision = evaluateCommand(command, base)
      expect(decision.verdict, decision.reason).to.equal(verdict)
    })
  }
}
