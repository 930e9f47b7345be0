// All turns of this process: begun by messages and by plugins, gone on with after a start, steered, answered, stopped.
import { messageOf, type Clock, type Logger, type Reader } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import { newId } from '@mynah/plugin-database/api'
import type { Message, Role } from '@mynah/plugin-chat/api'
import { isModelError, type Origin } from '@mynah/plugin-ai/api'
import type { AgentAnswer, AgentRequest, BackgroundWork } from '../api.js'
import { JOB_SESSION } from '../job-session.js'
import { nameOf } from '../prompt/speakers.js'
import { sessionKey } from '../session/key.js'
import { LivingSessions, type LivingDeps } from '../session/living.js'
import type { About, NewEntry, Session, SessionStore, Turn } from '../session/types.js'
import { textsFor } from '../texts.js'
import type { Questions } from '../tools/questions.js'
import { Asked } from './asked.js'
import { Ended, LiveTurn, type Steering } from './live.js'
import type { RunnerDeps } from './deps.js'
import { mediaKinds } from './inbound-media.js'
import { TurnRunner } from './runner.js'

/** Times that a turn may begin again after a stop. */
const STARTS = 2
/** Messages among which one that is quoted is looked for. */
const QUOTED_ROWS = 100

export interface TurnsDeps extends Omit<RunnerDeps, 'changed' | 'others'>, Omit<LivingDeps, 'isBusy'> {
  readonly changed: (turn: Turn) => void
  readonly created: (sessionKey: string, sessionId: string, previous: string | undefined) => void
  readonly received: (turn: Turn, text: string) => void
  /** A turn has ended, or was left for the next start. */
  readonly ended: (turn: Turn) => void
  /** What turns have begun and do not wait for. */
  readonly background: Reader<BackgroundWork>
  readonly questions: Questions
  readonly store: () => SessionStore
  readonly clock: Clock
  readonly log: Logger
}

export class Turns {
  readonly #deps: TurnsDeps
  readonly #live = new Map<
    string,
    { readonly live: LiveTurn; readonly runner: TurnRunner; readonly ended: Promise<void> }
  >()
  #closed = false
  #recover!: () => void
  readonly #recovered: Promise<void> = new Promise((resolve) => {
    this.#recover = resolve
  })

  /** The questions of turns. */
  readonly asked: Asked
  /** The epochs that go on. */
  readonly sessions: LivingSessions

  constructor(deps: TurnsDeps) {
    this.#deps = deps
    this.sessions = new LivingSessions({
      ...deps,
      isBusy: (session) => this.all().some(({ journal }) => journal.session === session),
    })
    this.asked = new Asked({ ...deps, live: () => this.all(), recovered: () => this.#recovered })
  }

  /** Turns that run, the newest last. */
  all(): readonly LiveTurn[] {
    return Array.from(this.#live.values(), ({ live }) => live)
  }

  runner(id: string): TurnRunner | undefined {
    return this.#live.get(id)?.runner
  }

  /** A message is answered from here on: the journal and the end of its handling are one transaction. */
  async take(message: Message, text: string): Promise<void> {
    // What a stop has left comes first: this may be the answer that it waits for.
    await this.#recovered
    const asked = this.asked.by(message)
    if (asked) return this.asked.answer(asked, message)
    const key = sessionKey(message.adapter, message.endpoint, message.channel)
    const { session } = await this.#open(key, {
      adapter: message.adapter,
      endpoint: message.endpoint,
      channel: message.channel,
      title: message.channel.name ?? (message.channel.type === 'private' ? nameOf(message.sender) : message.channel.id),
    })
    const turn = this.#turnOf(session.id, key, text, {
      origin: {
        adapter: message.adapter,
        endpoint: message.endpoint,
        channel: message.channel,
        user: message.sender.id,
      },
      row: message.row ?? null,
    })
    await this.#deps.store().begin(turn, () => message.detach())
    this.#deps.received(turn, text)
    message.step('turn', turn.id, 'handed over')
    if (!this.#steer(turn, message, text, await this.#quoted(message))) this.#run(turn, message, undefined)
  }

  async #open(key: string, about: About): ReturnType<SessionStore['open']> {
    // Idle for too long: what is said now begins anew.
    await this.sessions.active(key)
    const opened = await this.#deps.store().open(key, about)
    if (opened.created) this.#deps.created(key, opened.session.id, opened.previous)
    return opened
  }

  #turnOf(session: string, key: string, text: string, more: Pick<Turn, 'origin' | 'row'> & Partial<Turn>): Turn {
    return {
      id: newId(),
      session,
      session_key: key,
      ask_key: null,
      agent: 'main',
      state: 'queued',
      stage: 'queued',
      step: 0,
      model: null,
      text,
      base: null,
      branch: 0,
      chain: [],
      waiting: null,
      answer: null,
      starts: 0,
      error: null,
      started_at: this.#deps.clock.now(),
      ended_at: null,
      ...more,
    }
  }

  /** The row of the message that a master quotes, or that what is quoted has answered. */
  async #quoted({ adapter, endpoint, channel, replyTo, roles }: Message): Promise<string | undefined> {
    if (replyTo === undefined || !roles.has('master' satisfies Role)) return undefined
    const row = ((await this.#deps.chat()?.transcript({ adapter, endpoint, channel, limit: QUOTED_ROWS })) ?? []).find(
      ({ messageId }) => messageId === replyTo,
    )
    return row?.direction === 'in' ? row.id : row?.answers
  }

  /** A message of a master goes into the latest turn of the session that is the master's own, or whose answer it quotes. */
  #steer(turn: Turn, message: Message, text: string, quoted: string | undefined): boolean {
    // What was taken in would be its words alone: media are heard and seen by a turn of their own.
    if (!message.roles.has('master' satisfies Role) || mediaKinds(message.segments).size > 0) return false
    const running = this.all().filter(
      ({ journal, message: asked }) =>
        journal.session === turn.session &&
        asked &&
        (journal.state === 'running' || journal.state === 'waiting') &&
        journal.id !== turn.id,
    )
    const into =
      running.findLast(({ journal }) =>
        quoted === undefined ? journal.origin.user === message.sender.id : journal.row === quoted,
      ) ?? running.findLast(({ journal }) => journal.origin.user === message.sender.id)
    if (!into) return false
    const content = [{ type: 'text' as const, text: `[The user adds] ${text}` }]
    const entry: NewEntry = {
      kind: 'message',
      role: 'user',
      content,
      meta: {
        turn: into.journal.id,
        said: text,
        sender: { id: message.sender.id, name: nameOf(message.sender) },
        ...(message.row === undefined ? {} : { row: message.row }),
      },
    }
    into.steering.push({ turn, message: { role: 'user', content }, entry, inbound: message })
    message.step('turn', into.journal.id, 'steers')
    return true
  }

  #run(turn: Turn, message: Message | undefined, request: AgentRequest | undefined): Promise<void> {
    const live = new LiveTurn(turn, message, request)
    const runner = new TurnRunner(
      {
        ...this.#deps,
        changed: ({ journal }) => this.#deps.changed(journal),
        others: (mine) =>
          this.all().filter(
            (other) =>
              other !== mine && other.journal.session === mine.journal.session && other.journal.state !== 'queued',
          ).length,
      },
      live,
    )
    this.#deps.changed(turn)
    const { signal } = live.control
    signal.addEventListener(
      'abort',
      () => {
        if (isOver(signal)) this.#stopWork(({ turnId }) => turnId === turn.id, false)
      },
      { once: true },
    )
    const ended = runner
      .run()
      .catch((error: unknown) => this.#deps.log.error(`a turn broke: ${messageOf(error)}`, { turn: turn.id }))
      .finally(() => {
        this.#live.delete(turn.id)
        this.#deps.changed(live.journal)
        this.#deps.ended(live.journal)
        message?.done()
        // What came too late to be taken in is answered by itself, unless all of it was stopped.
        for (const late of live.steering.splice(0)) {
          if (signal.reason instanceof Ended && signal.reason.state === 'stopped') void this.#stopLate(late)
          else if (!this.#closed) void this.#run(late.turn, late.inbound, undefined)
        }
      })
    this.#live.set(turn.id, { live, runner, ended })
    return ended
  }

  /** A turn that a plugin asks for, in a stored session or in none. */
  async ask(
    request: AgentRequest & { /** A turn of the key that failed goes on where it stood. */ readonly goOn?: true },
  ): Promise<AgentAnswer> {
    const { key, origin = {}, text } = request
    const known = key === undefined ? undefined : await this.#deps.store().turnOfKey(key)
    if (known) {
      const running = this.#live.get(known.id)
      const failed =
        request.goOn && !running && (known.state === 'failed' || known.state === 'interrupted')
          ? await this.#deps.store().reopen({ ...known, starts: 0 })
          : undefined
      if (failed) return this.#runFor(failed, request)
      await running?.ended
      return this.#answerOf(known.id)
    }
    const sessionName = request.sessionKey ?? `ask|${newId()}`
    const { session } = await this.#open(sessionName, {
      adapter: origin.adapter ?? '',
      endpoint: origin.endpoint ?? '',
      channel: origin.channel ?? null,
    })
    const turn = this.#turnOf(session.id, sessionName, text, {
      origin,
      row: null,
      agent: request.agent ?? 'main',
      ask_key: key ?? null,
    })
    await this.#deps.store().begin(turn)
    try {
      return await this.#runFor(turn, request)
    } finally {
      if (request.sessionKey === undefined) await this.#deps.store().archive(session.id)
    }
  }

  /** Runs a turn for who asked; fails with what the turn failed of. */
  async #runFor(turn: Turn, request: AgentRequest): Promise<AgentAnswer> {
    const running = this.#run(turn, undefined, request)
    const live = this.#live.get(turn.id)?.live
    const stop = (): void => live?.end('stopped', 'it was given up')
    request.signal?.addEventListener('abort', stop, { once: true })
    if (request.signal?.aborted) stop()
    try {
      await running
      if (isModelError(live?.failure)) throw live.failure
      return await this.#answerOf(turn.id)
    } finally {
      request.signal?.removeEventListener('abort', stop)
    }
  }

  async #answerOf(id: string): Promise<AgentAnswer> {
    const turn = await this.#deps.store().turn(id)
    if (turn?.state !== 'done' || turn.answer === null)
      throw new WireError('upstream_unavailable', turn?.error ?? 'The agent gave no answer')
    const entries = await this.#deps.store().entries(turn.session, turn.chain)
    const usage = entries.reduce(
      (sum, { meta: { usage: used } }) =>
        used
          ? {
              input: sum.input + used.input,
              cachedInput: sum.cachedInput + used.cachedInput,
              output: sum.output + used.output,
              ...(used.cost === undefined && sum.cost === undefined
                ? {}
                : { cost: (sum.cost ?? 0) + (used.cost ?? 0) }),
            }
          : sum,
      { input: 0, cachedInput: 0, output: 0 } as AgentAnswer['usage'],
    )
    return { text: turn.answer, segments: [{ type: 'text', data: { text: turn.answer } }], usage, turnId: id }
  }

  /** What a stop has left goes on, or is told. */
  recover(messageOfRow: (row: string) => Promise<Message | undefined>): Promise<void> {
    return this.#takeUp(messageOfRow).finally(this.#recover)
  }

  async #takeUp(messageOfRow: (row: string) => Promise<Message | undefined>): Promise<void> {
    const open = [...(await this.#deps.store().turns({ open: true, limit: 1_000 }))].reverse()
    for (const turn of open) {
      if (this.#live.has(turn.id) || this.#closed) continue
      const message = turn.row === null ? undefined : await messageOfRow(turn.row).catch(() => undefined)
      // What a plugin asked for is asked again by it, or not; a job is not begun again by itself.
      const gone =
        turn.row === null ? turn.ask_key === null || turn.session_key.startsWith(JOB_SESSION) : message === undefined
      if (gone || (turn.starts >= STARTS && turn.state !== 'delivering')) await this.#interrupted(turn, message)
      else void this.#run(turn, message, undefined)
    }
  }

  /** Tells of a turn that does not go on, under a key, and only then ends it: a stop in between tells it again, which says it once. */
  async #interrupted(turn: Turn, message: Message | undefined): Promise<void> {
    const { chat, clock, log } = this.#deps
    const ended = {
      state: 'interrupted',
      stage: 'ended',
      error: 'the host stopped while it ran',
      ended_at: clock.now(),
    } as const
    if (message) {
      await chat()
        ?.send(message.adapter, message.endpoint, message.channel, textsFor(message.locale).interrupted, {
          key: `turn/${turn.id}/interrupted`,
          answers: message,
        })
        .catch((error: unknown) => log.warn(`an interrupted turn could not be told: ${messageOf(error)}`))
    }
    const left = new LiveTurn(turn, message, undefined)
    await this.#deps.withdraw(left.waits.approvals)
    await this.#deps.store().close(turn, [], turn.chain.at(-1) ?? turn.base, ended)
    left.journal = { ...turn, ...ended }
    this.#deps.changed(left.journal)
    if (message) this.#deps.sent(left, '', ended.error)
    message?.done()
  }

  /** Ends a message that waited to be taken into a turn that was stopped. */
  async #stopLate({ turn, inbound }: Steering): Promise<void> {
    const ended = {
      ...turn,
      state: 'stopped' as const,
      stage: 'ended',
      error: 'it was stopped',
      ended_at: this.#deps.clock.now(),
    }
    try {
      await this.#deps
        .store()
        .advance(turn.id, { state: ended.state, stage: ended.stage, error: ended.error, ended_at: ended.ended_at })
    } catch (error) {
      this.#deps.log.error(`the end of a turn could not be written: ${messageOf(error)}`, { turn: turn.id })
    }
    this.#deps.changed(ended)
    this.#deps.ended(ended)
    inbound.done()
  }

  /** Ends work of turns that goes on beside them; gives how much. */
  #stopWork(which: (work: ReturnType<BackgroundWork['running']>[number]) => boolean, isTold: boolean): number {
    let stopped = 0
    for (const { value: work } of this.#deps.background.all()) {
      for (const one of work.running().filter(which)) {
        work.stop(one.id, isTold)
        stopped++
      }
    }
    return stopped
  }

  /** Whether a turn runs, once what a stop has left was taken up. */
  async goesOn(id: string): Promise<boolean> {
    await this.#recovered
    return this.#live.has(id)
  }

  stop(id: string): boolean {
    const running = this.#live.get(id)
    running?.live.end('stopped', 'it was stopped')
    return this.#stopWork(({ turnId }) => turnId === id, false) > 0 || running !== undefined
  }

  /** Ends the turns of a session and all that they have begun; gives how many turns, and how much else. */
  stopSession(
    { id, key }: Pick<Session, 'id' | 'key'>,
    mayStop: (origin: Origin) => boolean = () => true,
  ): { readonly turns: number; readonly work: number } {
    const work = this.#stopWork(({ sessionKey: of, origin }) => of === key && mayStop(origin), true)
    const mine = this.all().filter(({ journal }) => journal.session === id && mayStop(journal.origin))
    for (const live of mine) live.end('stopped', 'it was stopped')
    return { turns: mine.length, work }
  }

  /** Resolves when no turn runs but those that wait for people. */
  async idle(): Promise<void> {
    for (;;) {
      const busy = Array.from(this.#live.values()).filter(({ live }) => live.journal.state !== 'waiting')
      if (busy.length === 0) return
      await Promise.race(busy.map(({ ended }) => ended))
    }
  }

  /** Leaves every turn where it is: it goes on after the next start. */
  async leave(): Promise<void> {
    this.#closed = true
    this.#recover()
    for (const { live } of this.#live.values()) live.end('left', 'the host stops')
    await Promise.allSettled(Array.from(this.#live.values(), ({ ended }) => ended))
  }
}

/** Ended for good: not left for the next start. */
const isOver = ({ reason }: AbortSignal): boolean => reason instanceof Ended && reason.state !== 'left'
