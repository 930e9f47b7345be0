import { messageOf, type Clock, type Logger, type Ref } from '@mynah/kernel'
import { MINUTE_MS, SECOND_MS } from '@mynah/kernel/util'
import { isWireError } from '@mynah/contract'
import { ConcurrencyLimiter, type Agent, type BackgroundWork } from '@mynah/plugin-agent/api'
import type { Chat } from '@mynah/plugin-chat/api'
import { NEEDS_OWNER, type ApprovalEnd, type Approvals } from '@mynah/plugin-exec-security/api'
import type { Task, TaskStore } from './types.js'
import { resultText } from './texts.js'

/** Longest work of a task, not counting waits for the owner, in milliseconds. */
const TASK_TIMEOUT_MS = 30 * MINUTE_MS
/** Tasks that may be queued. */
const MAX_QUEUED = 32
/** Rounds of a task, each after answers of the owner. */
const MAX_ROUNDS = 6
/** Time that a turn resumed after a restart has to ask for its task again, in milliseconds. */
const CLAIM_MS = 60 * SECOND_MS
const REQUEST_MARKER = new RegExp(`^${NEEDS_OWNER} (\\w{1,64})`)

/** The abort reason of a task that was stopped. */
class TaskStopped extends Error {
  override readonly name = 'TaskStopped'
  /** Whether the stop is known to the chat, so that no notice is needed. */
  readonly isReported: boolean

  constructor(message: string, isReported: boolean) {
    super(message)
    this.isReported = isReported
  }
}

/** How a sub-agent works on a task. */
export interface WorkerOptions {
  readonly tools: readonly string[]
  readonly system: string
  readonly maxSteps: number
}

/** The parts of the host that tasks work with. */
interface TaskParts {
  readonly agent: Agent
  readonly chat: Ref<Chat>
  readonly approvals: Ref<Approvals>
  readonly store: TaskStore
  readonly clock: Clock
  readonly log: Logger
}

interface ActiveTask {
  task: Task
  readonly control: AbortController
  readonly ended: Promise<Task>
}

/** Runs tasks as sub-agents, and delivers each result once: to the waiting turn or to the chat. */
export class Tasks implements BackgroundWork {
  readonly name = 'tasks'
  readonly #parts: TaskParts
  readonly #limiter = new ConcurrencyLimiter({ inSession: 4, inAll: 8 })
  readonly #active = new Map<string, ActiveTask>()
  /** Approval requests of interrupted tasks, to be withdrawn. */
  #abandoned: string[] = []
  #closed = false

  constructor(parts: TaskParts) {
    this.#parts = parts
  }

  get full(): boolean {
    return this.#limiter.waiting >= MAX_QUEUED
  }

  running(): ReturnType<BackgroundWork['running']> {
    return Array.from(this.#active.values(), ({ task: { id, session, turn, origin } }) => ({
      id,
      sessionKey: session,
      turnId: turn,
      origin,
    }))
  }

  stop(id: string, isReported: boolean): void {
    this.#active.get(id)?.control.abort(new TaskStopped('it was stopped', isReported))
  }

  /** Starts a task, or returns the one that the same call has started before. */
  async start(task: Task, options: WorkerOptions): Promise<Task> {
    const known = this.#active.get(task.id)
    if (known) return known.task
    const stored = await this.#parts.store.add(task)
    if (stored.createdAt !== task.createdAt || stored.state !== 'queued') {
      // A stop has interrupted the task, whether or not that is stored already.
      const ended = stored.endedAt === null ? await this.#interrupt(stored) : stored
      await this.withdrawAbandoned()
      return this.#change(ended, { waited: task.waited })
    }
    const control = new AbortController()
    const ended = Promise.resolve().then(() => this.#run(task.id, options, control.signal))
    this.#active.set(task.id, { task: stored, control, ended })
    void ended.then((end) => this.#active.delete(end.id))
    return stored
  }

  /**
   * Waits at most `ms` milliseconds for the end of a task. After that it continues in the background, and its result
   * goes to the chat. An abort of `signal` stops the task.
   */
  async waitFor(id: string, ms: number, signal: AbortSignal): Promise<Task | undefined> {
    const active = this.#active.get(id)
    // The task has ended in the meantime.
    if (!active) return this.#parts.store.get(id)
    const stop = (): void => active.control.abort(new TaskStopped('it was stopped', true))
    let cancel: (() => void) | undefined
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    try {
      const timeout = new Promise<undefined>((resolve) => {
        cancel = this.#parts.clock.setTimeout(() => resolve(undefined), ms)
      })
      const end = await Promise.race([active.ended, timeout])
      if (end === undefined) await this.#change(active.task, { waited: false })
      return end
    } finally {
      cancel?.()
      signal.removeEventListener('abort', stop)
    }
  }

  /** Records that the turn has the result. */
  async delivered(task: Task): Promise<void> {
    if (task.deliveredAt === null) await this.#change(task, { deliveredAt: this.#parts.clock.now(), waited: false })
  }

  async #change(task: Task, changes: Partial<Task>): Promise<Task> {
    await this.#parts.store.change(task.id, changes)
    const active = this.#active.get(task.id)
    const changed = { ...(active?.task ?? task), ...changes }
    if (active) active.task = changed
    return changed
  }

  async #run(id: string, options: WorkerOptions, signal: AbortSignal): Promise<Task> {
    const { task } = this.#active.get(id) as ActiveTask
    const end = await this.#outcome(task, options, signal)
    let ended = this.#active.get(id)?.task ?? task
    // The host stops. The next start reports the task as interrupted.
    if (this.#closed) return ended
    try {
      const now = this.#parts.clock.now()
      const isReported = signal.reason instanceof TaskStopped && signal.reason.isReported
      ended = await this.#change(ended, {
        ...end,
        endedAt: now,
        ...(end.state === 'stopped' && (isReported || ended.waited) ? { deliveredAt: now } : {}),
      })
      if (!ended.waited && ended.deliveredAt === null) await this.#notify(ended)
    } catch (error) {
      this.#parts.log.error(`failed to store the end of a task: ${messageOf(error)}`, { task: id })
    }
    return ended
  }

  async #outcome(task: Task, options: WorkerOptions, signal: AbortSignal): Promise<Pick<Task, 'state' | 'result'>> {
    let acquired = false
    try {
      await this.#limiter.acquire(task.session, signal)
      acquired = true
      return {
        state: 'done',
        result: await this.#converse(await this.#change(task, { state: 'running' }), options, signal),
      }
    } catch (error) {
      if (signal.aborted) return { state: 'stopped', result: messageOf(signal.reason) }
      return { state: 'failed', result: messageOf(error) }
    } finally {
      if (acquired) this.#limiter.release(task.session)
      await this.#parts.agent
        .endSession(`task|${task.id}`)
        .catch((error: unknown) => this.#parts.log.warn(`failed to end the session of a task: ${messageOf(error)}`))
    }
  }

  /** Runs the sub-agent, again after each answer of the owner. Open requests are withdrawn at the end. */
  async #converse(task: Task, { tools, system, maxSteps }: WorkerOptions, signal: AbortSignal): Promise<string> {
    const { agent, approvals } = this.#parts
    const requests = new Set<string>()
    let text = task.prompt
    try {
      for (let round = 1; ; round++) {
        const asked = new Set<string>()
        const answer = await agent.ask({
          text,
          agent: task.agent,
          sessionKey: `task|${task.id}`,
          origin: task.origin,
          roles: new Set(task.roles),
          tools,
          system,
          maxSteps,
          subagent: true,
          timeout: TASK_TIMEOUT_MS,
          signal,
          onResult: (_name, output) => {
            const id = REQUEST_MARKER.exec(output.slice(0, 200))?.[1]
            if (id !== undefined && requests.has(id)) asked.add(id)
          },
          // Store the id before the request is made, so that it can be withdrawn after a crash.
          onWait: async (kind, id) => {
            if (kind !== 'approval' || requests.has(id)) return
            requests.add(id)
            await this.#change(task, { requests: [...requests] })
          },
        })
        const owner = approvals.current
        if (asked.size === 0 || !owner || round === MAX_ROUNDS) return answer.text
        await this.#change(task, { state: 'waiting' })
        const lines: string[] = []
        for (const id of asked) lines.push(`${NEEDS_OWNER} ${id}: ${END_TEXTS[await requestEnd(owner, id, signal)]}`)
        await this.#change(task, { state: 'running' })
        text = `The owner has answered. ${lines.join('; ')}. Go on with the task and give its result.`
      }
    } finally {
      await this.#withdraw([...requests])
    }
  }

  async #withdraw(requests: readonly string[]): Promise<void> {
    for (const id of requests) {
      await this.#parts.approvals.current
        ?.withdraw(id)
        .catch((error: unknown) =>
          this.#parts.log.warn(`failed to withdraw request ${id} of a task: ${messageOf(error)}`),
        )
    }
  }

  /** Withdraws requests of interrupted tasks. Called again when the approvals become available. */
  async withdrawAbandoned(): Promise<void> {
    if (this.#parts.approvals.current) await this.#withdraw(this.#abandoned.splice(0))
  }

  /** Sends the result to the chat. The key keeps repeated attempts from sending it twice. */
  async #notify(task: Task): Promise<void> {
    const { chat, log } = this.#parts
    const { adapter, endpoint, channel } = task.origin
    if (adapter !== undefined && endpoint !== undefined && channel !== undefined) {
      const service = chat.current
      // Recovery sends the result when chat becomes available.
      if (!service) return
      try {
        await service.send(adapter, endpoint, channel, resultText(task, service.locale), { key: `task/${task.id}` })
      } catch (error) {
        // The outbox of chat has recorded the failure.
        log.warn(`failed to send the result of a task: ${messageOf(error)}`, { task: task.id })
      }
    }
    await this.#change(task, { deliveredAt: this.#parts.clock.now() })
  }

  /** Marks tasks of before a stop as interrupted, and delivers all undelivered results. */
  async recover(): Promise<void> {
    const { store, log } = this.#parts
    for (const task of await store.undelivered()) {
      if (this.#active.has(task.id) || this.#closed) continue
      const ended = task.endedAt === null ? await this.#interrupt(task) : task
      if (!ended.waited) await this.#notify(ended)
      else
        void this.#notifyUnlessClaimed(ended).catch((error: unknown) =>
          log.warn(`failed to deliver a task: ${messageOf(error)}`, { task: task.id }),
        )
    }
  }

  /** Interrupted tasks are not started again, so their approval requests are withdrawn. */
  #interrupt(task: Task): Promise<Task> {
    this.#abandoned.push(...task.requests)
    return this.#change(task, { state: 'interrupted', result: null, endedAt: this.#parts.clock.now() })
  }

  /** Notifies the chat unless a resumed turn asks for the task. */
  async #notifyUnlessClaimed({ id, turn }: Task): Promise<void> {
    const { agent, clock, store } = this.#parts
    if (await agent.isRunning(turn)) await new Promise<void>((resolve) => void clock.setTimeout(resolve, CLAIM_MS))
    if (this.#closed) return
    const task = (await store.undelivered()).find((other) => other.id === id)
    if (task && task.endedAt !== null) await this.#notify(task)
  }

  /** Stops all tasks. Their rows stay open, so that the next start reports them as interrupted. */
  async close(): Promise<void> {
    this.#closed = true
    const running = Array.from(this.#active.values())
    for (const { control } of running) control.abort(new TaskStopped('the host stops', true))
    await Promise.allSettled(running.map(({ ended }) => ended))
  }
}

/** Waits for the end of a request. Unknown ids count as withdrawn, because tool output may contain the marker. */
async function requestEnd(owner: Approvals, id: string, signal: AbortSignal): Promise<ApprovalEnd> {
  try {
    return await owner.wait(id, signal)
  } catch (error) {
    if (isWireError(error) && error.code === 'not_found') return 'withdrawn'
    throw error
  }
}

const END_TEXTS = {
  approved: 'approved; run exactly that command again',
  denied: 'refused; do without it',
  expired: 'not answered in time; do without it',
  withdrawn: 'withdrawn; do without it',
} as const
