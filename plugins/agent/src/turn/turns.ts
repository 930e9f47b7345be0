import { messageOf } from '@mynah/kernel'
import { newId, SECOND_MS, pause } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import type { Message } from '@mynah/plugin-chat/api'
import { addUsage, isModelError, NO_USAGE, type Origin } from '@mynah/plugin-ai/api'
import type { Reader } from '@mynah/kernel'
import type { AgentAnswer, AgentRequest, BackgroundWork } from '../api.js'
import type { Compactor } from '../compaction/compactor.js'
import { displayName } from '../prompt/speakers.js'
import type { AgentRuntime } from '../runtime.js'
import { IdleSessions } from '../session/idle-sessions.js'
import { sessionKey } from '../session/key.js'
import { isPersona } from '../trigger/persona.js'
import { TurnLost } from '../session/turn-lost.js'
import type { Session, SessionTarget, Turn } from '../session/types.js'
import { AddedMessages } from './added-messages.js'
import { collectMsOf } from './collect-ms.js'
import { CollectWindow } from './collect-window.js'
import { LiveTurn, TurnAborted, type LiveTurnOptions, type Steering } from './live-turn.js'
import { OpenTurns, type FindMessage } from './open-turns.js'
import { QuestionRouter } from './question-router.js'
import { TurnRunner } from './runner.js'
import { untilStored } from './until-stored.js'

/** Longest wait of a message for the recovery of turns that it may concern, in milliseconds. */
const MAX_READY_MS = 15 * SECOND_MS

type Work = ReturnType<BackgroundWork['running']>[number]

/** A request of a plugin. With `resume`, a failed turn of the same key continues where it failed. */
export type TurnRequest = AgentRequest & {
  readonly resume?: true
  /** Title of a new session. */
  readonly title?: string
}

/** Starts, recovers and stops the turns of this process. */
export class Turns {
  /** The questions of turns, and their answers. */
  readonly questions: QuestionRouter
  readonly sessions: IdleSessions
  /** Messages for turns of before. */
  readonly added: AddedMessages
  readonly #runtime: AgentRuntime
  readonly #compactor: Compactor
  /** Work that turns have started and do not wait for. */
  readonly #background: Reader<BackgroundWork>
  readonly #open: OpenTurns
  /** Turns that are being stored, and will run then. */
  readonly #stored = new Set<string>()
  readonly #leaving = new AbortController()
  #isClosed = false
  #markRecovered!: () => void
  /** Resolves when turns of an earlier start run again. */
  readonly #recovered: Promise<void> = new Promise((resolve) => {
    this.#markRecovered = resolve
  })

  constructor(runtime: AgentRuntime, compactor: Compactor, background: Reader<BackgroundWork>) {
    this.#runtime = runtime
    this.#compactor = compactor
    this.#background = background
    this.sessions = new IdleSessions(runtime)
    this.added = new AddedMessages(runtime)
    this.#open = new OpenTurns(
      runtime,
      (turn, message, onlyWaited) => void this.#run(turn, message, undefined, { onlyWaited }),
      (id) => this.#stored.has(id) || runtime.activeTurns.holds(id),
    )
    this.questions = new QuestionRouter(runtime, this.#recovered)
  }

  /**
   * Starts a turn for a message, or routes the message to a running one. The message is detached from its handling.
   *
   * @param agent the agent that answers in a conversation of its own; default `main`
   */
  async startFromMessage(message: Message, text: string, agent?: string): Promise<void> {
    // A recovered turn may have the question that this message answers.
    await this.#recovered
    const question = this.questions.match(message)
    if (question) {
      this.added.endCollecting(message)
      return this.questions.answer(question, message)
    }
    const { adapter, endpoint, channel, sender } = message
    const { session, quotedRow } = await this.#untilStored(async () => ({
      session: await this.openFor(message, agent),
      quotedRow: await this.added.quotedRow(message),
    }))
    const origin = { adapter, endpoint, channel, user: sender.id, ...(agent === undefined ? {} : { agent }) }
    const turn = this.#newTurn(session.id, session.key, text, {
      origin,
      row: message.row ?? null,
      ...(agent === undefined ? {} : { agent }),
    })
    await this.#whileStored(turn, async () => {
      await this.#store(turn, () => message.detach())
      this.#runtime.events.emit('received', turn, text)
      message.step('turn', turn.id, 'handed over')
      if (this.added.join(turn, message, text) || this.added.steer(turn, message, text, quotedRow)) return
      this.added.inform(turn, message, text)
      const waitMs = collectMsOf(message, this.#runtime.config['ai.trigger'].collectMs)
      const collecting = waitMs > 0 ? new CollectWindow(this.#runtime.clock, waitMs) : undefined
      void this.#run(turn, message, undefined, { collecting })
    })
  }

  /** Runs a call of the store; waits while that is unavailable, until the host stops or `signal` aborts. */
  #untilStored<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const leaving = this.#leaving.signal
    return untilStored(call, this.#runtime.clock, signal ? AbortSignal.any([leaving, signal]) : leaving)
  }

  /** Keeps a turn from being taken for one that was left open until work on it has begun. */
  async #whileStored<T>({ id }: Turn, begin: () => Promise<T>): Promise<T> {
    this.#stored.add(id)
    try {
      return await begin()
    } catch (error) {
      this.#runtime.events.emit('turnLeft', id)
      throw error
    } finally {
      this.#stored.delete(id)
    }
  }

  /** Stores a new turn. Waits while the store is unavailable: a write without an answer may have been made. */
  async #store(turn: Turn, handOver?: () => Promise<void>): Promise<void> {
    const { store } = this.#runtime
    let isTried = false
    await this.#untilStored(async () => {
      if (isTried && (await store.turn(turn.id))) return
      isTried = true
      await store.createTurn(turn, handOver)
    })
  }

  /** Returns the session of a message's conversation, which begins where there is none. */
  openFor({ adapter, endpoint, channel, sender }: Message, agent?: string): Promise<Session> {
    const place = channel.name ?? (channel.type === 'private' ? displayName(sender) : channel.id)
    const title = agent === undefined ? place : `${place} (${agent})`
    return this.#openSession(sessionKey(adapter, endpoint, channel, agent), { adapter, endpoint, channel, title })
  }

  async #openSession(key: string, target: SessionTarget): Promise<Session> {
    // Archives the session first when it was idle for too long.
    await this.sessions.active(key)
    const { session, created, previous } = await this.#runtime.store.open(key, target)
    if (created) this.#runtime.events.emit('sessionCreated', key, session.id, previous)
    return session
  }

  #newTurn(session: string, key: string, text: string, more: Pick<Turn, 'origin' | 'row'> & Partial<Turn>): Turn {
    return {
      id: newId(),
      session,
      sessionKey: key,
      askKey: null,
      agent: 'main',
      state: 'queued',
      stage: 'queued',
      step: 0,
      model: null,
      text,
      baseSeq: null,
      branchVersion: 0,
      entrySeqs: [],
      waiting: null,
      answer: null,
      attempts: 0,
      claim: 0,
      error: null,
      startedAt: this.#runtime.clock.now(),
      endedAt: null,
      ...more,
    }
  }

  #run(
    turn: Turn,
    message: Message | undefined,
    request: AgentRequest | undefined,
    options: LiveTurnOptions = {},
  ): Promise<void> {
    const { activeTurns, events, log } = this.#runtime
    const asking = request?.parent && activeTurns.get(request.parent.turn)?.live
    const trace = request?.parent && asking?.trace.ofSubagent(turn.id, request.parent)
    const live = new LiveTurn(turn, message, request, { ...options, trace })
    const runner = new TurnRunner(this.#runtime, this.#compactor, live)
    events.emit('turnChanged', turn)
    const stopWork = (): void => {
      if (isFinal(live.signal)) this.#stopWork(({ turnId }) => turnId === turn.id, false)
    }
    live.signal.addEventListener('abort', stopWork, { once: true })
    const ended = runner
      .run()
      .catch((error: unknown) => log.error(`turn runner failed: ${messageOf(error)}`, { turn: turn.id }))
      .finally(() => {
        activeTurns.delete(turn.id)
        events.emit('turnChanged', live.journal)
        events.emit('turnEnded', live.journal)
        message?.done()
        this.#runUnconsumed(live)
        if (live.journal.endedAt === null && !live.leaving.aborted) events.emit('turnLeft', turn.id)
      })
    activeTurns.add({ live, toolbox: runner, ended })
    return ended
  }

  /** Unconsumed steering messages become their own turns, unless the turn was stopped. */
  #runUnconsumed(live: LiveTurn): void {
    const { reason } = live.signal
    const isStopped = reason instanceof TurnAborted && reason.state === 'stopped'
    for (const steering of live.takeAllSteering()) {
      if (isStopped) void this.#stopUnconsumed(steering)
      else if (!this.#isClosed) void this.#run(steering.turn, steering.inbound, undefined)
    }
  }

  /** Ends the turn of a steering message whose target was stopped. */
  async #stopUnconsumed({ turn, inbound }: Steering): Promise<void> {
    const { clock, store, log, events } = this.#runtime
    const ending = { state: 'stopped', stage: 'ended', error: 'it was stopped', endedAt: clock.now() } as const
    try {
      await this.#whileStored(turn, () => this.#untilStored(() => store.updateTurn(turn, ending)))
    } catch (error) {
      if (error instanceof TurnLost) return
      log.error(`failed to persist turn result: ${messageOf(error)}`, { turn: turn.id })
    }
    events.emit('turnChanged', { ...turn, ...ending })
    events.emit('turnEnded', { ...turn, ...ending })
    inbound.done()
  }

  /**
   * Runs a turn for a plugin, in a stored session or in none. A second request of the same key gets the answer of the
   * first.
   *
   * @throws a `ModelError` of the turn, a `WireError` when the turn gave no answer, or the reason for which the host
   * has suspended it: see `isLeft`
   */
  async ask(request: TurnRequest): Promise<AgentAnswer> {
    const { store } = this.#runtime
    const { key, origin = {}, text, sessionKey: name = `ask|${newId()}`, signal } = request
    const known = key === undefined ? undefined : await this.#untilStored(() => store.turnByKey(key), signal)
    if (known) return this.#askAgain(known, request)
    const { adapter = '', endpoint = '', channel = null } = origin
    const target = { adapter, endpoint, channel, ...(request.title === undefined ? {} : { title: request.title }) }
    const session = await this.#untilStored(() => this.#openSession(name, target), signal)
    const { agent, origin: placed } = this.#agentFor(request)
    const turn = this.#newTurn(session.id, name, text, { origin: placed, row: null, agent, askKey: key ?? null })
    try {
      const { answer } = await this.#whileStored(turn, async () => {
        await this.#store(turn)
        return { answer: this.#runForPlugin(turn, request) }
      })
      return await answer
    } finally {
      if (request.sessionKey === undefined) await this.#untilStored(() => store.archive(session.id), signal)
    }
  }

  /** Returns the agent of a request, with its origin. A persona that is asked, or has a task done, keeps its files. */
  #agentFor({ agent = 'main', origin = {} }: TurnRequest): Pick<Turn, 'agent' | 'origin'> {
    if (agent === 'main') return { agent: origin.agent ?? agent, origin }
    const isOwn = isPersona(this.#runtime.config['ai.agents'][agent] ?? {})
    return { agent, origin: isOwn ? { ...origin, agent } : origin }
  }

  /**
   * Answers a request whose key has a turn: resumes it after a failure where that is wanted, else waits for its end.
   */
  async #askAgain(known: Turn, request: TurnRequest): Promise<AgentAnswer> {
    const { activeTurns, store } = this.#runtime
    const running = activeTurns.get(known.id)
    let turn: Turn | undefined = known
    if (!running && known.endedAt === null) {
      // A start before this one has left it open, and the recovery continues or ends it.
      await this.#recovered
      turn = await store.turn(known.id)
    }
    if (request.resume && !running && (turn?.state === 'failed' || turn?.state === 'interrupted')) {
      const ended = turn
      const { answer } = await this.#whileStored(ended, async () => {
        const reopened = await store.reopenTurn({ ...ended, attempts: 0 })
        return { answer: reopened && this.#runForPlugin(reopened, request) }
      })
      if (answer) return answer
    }
    await (running ?? activeTurns.get(known.id))?.ended
    return this.#answerOf(known.id)
  }

  async #runForPlugin(turn: Turn, request: AgentRequest): Promise<AgentAnswer> {
    const running = this.#run(turn, undefined, request)
    const live = this.#runtime.activeTurns.get(turn.id)?.live
    const stop = (): void => live?.abort('stopped', 'it was given up')
    request.signal?.addEventListener('abort', stop, { once: true })
    if (request.signal?.aborted) stop()
    try {
      await running
      if (live?.journal.endedAt === null) live.leaving.throwIfAborted()
      if (isModelError(live?.failure)) throw live.failure
      return await this.#answerOf(turn.id)
    } finally {
      request.signal?.removeEventListener('abort', stop)
    }
  }

  async #answerOf(id: string): Promise<AgentAnswer> {
    const { store } = this.#runtime
    const turn = await this.#untilStored(() => store.turn(id))
    if (turn?.state !== 'done' || turn.answer === null)
      throw new WireError('upstream_unavailable', turn?.error ?? 'The agent gave no answer')
    const entries = await this.#untilStored(() => store.entries(turn.session, turn.entrySeqs))
    const usage = entries.reduce((sum, { meta }) => (meta.usage ? addUsage(sum, meta.usage) : sum), NO_USAGE)
    return { text: turn.answer, segments: [{ type: 'text', data: { text: turn.answer } }], usage, turnId: id }
  }

  /**
   * Continues the turns that a stop of the host left open, or ends them as interrupted.
   *
   * @throws where some could not be decided about: they wait for another call
   */
  recover(messageOfRow: FindMessage): Promise<void> {
    return this.#open.recover(messageOfRow).finally(this.#markRecovered)
  }

  /** Decides about no further turn that a stop has left open. */
  stopRecovery(): void {
    this.#open.close()
  }

  /** Stops background work of turns. Returns how much was stopped. */
  #stopWork(matches: (work: Work) => boolean, isNotified: boolean): number {
    let stopped = 0
    for (const { value: work } of this.#background.all()) {
      for (const one of work.running().filter(matches)) {
        work.stop(one.id, isNotified)
        stopped++
      }
    }
    return stopped
  }

  /** Resolves when turns of an earlier start run again, or when they are kept from that for too long. */
  async ready(): Promise<void> {
    const over = new AbortController()
    await Promise.race([this.#recovered, pause(MAX_READY_MS, this.#runtime.clock, over.signal)])
    over.abort()
  }

  /** Returns whether a turn runs, once turns of an earlier start have been recovered. */
  async isRunning(id: string): Promise<boolean> {
    await this.#recovered
    return this.#runtime.activeTurns.get(id) !== undefined
  }

  /** Stops a turn and its background work. Returns whether there was any. */
  stop(id: string): boolean {
    const running = this.#runtime.activeTurns.get(id)
    running?.live.abort('stopped', 'it was stopped')
    return this.#stopWork(({ turnId }) => turnId === id, false) > 0 || running !== undefined
  }

  /**
   * Stops the turns of a session and their background work. Returns how much of both, when the turns have ended: the
   * message that stops them is handled only then.
   *
   * @param message the message that stops them. Turns that have words of a later one go on: nothing else answers it
   */
  async stopSession(
    { id, key }: Pick<Session, 'id' | 'key'>,
    mayStop: (origin: Origin) => boolean = () => true,
    message?: Pick<Message, 'row'>,
  ): Promise<{ readonly turns: number; readonly work: number }> {
    const { activeTurns } = this.#runtime
    const work = this.#stopWork(({ sessionKey: of, origin }) => of === key && mayStop(origin), true)
    const mine = activeTurns
      .ofSession(id)
      .filter((live) => mayStop(live.journal.origin) && !(message && this.#hasLaterWords(live, message)))
    const ended = mine.map(({ journal }) => activeTurns.get(journal.id)?.ended)
    for (const live of mine) live.abort('stopped', 'it was stopped')
    await Promise.all(ended)
    return { turns: mine.length, work }
  }

  /** Returns whether a turn has words of a message that was accepted after this one. */
  #hasLaterWords({ journal, newestRow = journal.id, answeredBy }: LiveTurn, message: Pick<Message, 'row'>): boolean {
    const before = this.#runtime.rowOfBefore(message)
    if (before !== undefined) return newestRow >= before
    // Rows are in the order in which this start has accepted their messages. Those of other starts may not be: clocks
    // are set back.
    const { row } = message
    return row !== undefined && answeredBy !== undefined && answeredBy.length === row.length && answeredBy > row
  }

  /** Suspends the turns that wait for a person. The plugin that they wait in may stop before the agent does. */
  async suspendWaiting(): Promise<void> {
    const { activeTurns } = this.#runtime
    const waiting = activeTurns.all().filter(({ journal }) => journal.state === 'waiting')
    const ended = waiting.map(({ journal }) => activeTurns.get(journal.id)?.ended)
    for (const live of waiting) live.abort('suspended', 'the host stops')
    await Promise.all(ended)
  }

  /** Suspends every turn: it continues after the next start. */
  async suspend(): Promise<void> {
    this.#isClosed = true
    this.#open.close()
    this.#leaving.abort()
    this.#markRecovered()
    for (const live of this.#runtime.activeTurns.all()) live.abort('suspended', 'the host stops')
    await this.#runtime.activeTurns.allEnded()
  }
}

/** Returns whether a turn was aborted for good, not only suspended. */
const isFinal = ({ reason }: AbortSignal): boolean => reason instanceof TurnAborted && reason.state !== 'suspended'
