// What other plugins may know of command execution: the service that decides, asks the owner and runs.
import { service, type Service } from '@mynah/kernel'
import type { Channel } from '@mynah/contract/types'
import type { ExecDecision, ExecVerdict } from './policy/types.js'
import type { RunOptions, RunResult } from './run/run-command.js'

export type { ExecDecision, ExecVerdict, PartDecision } from './policy/types.js'
export type { RunOptions, RunResult } from './run/run-command.js'

/** Stands in a result that needs the owner's confirmation. */
export const NEEDS_OWNER = 'MYNAH_NEEDS_OWNER'

/** On whose behalf a command is to run; a sub-agent passes on the origin that it was started from. */
export interface ExecOrigin {
  readonly adapter?: string | undefined
  readonly endpointId?: string | undefined
  readonly channel?: Pick<Channel, 'type' | 'id'> | undefined
  readonly userId?: string | undefined
  /** A sub-agent asks: `subagentExecApprovalMode` holds. */
  readonly subagent?: boolean | undefined
}

/** An allowed command; by the owner's approval of that id where it needed one. */
export interface Allowed { readonly verdict: 'allow'; readonly decision: ExecDecision; readonly approvalId?: string; readonly marker?: undefined }
/** The request of that id waits for the owner. */
export interface NeedsOwner { readonly verdict: 'ask'; readonly decision: ExecDecision; readonly approvalId: string; readonly marker: typeof NEEDS_OWNER }
export interface Denied { readonly verdict: 'deny'; readonly decision: ExecDecision; readonly approvalId?: undefined; readonly marker?: undefined }

/** The answer to a command. */
export type ExecAnswer = Allowed | NeedsOwner | Denied

/** An answer with what became of the command, where it was run. */
export type ExecOutcome = (Allowed & { readonly result: RunResult }) | ((NeedsOwner | Denied) & { readonly result?: undefined })

/** How a request ended. */
export type ApprovalEnd = 'approved' | 'denied' | 'expired'

/** One line of the audit: who, where, what was decided and what became of it; neither output nor the text of the command. */
export interface AuditEntry {
  readonly id: string
  readonly at: number
  readonly kind: 'decision' | 'run' | 'answer'
  readonly adapter: string | null
  readonly endpointId: string | null
  readonly channel: string | null
  readonly userId: string | null
  readonly subagent: boolean
  readonly verdict: ExecVerdict
  /** What decided: rules of the policy, `approval`, or who answered. */
  readonly rule: string
  /** First words of the parts. */
  readonly programs: string
  /** SHA-256 of the exact text, by which lines about one command are found. */
  readonly digest: string
  readonly approvalId: string | null
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  readonly durationMs: number | null
}

/** Shell commands under the policy of `ai.agent.exec*` and the owner's approvals. */
export interface ExecSecurity {
  /** What the policy and the owner's standing approvals say; asks nobody and keeps nothing. */
  check(command: string, origin?: ExecOrigin): ExecDecision
  /** Decides; where the owner is needed, a request is kept and the owner is told. The same text of the same origin waits once. */
  request(command: string, origin: ExecOrigin): Promise<ExecAnswer>
  /**
   * Decides and runs what is allowed, or what the owner has approved for exactly this text and origin; an approval is used
   * once. Everything else is answered as by {@link ExecSecurity.request}.
   */
  run(command: string, origin: ExecOrigin, options: RunOptions): Promise<ExecOutcome>
  /** Resolves when the request is answered or expires. Throws `not_found` for an unknown id, and the reason of `signal`. */
  waitForApproval(id: string, signal?: AbortSignal): Promise<ApprovalEnd>
  /** The last lines of the audit, newest first. */
  audit(options?: { readonly limit?: number }): Promise<readonly AuditEntry[]>
}
export const ExecSecurity: Service<ExecSecurity> = service<ExecSecurity>('exec-security')
