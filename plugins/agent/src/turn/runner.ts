import { Deadline, type Tool } from '@mynah/plugin-ai/api'
import type { TurnFacts } from '../api.js'
import type { Compactor } from '../compaction/compactor.js'
import type { AgentRuntime } from '../runtime.js'
import type { TurnToolbox } from './active-turns.js'
import { Conversation } from './conversation.js'
import { FirstPartTimer, NO_TIMEOUT_MS } from './first-part-timer.js'
import type { LiveTurn } from './live-turn.js'
import { prepareTurn } from './prepared-turn.js'
import { TurnEntries } from './turn-entries.js'
import { TurnReply } from './turn-reply.js'

/**
 * Runs one turn from its admission to its end. Each step is stored before it has effects, so that the turn continues
 * after a restart of the host.
 */
export class TurnRunner implements TurnToolbox {
  readonly #runtime: AgentRuntime
  readonly #compactor: Compactor
  readonly #live: LiveTurn
  readonly #entries: TurnEntries
  readonly #reply: TurnReply
  /** Absent until the turn is prepared. */
  #conversation: Conversation | undefined

  constructor(runtime: AgentRuntime, compactor: Compactor, live: LiveTurn) {
    this.#runtime = runtime
    this.#compactor = compactor
    this.#live = live
    this.#entries = new TurnEntries(runtime, live)
    this.#reply = new TurnReply(runtime, live, this.#entries)
  }

  get facts(): TurnFacts | undefined {
    return this.#conversation?.facts
  }

  get callableTools(): readonly Tool[] {
    return this.#conversation?.callableTools ?? []
  }

  offerTools(found: readonly Tool[]): readonly string[] {
    return this.#conversation?.offerTools(found) ?? []
  }

  /** Runs the turn to its end. Failures end in the journal and in chat. Never rejects. */
  async run(): Promise<void> {
    const { limiter, clock, config } = this.#runtime
    const live = this.#live
    const timer = new FirstPartTimer(clock, config['ai.trigger'].timeout, () => live.abort('failed', 'slow'))
    let isAdmitted = false
    try {
      if (live.journal.state === 'delivering') {
        await this.#entries.claim({})
        await this.#entries.load()
        return await this.#reply.deliver(live.journal.answer ?? '')
      }
      await live.collecting?.wait(live.signal)
      await limiter.acquire(live.journal.session, live.signal)
      isAdmitted = true
      const timeout = (live.request?.timeout ?? config['ai.agent'].timeout) || NO_TIMEOUT_MS
      live.startDeadline(new Deadline(clock, timeout, () => live.abort('failed', 'long')))
      await this.#entries.claim(
        live.onlyWaited ? {} : { state: 'running', stage: 'prepare', attempts: live.journal.attempts + 1 },
      )
      const conversation = await this.#prepare(timer)
      await conversation.run()
    } catch (error) {
      await this.#reply.fail(error)
    } finally {
      timer.stop()
      live.stopDeadline()
      if (isAdmitted) limiter.release(live.journal.session)
    }
  }

  async #prepare(timer: FirstPartTimer): Promise<Conversation> {
    const prepared = await prepareTurn(this.#runtime, this.#live)
    const conversation = new Conversation(this.#runtime, this.#live, {
      ...prepared,
      compactor: this.#compactor,
      entries: this.#entries,
      reply: this.#reply,
      timer,
    })
    this.#conversation = conversation
    await conversation.open()
    this.#reply.start()
    return conversation
  }
}
