// What other plugins may know of command execution: the service that decides and runs, and the owner's approvals.
import { service, type Service } from '@mynah/kernel'
import type { Channel } from '@mynah/contract/types'
import type { ExecDecision, ExecVerdict, PartDecision } from './policy/types.js'
import type { RunResult } from './run/run-command.js'
import type { SandboxProbe } from './run/sandbox.js'

export type { ExecDecision, ExecVerdict, PartDecision } from './policy/types.js'
export type { RunResult } from './run/run-command.js'
export type { SandboxProbe } from './run/sandbox.js'
export { namesSecret } from './policy/path-rules.js'

/** Stands in a result that needs the owner's confirmation. */
export const NEEDS_OWNER = 'MYNAH_NEEDS_OWNER'

/** On whose behalf something is to happen; a sub-agent passes on the origin that it was started from. */
export interface ExecOrigin {
  readonly adapter?: string | undefined
  readonly endpointId?: string | undefined
  readonly channel?: Pick<Channel, 'type' | 'id'> | undefined
  readonly userId?: string | undefined
  /** A sub-agent asks: `subagentExecApprovalMode` holds. */
  readonly subagent?: boolean | undefined
}

/** A call of a turn that waits for the owner. */
export interface Asker {
  readonly turn: string
  readonly call: string
}

/** For whom and where a command is judged. */
export interface ExecContext {
  readonly origin?: ExecOrigin | undefined
  /** The absolute working directory; without it the folder `workspace` beside the configuration. Paths are judged from there. */
  readonly cwd?: string | undefined
}

/** Who asks for a command. */
export interface ExecAsk extends ExecContext {
  readonly origin: ExecOrigin
  /** See {@link ApprovalRequest.asker}. */
  readonly asker?: Asker | undefined
}

/** How a command is to be run. */
export interface ExecRun extends ExecAsk {
  /** After this many milliseconds everything that the command started is killed; two minutes unless told. */
  readonly limitMs?: number | undefined
  /** Variables added to those that a command is given. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Receives output as it comes, both streams in order of arrival, without the limit on what is kept. */
  readonly onOutput?: ((text: string) => void) | undefined
  /** Kills the command when it aborts. A request that waits is not withdrawn by it: see {@link Approvals.withdraw}. */
  readonly signal?: AbortSignal | undefined
  /** How many characters of output are kept; 50,000 unless told. */
  readonly maxOutput?: number | undefined
}

/** An allowed command; by the owner's approval of that id where it needed one. */
export interface Allowed {
  readonly verdict: 'allow'
  readonly decision: ExecDecision
  readonly approvalId?: string
  readonly marker?: undefined
}
/** The request of that id waits for the owner. */
export interface NeedsOwner {
  readonly verdict: 'ask'
  readonly decision: ExecDecision
  readonly approvalId: string
  readonly marker: typeof NEEDS_OWNER
}
export interface Denied {
  readonly verdict: 'deny'
  readonly decision: ExecDecision
  readonly approvalId?: undefined
  readonly marker?: undefined
}

/** The answer to a command. */
export type ExecAnswer = Allowed | NeedsOwner | Denied

/** An answer with what became of the command, where it was run. */
export type ExecOutcome =
  | (Allowed & { readonly result: RunResult })
  | ((NeedsOwner | Denied) & { readonly result?: undefined })

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
  /** What decided: rules of the policy, `approval`, or who answered (`owner:<id>`, `console:<name of the token>`). */
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

/**
 * Shell commands under the policy of `ai.agent.exec*` and the owner's approvals.
 *
 * @example
 * const run = { origin, cwd: '/srv/project', limitMs: 60_000, signal }
 * let outcome = await ctx.exec.run('make all', run)
 * if (outcome.verdict === 'ask') {
 *   const end = await ctx.approvals.wait(outcome.approvalId, signal).finally(() => signal.aborted && ctx.approvals.withdraw(outcome.approvalId))
 *   if (end === 'approved') outcome = await ctx.exec.run('make all', run)
 * }
 */
export interface ExecSecurity {
  /** What the policy and the owner's standing approvals say; asks nobody and keeps nothing. Never throws. */
  evaluate(command: string, context?: ExecContext): ExecDecision
  /**
   * Decides; where the owner is needed, a request is kept and the owner is told. The same text of the same origin waits once.
   * An approval that was given already makes it `allow`, and is not used by this. Throws `not_ready` while the store of requests is away.
   */
  request(command: string, context: ExecAsk): Promise<ExecAnswer>
  /**
   * Decides and runs what is allowed, or what the owner has approved for exactly this text and origin; an approval is used
   * once. Everything else is answered as by {@link ExecSecurity.request}; with an `asker` no request is made, only its id is
   * told, as that asks by itself when it has written down for what it waits. Returns within the limit and a second. Rejects only when the command could not be
   * started.
   */
  run(command: string, run: ExecRun): Promise<ExecOutcome>
  /** What becomes of something that nothing covers: `ai.agent.execApprovalMode`, or that of sub-agents. */
  approvalMode(subagent?: boolean): 'ask' | 'allow' | 'deny'
  /** Whether commands run in a sandbox here, and why not. Tried once, by running it. */
  sandbox(): Promise<SandboxProbe>
  /** The last lines of the audit, newest first. */
  audit(options?: { readonly limit?: number }): Promise<readonly AuditEntry[]>
}
export const ExecSecurity: Service<ExecSecurity> = service<ExecSecurity>('exec-security')

/** What an owner may be asked about. */
export type ApprovalKind = 'bash' | 'home' | 'skill' | 'job'

/** How a request ended. */
export type ApprovalEnd = 'approved' | 'denied' | 'expired' | 'withdrawn'

/** What the owner is asked. */
export interface ApprovalRequest {
  readonly kind: ApprovalKind
  /** One line about what is to happen. */
  readonly title: string
  /** Everything that the approval is bound to, exactly: the same text of the same kind and origin waits once. */
  readonly text: string
  readonly origin: ExecOrigin
  /** Why the owner is needed. */
  readonly reason: string
  readonly suggestion?: string | undefined
  readonly parts?: readonly PartDecision[] | undefined
  /** What the same call asks again, after a restart too, is the same request with the answer that it has, until that was used or withdrawn. */
  readonly asker?: Asker | undefined
}

/** A request as its asker sees it. */
export interface ApprovalView {
  readonly id: string
  readonly kind: ApprovalKind
  readonly title: string
  readonly status: 'pending' | 'approved' | 'denied' | 'expired' | 'used' | 'withdrawn'
  /** Milliseconds since the epoch; until then it may be answered, and once approved, used. */
  readonly expiresAt: number
}

/**
 * The owner's approvals, for shell commands and everything else that needs one. A request goes to the private chats of the
 * masters of its endpoint and to the console, is answered once, expires after 30 minutes, and survives a restart.
 *
 * @example
 * const request = { kind: 'home', title: 'Unlock the front door', text: JSON.stringify(call), origin, reason: 'a lock' } as const
 * const { id } = await ctx.approvals.request(request)
 * if (await ctx.approvals.wait(id, signal) === 'approved' && await ctx.approvals.use('home', request.text, origin)) await unlock()
 */
export interface Approvals {
  /** Keeps a request and tells the owner. Throws `conflict` when 50 wait for this endpoint, `not_ready` while the store is away. */
  request(request: ApprovalRequest): Promise<ApprovalView>
  /** The id that this request has, or will have when it is made: whoever writes it down first finds it again, whatever stops in between. */
  idFor(request: Pick<ApprovalRequest, 'kind' | 'text' | 'origin'> & { readonly asker: Asker }): Promise<string>
  /** Answers a request, once. Throws `not_found` for an unknown id, `conflict` for one that is over. */
  decide(id: string, approve: boolean, by: string): Promise<void>
  /** Ends a request whose asker has gone, pending or approved and not used yet. An id that is unknown or over is left as it is. */
  withdraw(id: string): Promise<void>
  /** Resolves when the request is over, or approved. Throws `not_found` for an unknown id, and the reason of `signal`. */
  wait(id: string, signal?: AbortSignal): Promise<ApprovalEnd>
  /** Uses the approval for exactly this, if there is one; says whether. */
  use(kind: ApprovalKind, text: string, origin: ExecOrigin): Promise<boolean>
  /** Requests that wait, oldest first. */
  pending(): Promise<readonly ApprovalView[]>
}
export const Approvals: Service<Approvals> = service<Approvals>('approvals')
