import { isWireError } from '@mynah/contract'
import { messageOf, type Cluster, type Ref } from '@mynah/kernel'
import { MINUTE_MS } from '@mynah/kernel/util'
import { ConcurrencyLimiter, leftTo, placeOfOrigin, untilStored, type BackgroundWork } from '@mynah/plugin-agent/api'
import { isLeft, isModelError } from '@mynah/plugin-ai/api'
import type { Chat } from '@mynah/plugin-chat/api'
import { PatientTasks } from './patient-tasks.js'
import { resultContent } from './texts.js'
import type { Task, TaskStore } from './types.js'
import { aborted, onlyWaits, openRequests, sessionOf, withdrawAll, Worker, type WorkerParts } from './worker.js'

/** Tasks that may be queued. */
const MAX_QUEUED = 32
/** Time that a turn resumed after a restart has to ask for its task again, in milliseconds. */
const CLAIM_MS = MINUTE_MS
/** Tasks that are read at once. */
const PAGE = 1_000

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

/** The parts of the host that tasks work with. */
interface TaskParts extends WorkerParts {
  readonly chat: Ref<Chat>
  readonly store: TaskStore
  /** The hosts that share the store. */
  readonly cluster?: Cluster | undefined
}

/** How many tasks of earlier starts wait on, were interrupted, or had only to be delivered. */
interface Recovered {
  continued: number
  interrupted: number
  delivered: number
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
  /** Counts of the tasks that earlier starts have left open. */
  readonly #recovered: Recovered = { continued: 0, interrupted: 0, delivered: 0 }
  readonly #leaving = new AbortController()
  /** Turns that were suspended while they waited for a task. They ask again after the next start. */
  readonly #suspendedTurns = new Set<string>()

  constructor(parts: TaskParts) {
    this.#parts = { ...parts, store: new PatientTasks(parts.store, parts.clock, this.#leaving.signal) }
  }

  get full(): boolean {
    return this.#limiter.waiting >= MAX_QUEUED
  }

  get recovered(): Readonly<Record<string, number>> {
    return { ...this.#recovered }
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
  async start(task: Task): Promise<Task> {
    const known = this.#active.get(task.id)
    if (known) return known.task
    const stored = await this.#parts.store.add(this.#held(task))
    const isNew = stored.createdAt === task.createdAt && stored.state === 'queued'
    // The recovery may have found it meanwhile.
    const found = this.#active.get(task.id)
    if (isNew && !found) return this.#launch(stored)
    const left = found ? stored : await this.#resumable(stored)
    if (left) {
      const waiting = await this.#change(task.id, this.#held({ waited: task.waited }))
      if (waiting) return this.#active.get(task.id)?.task ?? this.#launch(waiting)
      return (await this.#parts.store.get(task.id)) ?? left
    }
    // A stop has interrupted the task, whether or not that is stored already.
    const ended = stored.endedAt === null ? await this.#interrupt(stored) : stored
    return (await this.#parts.store.change(ended.id, 'not delivered', { waited: task.waited })) ?? ended
  }

  /** Notes that this process works on a task. */
  #held<T extends Partial<Task>>(task: T): T {
    const { cluster } = this.#parts
    return cluster ? { ...task, host: cluster.owner } : task
  }

  #launch(task: Task): Task {
    const control = new AbortController()
    const ended = Promise.resolve().then(() => this.#run(task, control.signal))
    this.#active.set(task.id, { task, control, ended })
    void ended.then((end) => this.#active.delete(end.id))
    return task
  }

  /**
   * Waits at most `ms` milliseconds for the end of a task. After that it continues in the background, and its result
   * goes to the chat. An abort of `signal` stops the task, unless the turn is only suspended.
   */
  async waitFor(id: string, ms: number, signal: AbortSignal): Promise<Task | undefined> {
    const active = this.#active.get(id)
    // The task has ended in the meantime.
    if (!active) return this.#parts.store.get(id)
    const over = new AbortController()
    const stop = (): void => {
      if (isLeft(signal.reason)) this.#suspendedTurns.add(active.task.turn)
      else active.control.abort(new TaskStopped('it was stopped', true))
    }
    let cancel: (() => void) | undefined
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    try {
      const timeout = new Promise<undefined>((resolve) => {
        cancel = this.#parts.clock.setTimeout(() => resolve(undefined), ms)
      })
      const end = await Promise.race([active.ended, timeout, suspended(signal, over.signal)])
      // The host stops: the turn is about to be suspended, and asks again after the next start.
      if (this.#closed) return await aborted(signal)
      // A task that has ended just now still counts on this turn to deliver it.
      if (end !== undefined || (await this.#change(id, { waited: false }))) return end
      return await this.#parts.store.get(id)
    } finally {
      cancel?.()
      over.abort()
      signal.removeEventListener('abort', stop)
    }
  }

  /** Records that the turn has the result. */
  async delivered({ id }: Task): Promise<void> {
    const now = this.#parts.clock.now()
    await this.#parts.store.change(id, 'not delivered', { deliveredAt: now, waited: false })
  }

  /** Changes a task that has not ended. Returns `undefined` where it has. */
  async #change(id: string, changes: Partial<Task>): Promise<Task | undefined> {
    const changed = await this.#parts.store.change(id, 'not ended', changes)
    const active = this.#active.get(id)
    if (active && changed) active.task = changed
    return changed
  }

  async #run(task: Task, signal: AbortSignal): Promise<Task> {
    const { id } = task
    const end = await this.#outcome(task, signal)
    const current = (): Task => this.#active.get(id)?.task ?? task
    // The host stops. The next start goes on with the task, or reports it as interrupted.
    if (!end || this.#closed) return current()
    try {
      const now = this.#parts.clock.now()
      const isReported = signal.reason instanceof TaskStopped && signal.reason.isReported
      const isKnown = end.state === 'stopped' && (isReported || current().waited)
      const ended = await this.#change(id, { ...end, endedAt: now, ...(isKnown ? { deliveredAt: now } : {}) })
      if (!ended || ended.deliveredAt !== null) return ended ?? current()
      // The turn that waits may fail before it has the result.
      if (ended.waited) this.#deliverLater(ended)
      else await this.#notify(ended)
      return ended
    } catch (error) {
      this.#parts.log.error(`failed to store the end of a task: ${messageOf(error)}`, { task: id })
    }
    return current()
  }

  /** Returns how a task ended, or `undefined` where it stays open because the host stops. */
  async #outcome(task: Task, signal: AbortSignal): Promise<Pick<Task, 'state' | 'result'> | undefined> {
    const change = async (changes: Partial<Task>): Promise<void> => {
      if (!(await this.#change(task.id, changes))) throw new Error('the task has ended')
    }
    const leaving = this.#leaving.signal
    const worker = new Worker(this.#parts, task, change, { stopped: signal, leaving })
    let acquired = false
    let isSuspended = false
    try {
      await this.#limiter.acquire(task.session, AbortSignal.any([signal, leaving]))
      acquired = true
      if (!onlyWaits(task)) await change({ state: 'running' })
      return { state: 'done', result: await worker.run() }
    } catch (error) {
      // The agent suspends the turn of the sub-agent before it lets this plugin stop.
      isSuspended = this.#closed || (!signal.aborted && isLeft(error))
      if (isSuspended) return undefined
      if (signal.aborted) return { state: 'stopped', result: messageOf(error) }
      return { state: 'failed', result: this.#reasonOf(error, task) }
    } finally {
      if (acquired) this.#limiter.release(task.session)
      if (!isSuspended && !this.#closed) {
        await worker.withdraw()
        await this.#endSession(task)
      }
    }
  }

  /** Returns why a task failed where that is written for people. Any other reason is for the log. */
  #reasonOf(error: unknown, { id }: Task): string {
    if (isModelError(error) || (isWireError(error) && !/^(internal|not_ready)/.test(error.code)))
      return messageOf(error)
    this.#parts.log.error(`a task failed: ${messageOf(error)}`, { task: id })
    return ''
  }

  async #endSession({ id }: Task): Promise<void> {
    await this.#parts.agent
      .endSession(sessionOf(id))
      .catch((error: unknown) => this.#parts.log.warn(`failed to end the session of a task: ${messageOf(error)}`))
  }

  /** Withdraws requests of interrupted tasks. Called again when the approvals become available. */
  async withdrawAbandoned(): Promise<void> {
    if (this.#parts.approvals.current) await withdrawAll(this.#parts, this.#abandoned.splice(0))
  }

  /** Sends the result to the chat. The key keeps repeated attempts from sending it twice. */
  async #notify(task: Task): Promise<void> {
    const { log, store, clock } = this.#parts
    try {
      // Recovery sends the result when chat becomes available.
      if ((await untilStored(() => this.#send(task), clock, this.#leaving.signal)) === 'no chat') return
    } catch (error) {
      if (this.#closed) return
      // The outbox of chat has recorded the failure.
      log.warn(`failed to send the result of a task: ${messageOf(error)}`, { task: task.id })
    }
    await store.change(task.id, 'not delivered', { deliveredAt: clock.now() })
  }

  async #send(task: Task): Promise<'no chat' | 'sent'> {
    const { adapter, endpoint, channel } = task.origin
    if (adapter === undefined || endpoint === undefined || channel === undefined) return 'sent'
    const chat = this.#parts.chat.current
    if (!chat) return 'no chat'
    await chat.send(adapter, endpoint, channel, resultContent(task, chat.locale), { key: `task/${task.id}` })
    return 'sent'
  }

  /**
   * Continues the tasks of before a stop that only waited for the owner, marks the others as interrupted, and delivers
   * all undelivered results.
   */
  async recover(): Promise<void> {
    const counts: Recovered = { continued: 0, interrupted: 0, delivered: 0 }
    for (let after: string | undefined; ;) {
      const page = await this.#parts.store.undelivered(PAGE, after)
      const left = await leftTo(this.#parts.cluster, page, ({ origin }) => placeOfOrigin(origin))
      for (const task of [...left].sort((a, b) => a.createdAt - b.createdAt)) {
        if (this.#closed) return
        if (!this.#active.has(task.id)) counts[await this.#recoverOne(task)]++
      }
      after = page.at(-1)?.id
      if (page.length < PAGE) break
    }
    const { continued, interrupted, delivered } = counts
    for (const what of ['continued', 'interrupted', 'delivered'] as const) this.#recovered[what] += counts[what]
    if (continued + interrupted + delivered > 0)
      this.#parts.log[interrupted > 0 ? 'warn' : 'info'](
        `tasks of an earlier start: ${continued} wait on, ${interrupted} interrupted, ${delivered} results delivered`,
      )
  }

  /**
   * Returns a task of before a stop with which to go on: one that waits for the owner. A sub-agent that was still at
   * work after the owner was asked has written all that it knows to its session, so that its task waits now.
   */
  async #resumable(task: Task): Promise<Task | undefined> {
    if (task.endedAt !== null || onlyWaits(task)) return task.endedAt === null ? task : undefined
    if (task.worker === null || task.requests.length === 0) return undefined
    await this.#untilApprovals()
    const asked = await openRequests(this.#parts, task, this.#leaving.signal)
    return asked.length > 0 ? this.#change(task.id, { state: 'waiting', asked }) : undefined
  }

  /** Waits until the approvals are available where the host has them, for {@link CLAIM_MS} at most. */
  async #untilApprovals(): Promise<void> {
    const { approvals, clock } = this.#parts
    if (!approvals.declared || approvals.current || this.#closed) return
    await new Promise<void>((resolve) => {
      const end = (): void => {
        unsubscribe()
        cancel()
        resolve()
      }
      const unsubscribe = approvals.onChange(end)
      const cancel = clock.setTimeout(end, CLAIM_MS)
      this.#leaving.signal.addEventListener('abort', end, { once: true })
    })
  }

  async #recoverOne(task: Task): Promise<keyof Recovered> {
    const left = await this.#resumable(task)
    // The turn that waits for it may have asked meanwhile.
    if (this.#active.has(task.id)) return 'continued'
    if (left) {
      const held = this.#parts.cluster ? await this.#change(left.id, this.#held({})) : left
      if (held) this.#launch(held)
      return 'continued'
    }
    const ended = task.endedAt === null ? await this.#interrupt(task) : task
    if (ended.waited) this.#deliverLater(ended)
    else await this.#notify(ended)
    return task.endedAt === null ? 'interrupted' : 'delivered'
  }

  /**
   * An interrupted task is not started again, so its approval requests are withdrawn: before its end is stored, where
   * that is possible, so that a stop in between repeats it.
   */
  async #interrupt(task: Task): Promise<Task> {
    this.#abandoned.push(...task.requests)
    await this.withdrawAbandoned()
    const ending = { state: 'interrupted', result: null, asked: [], endedAt: this.#parts.clock.now() } as const
    const ended = await this.#change(task.id, ending)
    await this.#endSession(task)
    return ended ?? (await this.#parts.store.get(task.id)) ?? task
  }

  /** Notifies the chat unless a resumed turn asks for the task. */
  #deliverLater(task: Task): void {
    void this.#notifyUnlessClaimed(task).catch((error: unknown) =>
      this.#parts.log.warn(`failed to deliver a task: ${messageOf(error)}`, { task: task.id }),
    )
  }

  async #notifyUnlessClaimed({ id, turn }: Task): Promise<void> {
    const { agent, clock, store } = this.#parts
    if (this.#suspendedTurns.has(turn) || (await agent.isRunning(turn)))
      await new Promise<void>((resolve) => void clock.setTimeout(resolve, CLAIM_MS))
    if (this.#closed) return
    const task = await store.get(id)
    if (task && task.endedAt !== null && task.deliveredAt === null) await this.#notify(task)
  }

  get #closed(): boolean {
    return this.#leaving.signal.aborted
  }

  /**
   * Stops all tasks. Their rows stay open: the next start goes on with them, or reports them as interrupted.
   *
   * @param hostStops whether the agent stops as well, so that the turns of sub-agents are left to it, with what they
   * have asked
   */
  async close(hostStops = false): Promise<void> {
    const reason = new TaskStopped('the host stops', true)
    this.#leaving.abort(reason)
    const running = Array.from(this.#active.values())
    if (!hostStops) for (const { control } of running) control.abort(reason)
    await Promise.allSettled(running.map(({ ended }) => ended))
  }
}

/** Rejects when a turn is suspended, with which the work that it waits for is not over. */
async function suspended(signal: AbortSignal, over: AbortSignal): Promise<never> {
  try {
    return await aborted(signal, over)
  } catch (reason) {
    if (isLeft(reason)) throw reason
    return await new Promise<never>(() => {})
  }
}
