import { isWireError } from '@mynah/contract'
import { messageOf, type Clock, type Logger, type Ref } from '@mynah/kernel'
import { MINUTE_MS, SECOND_MS } from '@mynah/kernel/util'
import { TASK_SESSION, untilStored, type Agent } from '@mynah/plugin-agent/api'
import { NEEDS_OWNER, type ApprovalEnd, type Approvals } from '@mynah/plugin-exec-security/api'
import type { Task } from './types.js'

/** Longest work of a round, not counting waits for the owner, in milliseconds. */
const TASK_TIMEOUT_MS = 30 * MINUTE_MS
/** Rounds of a task, each after answers of the owner. */
const MAX_ROUNDS = 6
/** Time until the approvals are asked again, when a wait failed, in milliseconds. */
const RETRY_MS = 5 * SECOND_MS
const REQUEST_MARKER = new RegExp(`^${NEEDS_OWNER} (\\w{1,64})`)

/** The parts of the host that a worker works with. */
export interface WorkerParts {
  readonly agent: Agent
  readonly approvals: Ref<Approvals>
  readonly clock: Clock
  readonly log: Logger
}

/** The signals that end the work on a task. */
export interface WorkerSignals {
  /** The task is stopped. */
  readonly stopped: AbortSignal
  /** The host stops. The turn of the sub-agent stays open until then, as any other does. */
  readonly leaving: AbortSignal
}

/** Whether a task that a stop has left open only waits for the owner, so that it can go on. */
export const onlyWaits = ({ state, worker, asked }: Task): boolean =>
  state === 'waiting' && worker !== null && asked.length > 0

/** The sub-agent of one task: works in rounds, and waits for the owner between two of them. */
export class Worker {
  readonly #parts: WorkerParts
  readonly #task: Task
  readonly #change: (changes: Partial<Task>) => Promise<unknown>
  readonly #stopped: AbortSignal
  /** Either signal. */
  readonly #signal: AbortSignal
  readonly #requests: Set<string>

  /** @param change stores changes of the task */
  constructor(
    parts: WorkerParts,
    task: Task,
    change: (changes: Partial<Task>) => Promise<unknown>,
    { stopped, leaving }: WorkerSignals,
  ) {
    this.#parts = parts
    this.#task = task
    this.#change = change
    this.#stopped = stopped
    this.#signal = AbortSignal.any([stopped, leaving])
    this.#requests = new Set(task.requests)
  }

  /** Runs the sub-agent, again after each answer of the owner. A task that waits goes on waiting first. */
  async run(): Promise<string> {
    let asked: readonly string[] = onlyWaits(this.#task) ? this.#task.asked : []
    // The turn that a stop has left open ends first.
    if (asked.length > 0) await this.#orEnd(this.#parts.agent.isRunning(this.#task.turn))
    let text = this.#task.prompt
    for (let { round } = this.#task; ; round++) {
      if (asked.length === 0) {
        const answer = await this.#work(text)
        if (answer.asked.length === 0 || !this.#parts.approvals.declared || round === MAX_ROUNDS) return answer.text
        asked = answer.asked
        // The next round is stored with its requests: after a restart the wait goes on, and no work is repeated.
        await this.#change({ state: 'waiting', asked, round })
      }
      text = await this.#answersTo(asked)
      asked = []
      await this.#change({ state: 'running', asked, round: round + 1 })
    }
  }

  /** Withdraws the requests that the task has made. */
  withdraw(): Promise<void> {
    return withdrawAll(this.#parts, [...this.#requests])
  }

  async #work(text: string): Promise<{ readonly text: string; readonly asked: readonly string[] }> {
    const { id, agent: name, origin, roles, worker } = this.#task
    const asked = new Set<string>()
    const asking = this.#parts.agent.ask({
      text,
      agent: name,
      sessionKey: sessionOf(id),
      origin,
      roles: new Set(roles),
      ...(worker ?? { tools: [] }),
      subagent: true,
      timeout: TASK_TIMEOUT_MS,
      signal: this.#stopped,
      onResult: (_name, output) => {
        const request = REQUEST_MARKER.exec(output.slice(0, 200))?.[1]
        if (request !== undefined && this.#requests.has(request)) asked.add(request)
      },
      // Store the id before the request is made, so that it can be withdrawn after a crash.
      onWait: async (kind, request) => {
        if (kind !== 'approval' || this.#requests.has(request)) return
        this.#requests.add(request)
        await this.#change({ requests: [...this.#requests] })
      },
    })
    const answer = await this.#orEnd(asking)
    return { text: answer.text, asked: [...asked] }
  }

  /** Resolves as `work` does, and rejects when the task is stopped or the host stops. */
  async #orEnd<T>(work: Promise<T>): Promise<T> {
    const over = new AbortController()
    try {
      return await Promise.race([work, aborted(this.#signal, over.signal)])
    } finally {
      over.abort()
    }
  }

  /** Waits for the owner. Returns what he has answered, for the sub-agent. */
  async #answersTo(asked: readonly string[]): Promise<string> {
    const lines: string[] = []
    for (const id of asked) lines.push(`${NEEDS_OWNER} ${id}: ${END_TEXTS[await this.#endOf(id)]}`)
    return `The owner has answered. ${lines.join('; ')}. Go on with the task and give its result.`
  }

  /**
   * Waits for the end of a request, however often the approvals are unavailable meanwhile. Unknown ids count as
   * withdrawn, because tool output may contain the marker.
   */
  async #endOf(id: string): Promise<ApprovalEnd> {
    const { approvals } = this.#parts
    for (;;) {
      this.#signal.throwIfAborted()
      try {
        if (approvals.current) return await approvals.current.wait(id, this.#signal)
      } catch (error) {
        if (isWireError(error) && error.code === 'not_found') return 'withdrawn'
        this.#signal.throwIfAborted()
        this.#parts.log.debug(`a wait for the owner is repeated: ${messageOf(error)}`)
      }
      await this.#untilApprovalsChange()
    }
  }

  /** Resolves when the approvals come or go, after a time, or when the task is stopped. */
  #untilApprovalsChange(): Promise<void> {
    const { approvals, clock } = this.#parts
    return new Promise((resolve) => {
      const end = (): void => {
        unsubscribe()
        cancel()
        this.#signal.removeEventListener('abort', end)
        resolve()
      }
      const unsubscribe = approvals.onChange(end)
      const cancel = clock.setTimeout(end, RETRY_MS)
      this.#signal.addEventListener('abort', end, { once: true })
    })
  }
}

/** Returns the key of the session of a sub-agent. */
export const sessionOf = (task: string): string => `${TASK_SESSION}${task}`

/**
 * Rejects with the reason of `signal` when that aborts.
 *
 * @param over ends the wait: the promise stays open then
 */
export function aborted(signal: AbortSignal, over?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', end, { once: true, ...(over ? { signal: over } : {}) })
    if (signal.aborted) end()
  })
}

/**
 * Returns those requests of a task that can still be answered, or were approved and not used. Waits while the store of
 * the approvals is unavailable.
 */
export async function openRequests(
  { approvals, clock }: Pick<WorkerParts, 'approvals' | 'clock'>,
  { requests }: Task,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const open: string[] = []
  for (const id of requests) {
    const request = await untilStored(async () => approvals.current?.get(id), clock, signal)
    if (request?.status === 'approved' || request?.status === 'pending') open.push(id)
  }
  return open
}

/** Withdraws requests that are no longer needed. Never rejects. */
export async function withdrawAll(
  { approvals, log }: Pick<WorkerParts, 'approvals' | 'log'>,
  requests: readonly string[],
): Promise<void> {
  for (const id of requests) {
    await approvals.current
      ?.withdraw(id)
      .catch((error: unknown) => log.warn(`failed to withdraw request ${id} of a task: ${messageOf(error)}`))
  }
}

const END_TEXTS = {
  approved: 'approved; run exactly that command again',
  denied: 'refused; do without it',
  expired: 'not answered in time; do without it',
  withdrawn: 'withdrawn; do without it',
} as const
