import { point, service, type Service } from '@mynah/kernel'
import type { Channel } from '@mynah/contract/types'
import type { ExecDecision, ExecVerdict, PartDecision } from './policy/types.js'
import type { ExecLevel } from './levels/level.js'
import type { Destination } from './proxy/destinations.js'
import type { RunResult } from './run/run-command.js'

export type { ExecDecision, ExecVerdict, PartDecision } from './policy/types.js'
export type { ExecLevel } from './levels/level.js'
export type { Destination } from './proxy/destinations.js'
export type { RunResult } from './run/run-command.js'
export { namesSecret } from './policy/path-rules.js'

/** The marker in a result that needs the owner's confirmation. */
export const NEEDS_OWNER = 'MYNAH_NEEDS_OWNER'

/**
 * The origin of a request, of a command as of any other action. A sub-agent passes on the origin that it was started
 * from. Without adapter and endpoint there is no owner to ask.
 */
export interface ExecOrigin {
  readonly adapter?: string | undefined
  readonly endpoint?: string | undefined
  readonly channel?: Pick<Channel, 'type' | 'id'> | undefined
  readonly user?: string | undefined
  /** A sub-agent asks, so `subagentExecApprovalMode` applies. */
  readonly subagent?: boolean | undefined
}

/** The origin of actions that no chat asks for: the console alone answers. */
export const CONSOLE_ORIGIN = { adapter: 'console', endpoint: 'console' } as const satisfies ExecOrigin

/** Returns the origin of a call of a tool. A turn without an endpoint, such as that of a job, asks in the console. */
export const askedBy = (origin: ExecOrigin): ExecOrigin =>
  origin.endpoint === undefined ? { ...origin, ...CONSOLE_ORIGIN } : origin

/** A call of a turn that waits for the owner. */
export interface Asker {
  readonly turn: string
  readonly call: string
}

/** The origin and the working directory that a command is evaluated for. */
export interface ExecContext {
  readonly origin?: ExecOrigin | undefined
  /**
   * The absolute working directory, from which paths are checked. The default is `workspace` next to the configuration.
   */
  readonly cwd?: string | undefined
  /**
   * A folder above the working directory. From there on no part of the way is followed where it is a link, since
   * commands may have made it. The default is the working directory itself.
   */
  readonly base?: string | undefined
}

/** A request for a command. */
export interface ExecAsk extends ExecContext {
  readonly origin: ExecOrigin
  /** See {@link ApprovalRequest.asker}. */
  readonly asker?: Asker | undefined
}

/** The options of a run. */
export interface ExecRun extends ExecAsk {
  /** Milliseconds after which everything that the command started is killed. The default is two minutes. */
  readonly limitMs?: number | undefined
  /** Variables added to the environment of the command. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Receives the output of both streams in order of arrival, also beyond `maxOutput`. */
  readonly onOutput?: ((text: string) => void) | undefined
  /** Kills the command when it aborts. A pending request is not withdrawn by it, see {@link Approvals.withdraw}. */
  readonly signal?: AbortSignal | undefined
  /** Characters of output that are kept. The default is 50,000. */
  readonly maxOutput?: number | undefined
}

/** An allowed command, with the id of the owner's approval if it needed one. */
export interface Allowed {
  readonly verdict: 'allow'
  readonly decision: ExecDecision
  readonly approvalId?: string
  readonly marker?: undefined
}
/** A command that waits for the owner, with the id of the request. */
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

/** The result of a command, with what held it back. */
export interface ExecResult extends RunResult {
  /** The hosts that it has reached or was kept from. Empty below level `wall`. */
  readonly destinations: readonly Destination[]
  /** The ids of the requests for hosts that were refused. */
  readonly requested: readonly string[]
}

/** The level that holds commands on this machine. */
export interface ExecLevelInfo {
  readonly level: ExecLevel
  /** Why the stronger levels do not hold here, or why they are not used. */
  readonly reasons: readonly string[]
}

/** The answer to a command, with its result if it was run. */
export type ExecOutcome =
  | (Allowed & { readonly result: ExecResult })
  | ((NeedsOwner | Denied) & { readonly result?: undefined })

/** One line of the audit: origin, text, decision and result, without output. */
export interface AuditEntry {
  readonly id: string
  readonly at: number
  /**
   * `refused` is a request to the host by one of its own processes, `net` a host and `path` a path that a command
   * wanted to reach, `allow` a host or path that an owner has allowed for good.
   */
  readonly kind: 'decision' | 'run' | 'answer' | 'refused' | 'net' | 'path' | 'allow'
  readonly adapter: string | null
  readonly endpointId: string | null
  readonly channel: string | null
  readonly userId: string | null
  readonly subagent: boolean
  readonly verdict: ExecVerdict
  /**
   * The rules of the policy that decided, `approval`, or the answerer: `owner:<id>` or `console:<name of the token>`.
   */
  readonly rule: string
  /** First words of the parts. */
  readonly programs: string
  /** The text of the command or the name of the action, without secrets. Empty in lines of older versions. */
  readonly text: string | null
  /** SHA-256 of the exact text, to find the lines about one command. */
  readonly digest: string
  readonly approvalId: string | null
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  readonly durationMs: number | null
  /** The level that held the command. */
  readonly level?: string | null
  readonly host?: string | null
  readonly port?: number | null
  /** The address that was dialled. */
  readonly address?: string | null
  /** Bytes to the host and from it. */
  readonly bytes?: number | null
  /** A path outside of what commands see, and whether the command wanted to change it. */
  readonly path?: string | null
  readonly writes?: boolean | null
}

/**
 * Shell commands under the policy of `ai.agent.exec*` and the owner's approvals.
 *
 * @example
 * const run = { origin, cwd: '/srv/project', limitMs: 60_000, signal }
 * let outcome = await ctx.exec.run('make all', run)
 * if (outcome.verdict === 'ask') {
 *   const end = await ctx.approvals
 *     .wait(outcome.approvalId, signal)
 *     .finally(() => signal.aborted && ctx.approvals.withdraw(outcome.approvalId))
 *   if (end === 'approved') outcome = await ctx.exec.run('make all', run)
 * }
 */
export interface ExecSecurity {
  /** Evaluates a command by the policy and the owner's permanent approvals, without a request. Never throws. */
  evaluate(command: string, context?: ExecContext): ExecDecision
  /**
   * Decides, and requests an approval if the owner is needed. The same text of the same origin waits once.
   * An existing approval makes the answer `allow`, and is not used up.
   *
   * @throws WireError `not_ready` while the store of requests is unavailable
   */
  request(command: string, context: ExecAsk): Promise<ExecAnswer>
  /**
   * Decides, and runs an allowed command or one that the owner has approved for exactly this text, origin and real
   * working directory. An approval is used once. Other commands are answered as by {@link ExecSecurity.request}. With
   * an `asker` no request is made: the answer has the id of the request that the asker makes itself. Returns within the
   * limit and a second.
   *
   * @throws Error if the command could not be started
   */
  run(command: string, run: ExecRun): Promise<ExecOutcome>
  /** Returns the mode for commands that nothing covers: `ai.agent.execApprovalMode`, or that of sub-agents. */
  approvalMode(subagent?: boolean): 'ask' | 'allow' | 'deny'
  /** Returns what holds commands here. The machine is probed once, by a command that tries what the levels forbid. */
  level(): Promise<ExecLevelInfo>
  /** Returns the last lines of the audit, newest first. */
  audit(options?: { readonly limit?: number }): Promise<readonly AuditEntry[]>
}
export const ExecSecurity: Service<ExecSecurity> = service<ExecSecurity>('exec-security', { plugin: 'exec-security' })

/** A kind of actions that need an approval. */
export interface ApprovalKind {
  /** Lower-case letters, digits and hyphens. */
  readonly name: string
  /** The kind in words, as the console shows it. */
  readonly title: Readonly<Record<string, string>>
}

/**
 * The kinds of this host: `bash`, `home`, `skill`, `job`, `pairing`, `host`, `path`, `package`, and those of plugins.
 *
 * @example ctx.contribute(approvalKinds, { name: 'door', title: { en: 'A door' } })
 */
export const approvalKinds = point<ApprovalKind>({ id: 'exec.approval-kinds', key: ({ name }) => name })

/** The end of a request. */
export type ApprovalEnd = 'approved' | 'denied' | 'expired' | 'withdrawn'

/** A request for the owner. */
export interface ApprovalRequest {
  /** The name of a kind in {@link approvalKinds}. */
  readonly kind: string
  /** One line that names the action. */
  readonly title: string
  /** The exact text that the approval is bound to. The same text of the same kind, origin and place waits once. */
  readonly text: string
  readonly origin: ExecOrigin
  /** The absolute path of the folder in which it happens. The approval is bound to the real one, not to its name. */
  readonly folder?: string | undefined
  /** Hosts and paths that the action may reach by this approval, such as `host:example.com`. They bind it as well. */
  readonly adds?: readonly string[] | undefined
  /** Why the owner is needed. */
  readonly reason: string
  readonly suggestion?: string | undefined
  readonly parts?: readonly PartDecision[] | undefined
  /**
   * The call that asks. The same call gets the same request and answer again, also after a restart, until the approval
   * is used or withdrawn.
   */
  readonly asker?: Asker | undefined
}

/** A request as the asking plugin sees it. */
export interface ApprovalView {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly status: 'pending' | 'approved' | 'denied' | 'expired' | 'used' | 'withdrawn'
  /** Milliseconds since the epoch. Until then the request can be answered, and an approval used. */
  readonly expiresAt: number
}

/**
 * The owner's approvals, for shell commands and for actions of other plugins. A request goes to the private chats of
 * the
 * masters of its endpoint and to the console. It is answered once, expires after 30 minutes and survives a restart.
 *
 * @example
 * const text = JSON.stringify(call)
 * const request = { kind: 'home', title: 'Unlock the front door', text, origin, reason: 'a lock' } as const
 * const { id } = await ctx.approvals.request(request)
 * const end = await ctx.approvals.wait(id, signal)
 * if (end === 'approved' && (await ctx.approvals.use('home', text, origin))) await unlock()
 */
export interface Approvals {
  /**
   * Stores a request and notifies the owner. Where it has an `asker`, a store that is unavailable is waited for.
   *
   * @throws WireError `conflict` if 50 requests wait for this endpoint, `invalid_request` for an unknown kind or an
   * origin without an endpoint, `not_ready` while the store is unavailable
   */
  request(request: ApprovalRequest): Promise<ApprovalView>
  /** Returns the id that this request has or will have, so that a caller can store it before the request is made. */
  idFor(
    request: Pick<ApprovalRequest, 'kind' | 'text' | 'origin' | 'folder' | 'adds'> & { readonly asker: Asker },
  ): Promise<string>
  /**
   * Answers a request, once.
   *
   * @throws WireError `not_found` for an unknown id, `conflict` for a request that has ended
   */
  decide(id: string, approve: boolean, by: string): Promise<void>
  /** Returns a request; `undefined` for an unknown id. */
  get(id: string): Promise<ApprovalView | undefined>
  /** Ends a request that is pending or approved and not used yet. An unknown or ended request is left as it is. */
  withdraw(id: string): Promise<void>
  /**
   * Resolves when the request has ended or is approved.
   *
   * @throws WireError `not_found` for an unknown id, and the reason of `signal` when it aborts
   */
  wait(id: string, signal?: AbortSignal): Promise<ApprovalEnd>
  /** Uses the approval for exactly this text, origin and folder. Returns whether there was one. */
  use(kind: string, text: string, origin: ExecOrigin, folder?: string): Promise<boolean>
  /** Returns the pending requests, oldest first. */
  pending(): Promise<readonly ApprovalView[]>
}
export const Approvals: Service<Approvals> = service<Approvals>('approvals', { plugin: 'exec-security' })

/** The part of the call of a tool that {@link askOwner} uses. */
export interface AskingCall {
  readonly origin: ExecOrigin
  readonly turn: string
  readonly id: string
  wait<T>(kind: string, id: string, done: (signal: AbortSignal) => Promise<T>): Promise<T>
}

/** Whether the host stops. The call runs again after the next start, so its request stays open. */
const isLeft = ({ reason }: AbortSignal): boolean =>
  reason instanceof Error && (reason as { readonly state?: unknown }).state === 'suspended'

/**
 * Asks the owner for the approval of one call of a tool, waits for the answer, and uses the approval. Call it before
 * the tool does anything: after a restart the tool runs again, and gets the same request and answer.
 *
 * @returns `approved` when the owner has approved exactly this, else how the request ended
 * @throws WireError as {@link Approvals.request}, and the reason of the turn's end
 * @example
 * run: async ({ order }, call) =>
 *   (await askOwner(ctx.approvals, call, { kind: 'refund', title: `Refund ${order}`, text: order, reason: 'money' }))
 *     === 'approved'
 *     ? refund(order)
 *     : 'The owner did not approve it.'
 */
export async function askOwner(
  approvals: Approvals,
  call: AskingCall,
  asked: Pick<ApprovalRequest, 'kind' | 'title' | 'text' | 'reason'>,
): Promise<ApprovalEnd> {
  const origin = askedBy(call.origin)
  const request = { ...asked, origin, asker: { turn: call.turn, call: call.id } }
  // The wait is recorded before the request is made. After a stop, the call is known to have done nothing.
  const end = await call.wait('approval', await approvals.idFor(request), async (signal) => {
    const { id } = await approvals.request(request)
    try {
      return await approvals.wait(id, signal)
    } catch (error) {
      if (!isLeft(signal)) await approvals.withdraw(id)
      throw error
    }
  })
  if (end !== 'approved') return end
  return (await approvals.use(asked.kind, asked.text, origin)) ? 'approved' : 'expired'
}
