// Tasks from their row to their delivery: run as a sub-agent with the rights of whom they serve, told once to the turn that waits or to the chat.
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { isWireError } from '@mynah/contract'
import { ConcurrencyLimiter, type Agent, type BackgroundWork } from '@mynah/plugin-agent/api'
import type { Chat } from '@mynah/plugin-chat/api'
import { NEEDS_OWNER, type ApprovalEnd, type Approvals } from '@mynah/plugin-exec-security/api'
import type { Task, TaskStore } from './records.js'
import { spoken } from './texts.js'

/** A task, without the time that it waits for the owner. */
export const TASK_MS = 30 * 60_000
/** Tasks that wait for a place; no more can be foreseen. */
const MOST_WAITING = 32
/** How often a task goes on after the owner has answered. */
const ROUNDS = 6
/** Time that a turn that goes on after a start has to ask for its task again. */
const CLAIM_MS = 60_000
const MARKER = new RegExp(`^${NEEDS_OWNER} (\\w{1,64})`)

/** Who asked for the task has given it up. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp'
  /** Whether nobody has to be told of it. */
  readonly isTold: boolean

  constructor(message: string, isTold: boolean) {
    super(message)
    this.isTold = isTold
  }
}

export interface Order {
  readonly tools: readonly string[]
  readonly system: string
  readonly maxSteps: number
}

interface Deps {
  readonly agent: Agent
  readonly chat: () => Chat | undefined
  readonly approvals: () => Approvals | undefined
  readonly store: TaskStore
  readonly clock: Clock
  readonly log: Logger
}

interface Live {
  task: Task
  readonly control: AbortController
  readonly ended: Promise<Task>
}

export class Tasks implements BackgroundWork {
  readonly name = 'tasks'
  readonly #deps: Deps
  readonly #places = new ConcurrencyLimiter({ inSession: 4, inAll: 8 })
  readonly #live = new Map<string, Live>()
  /** Requests of tasks that a stop has ended: nobody would use what the owner approves. */
  #abandoned: string[] = []
  #closed = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  get full(): boolean {
    return this.#places.waiting >= MOST_WAITING
  }

  running(): ReturnType<BackgroundWork['running']> {
    return Array.from(this.#live.values(), ({ task: { id, session, turn, origin } }) => ({
      id,
      sessionKey: session,
      turnId: turn,
      origin,
    }))
  }

  stop(id: string, isTold: boolean): void {
    this.#live.get(id)?.control.abort(new GivenUp('it was stopped', isTold))
  }

  /** Begins a task, or gives the one that this call has begun before. */
  async begin(task: Task, order: Order): Promise<Task> {
    const known = this.#live.get(task.id)
    if (known) return known.task
    const stored = await this.#deps.store.add(task)
    if (stored.created_at !== task.created_at || stored.state !== 'queued') {
      // Nothing here runs it: a stop has ended it, whether or not that was written down already.
      const ended = stored.ended_at === null ? await this.#interrupt(stored) : stored
      await this.withdrawAbandoned()
      return this.#change(ended, { waited: task.waited })
    }
    const control = new AbortController()
    const ended = Promise.resolve().then(() => this.#run(task.id, order, control.signal))
    this.#live.set(task.id, { task: stored, control, ended })
    void ended.then((end) => this.#live.delete(end.id))
    return stored
  }

  /** Waits for the end of a task, at most so long: then it goes on by itself, and is told in chat. Who stops waiting gives it up. */
  async waitFor(id: string, ms: number, signal: AbortSignal): Promise<Task | undefined> {
    const live = this.#live.get(id)
    // It ended while that it is waited for was written down.
    if (!live) return this.#deps.store.get(id)
    const giveUp = (): void => live.control.abort(new GivenUp('it was stopped', true))
    let cancel: (() => void) | undefined
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) giveUp()
    try {
      const late = new Promise<undefined>((resolve) => {
        cancel = this.#deps.clock.setTimeout(() => resolve(undefined), ms)
      })
      const end = await Promise.race([live.ended, late])
      if (end === undefined) await this.#change(live.task, { waited: false })
      return end
    } finally {
      cancel?.()
      signal.removeEventListener('abort', giveUp)
    }
  }

  /** The turn has it. */
  async delivered(task: Task): Promise<void> {
    if (task.delivered_at === null) await this.#change(task, { delivered_at: this.#deps.clock.now(), waited: false })
  }

  async #change(task: Task, changes: Partial<Task>): Promise<Task> {
    await this.#deps.store.change(task.id, changes)
    const live = this.#live.get(task.id)
    const changed = { ...(live?.task ?? task), ...changes }
    if (live) live.task = changed
    return changed
  }

  async #run(id: string, order: Order, signal: AbortSignal): Promise<Task> {
    const { task } = this.#live.get(id) as Live
    const end = await this.#outcome(task, order, signal)
    let ended = this.#live.get(id)?.task ?? task
    // The host stops: the row says that it ran, and the next start tells so.
    if (this.#closed) return ended
    try {
      const now = this.#deps.clock.now()
      const isTold = signal.reason instanceof GivenUp && signal.reason.isTold
      ended = await this.#change(ended, {
        ...end,
        ended_at: now,
        ...(end.state === 'stopped' && (isTold || ended.waited) ? { delivered_at: now } : {}),
      })
      if (!ended.waited && ended.delivered_at === null) await this.#tell(ended)
    } catch (error) {
      this.#deps.log.error(`the end of a task could not be written: ${messageOf(error)}`, { task: id })
    }
    return ended
  }

  async #outcome(task: Task, order: Order, signal: AbortSignal): Promise<Pick<Task, 'state' | 'result'>> {
    let entered = false
    try {
      await this.#places.acquire(task.session, signal)
      entered = true
      return {
        state: 'done',
        result: await this.#converse(await this.#change(task, { state: 'running' }), order, signal),
      }
    } catch (error) {
      if (signal.aborted) return { state: 'stopped', result: messageOf(signal.reason) }
      return { state: 'failed', result: messageOf(error) }
    } finally {
      if (entered) this.#places.release(task.session)
      await this.#deps.agent
        .endSession(`task|${task.id}`)
        .catch((error: unknown) => this.#deps.log.warn(`the session of a task could not be ended: ${messageOf(error)}`))
    }
  }

  /** Asks, and asks again when the owner has answered what the sub-agent had to leave open. Requests end with the task. */
  async #converse(task: Task, { tools, system, maxSteps }: Order, signal: AbortSignal): Promise<string> {
    const { agent, approvals } = this.#deps
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
          timeout: TASK_MS,
          signal,
          onResult: (_name, output) => {
            const id = MARKER.exec(output.slice(0, 200))?.[1]
            if (id !== undefined && requests.has(id)) asked.add(id)
          },
          // Before it is made: after a crash the row alone knows what nobody would use.
          onWait: async (kind, id) => {
            if (kind !== 'approval' || requests.has(id)) return
            requests.add(id)
            await this.#change(task, { requests: [...requests] })
          },
        })
        const owner = approvals()
        if (asked.size === 0 || !owner || round === ROUNDS) return answer.text
        await this.#change(task, { state: 'waiting' })
        const lines: string[] = []
        for (const id of asked) lines.push(`${NEEDS_OWNER} ${id}: ${ENDS[await ended(owner, id, signal)]}`)
        await this.#change(task, { state: 'running' })
        text = `The owner has answered. ${lines.join('; ')}. Go on with the task and give its result.`
      }
    } finally {
      await this.#withdraw([...requests])
    }
  }

  async #withdraw(requests: readonly string[]): Promise<void> {
    for (const id of requests) {
      await this.#deps
        .approvals()
        ?.withdraw(id)
        .catch((error: unknown) =>
          this.#deps.log.warn(`the request ${id} of a task could not be withdrawn: ${messageOf(error)}`),
        )
    }
  }

  /** Withdraws what tasks of before have asked for; called again when there is somebody who can. */
  async withdrawAbandoned(): Promise<void> {
    if (this.#deps.approvals()) await this.#withdraw(this.#abandoned.splice(0))
  }

  /** Tells the chat, under a key: however often it is tried, it is said once. */
  async #tell(task: Task): Promise<void> {
    const { chat, log } = this.#deps
    const { adapter, endpoint, channel } = task.origin
    if (adapter !== undefined && endpoint !== undefined && channel !== undefined) {
      const talks = chat()
      // Told when chat is there.
      if (!talks) return
      try {
        await talks.send(adapter, endpoint, channel, spoken(task, talks.locale), { key: `task/${task.id}` })
      } catch (error) {
        // It stands in the store of chat as failed or unknown.
        log.warn(`the result of a task could not be sent: ${messageOf(error)}`, { task: task.id })
      }
    }
    await this.#change(task, { delivered_at: this.#deps.clock.now() })
  }

  /** What a stop has left: what ran is told as interrupted, what was not told is told. */
  async recover(): Promise<void> {
    const { store, log } = this.#deps
    for (const task of await store.undelivered()) {
      if (this.#live.has(task.id) || this.#closed) continue
      const ended = task.ended_at === null ? await this.#interrupt(task) : task
      if (!ended.waited) await this.#tell(ended)
      else
        void this.#unlessClaimed(ended).catch((error: unknown) =>
          log.warn(`a task could not be told: ${messageOf(error)}`, { task: task.id }),
        )
    }
  }

  /** What ran when the host stopped is not begun again, and nobody uses what the owner approves for it. */
  #interrupt(task: Task): Promise<Task> {
    this.#abandoned.push(...task.requests)
    return this.#change(task, { state: 'interrupted', result: null, ended_at: this.#deps.clock.now() })
  }

  /** A turn that goes on after the start asks for its task; where it is gone or does not, the chat is told. */
  async #unlessClaimed({ id, turn }: Task): Promise<void> {
    const { agent, clock, store } = this.#deps
    if (await agent.isRunning(turn)) await new Promise<void>((resolve) => void clock.setTimeout(resolve, CLAIM_MS))
    if (this.#closed) return
    const task = (await store.undelivered()).find((other) => other.id === id)
    if (task && task.ended_at !== null) await this.#tell(task)
  }

  /** Ends what runs; its rows say that it ran. */
  async close(): Promise<void> {
    this.#closed = true
    const running = Array.from(this.#live.values())
    for (const { control } of running) control.abort(new GivenUp('the host stops', true))
    await Promise.allSettled(running.map(({ ended }) => ended))
  }
}

/** How a request ended. Output of a tool may look like the marker: what was never asked needs no answer. */
async function ended(owner: Approvals, id: string, signal: AbortSignal): Promise<ApprovalEnd> {
  try {
    return await owner.wait(id, signal)
  } catch (error) {
    if (isWireError(error) && error.code === 'not_found') return 'withdrawn'
    throw error
  }
}

const ENDS = {
  approved: 'approved; run exactly that command again',
  denied: 'refused; do without it',
  expired: 'not answered in time; do without it',
  withdrawn: 'withdrawn; do without it',
} as const
