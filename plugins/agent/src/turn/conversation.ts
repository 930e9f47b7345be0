import {
  agentLoop,
  textOf,
  type LoopEnd,
  type LoopEvent,
  type LoopOptions,
  type MessageQueue,
  type ModelMessage,
  type ModelRequest,
  type Tool,
  type Usage,
  type UserMessage,
} from '@mynah/plugin-ai/api'
import { isForeign } from '@mynah/plugin-chat/api'
import type { PromptContext, TurnFacts } from '../api.js'
import type { Compactor } from '../compaction/compactor.js'
import { buildSystemPrompt, currentPrompt, lacksTool } from '../prompt/system-prompt.js'
import type { AgentRuntime } from '../runtime.js'
import type { Entry, NewEntry, PromptEntry, Session, UserPart } from '../session/types.js'
import { textsFor } from '../texts.js'
import { visibleTools } from '../tools/selection.js'
import { buildView } from '../view/view.js'
import type { FirstPartTimer } from './first-part-timer.js'
import { assertAnswered, refusalIn, withNotes } from './loop-end.js'
import { trimHistory } from './history-trim.js'
import { mediaTargetOf } from './inbound-media.js'
import { mediaKinds } from './media-kinds.js'
import { LiveTurn } from './live-turn.js'
import { ContextWindow } from './overflow.js'
import { preExecutions } from './pre-executions.js'
import type { PreparedTurn } from './prepared-turn.js'
import { applyTransforms, streamRequest } from './request.js'
import { currentRoles, promptContext } from './roles.js'
import { ToolWaits } from './tool-waits.js'
import type { TurnEntries } from './turn-entries.js'
import { isAnswer, type TurnReply } from './turn-reply.js'
import { outputText, TurnTools, type ToolScope } from './turn-tools.js'
import { buildUserEntry } from './user-entry.js'
import { WaitNotice } from './wait-notice.js'

/** The longest wait for the media of a message, however much time the turn has. */
const MEDIA_MS = 45_000
/** The time that a changed request has at least: its model may have to rest for some seconds. */
const CHANGED_MS = 20_000

type LoopEventOf<T extends LoopEvent['type']> = LoopEvent & { readonly type: T }
type Handler = (event: LoopEvent) => void | Promise<void>
type Handlers = { readonly [T in LoopEvent['type']]?: (event: LoopEventOf<T>) => void | Promise<void> }

/** The parts of a prepared turn. */
export interface ConversationParts extends PreparedTurn {
  readonly compactor: Compactor
  readonly entries: TurnEntries
  readonly reply: TurnReply
  readonly timer: FirstPartTimer
}

/** Asks the model and runs its tool calls until it has answered. */
export class Conversation implements ToolScope {
  readonly #runtime: AgentRuntime
  readonly #live: LiveTurn
  readonly #parts: ConversationParts
  readonly #tools: TurnTools
  readonly #waits: ToolWaits
  readonly #window: ContextWindow
  /** Says after a while that a model is waited for. */
  readonly #waiting: WaitNotice
  #usage: Usage | undefined
  /** Where the text of the current attempt of a model begins in that of the answer. */
  #attemptAt = 0
  /** The model that is asked without pictures and files, which it has refused in this turn. */
  #blind: string | undefined
  /** Whether the last step was an answer without calls. */
  #isAnswered = false
  /** The user entry, until it is stored with the first step. */
  #unsavedUser: NewEntry | undefined

  constructor(runtime: AgentRuntime, live: LiveTurn, parts: ConversationParts) {
    const { entries, timer, compactor, candidates } = parts
    this.#runtime = runtime
    this.#live = live
    this.#parts = parts
    this.#tools = new TurnTools(runtime, live, entries, this)
    this.#waits = new ToolWaits(runtime, live, entries, () => timer.stop())
    this.#waiting = new WaitNotice(runtime.clock, (reason) => parts.reply.showWaiting(reason))
    this.#window = new ContextWindow(runtime, compactor, live, entries, candidates)
  }

  get facts(): TurnFacts {
    const { size, skillInstructionMaxChars } = this.#parts.harness
    const { deferredToolMaxResults } = this.#runtime.config['ai.agent']
    return { size, skillInstructionMaxChars, deferredToolMaxResults }
  }

  /** The tools that the user may call. */
  get callableTools(): readonly Tool[] {
    return this.#tools.callable
  }

  get visibleTools(): readonly Tool[] {
    const { agent, harness } = this.#parts
    // A sub-agent has no tool that the agent may not use for which it works.
    const { agent: own } = this.#live.journal.origin
    const behind = own === undefined ? [] : [this.#runtime.config['ai.agents'][own] ?? {}]
    return visibleTools(this.#runtime.tools, [agent.config, ...behind], harness)
  }

  get roles(): ReadonlySet<string> {
    return currentRoles(this.#runtime, this.#live)
  }

  get maxTools(): number {
    return this.#parts.harness.maxTools
  }

  offerTools(found: readonly Tool[]): readonly string[] {
    return this.#tools.offer(found)
  }

  /** Loads the path of the turn: what an earlier attempt has written, or the current leaf of the session. */
  async open(): Promise<void> {
    const { entries } = this.#parts
    const { entrySeqs, session } = this.#live.journal
    if (entrySeqs.length > 0) {
      await entries.untilStored(() => this.#loadSession())
      return entries.load()
    }
    await this.#runtime.queues.run(session, () => entries.untilStored(() => this.#startAtLeaf()))
  }

  /** Starts below the current leaf. A prompt and a trim of the history are appended first when they are due. */
  async #startAtLeaf(): Promise<void> {
    const { store, clock, config, startedAt, events } = this.#runtime
    let session = await this.#loadSession()
    let path = await store.path(session.id, session.leaf)
    const moment = { now: clock.now(), hostStartedAt: startedAt, durable: store.durable }
    const trim = trimHistory(path, session, config, moment)
    const due: NewEntry[] = trim ? [trim] : []
    if (trim) events.emit('prefixBroken', 'cut')
    const prompt = currentPrompt(path, this.#tools.audience)
    const isOutdated = prompt !== undefined && lacksTool(prompt, this.callableTools)
    if (!prompt || isOutdated) due.push(await this.#buildPrompt())
    if (isOutdated) events.emit('prefixBroken', 'tools')
    if (due.length) {
      if (!(await store.append(session.id, session.branchVersion, due))) throw new Error('the session was switched')
      session = await this.#loadSession()
      path = await store.path(session.id, session.leaf)
    }
    this.#parts.entries.startAt(path, session.leaf, session.branchVersion)
  }

  async #loadSession(): Promise<Session> {
    const session = await this.#runtime.store.byId(this.#live.journal.session)
    if (!session) throw new Error('the session is gone')
    return session
  }

  #context(): PromptContext {
    const { agent, harness } = this.#parts
    const { size, maxSkills } = harness
    return promptContext(this.#live, this.roles, { agent: agent.name, text: this.#live.journal.text, size, maxSkills })
  }

  #buildPrompt(): Promise<PromptEntry> {
    const { request } = this.#live
    return buildSystemPrompt(this.#runtime, this.#context(), {
      tools: this.visibleTools,
      harness: this.#parts.harness,
      toolSearch: this.#runtime.config['ai.agent'].toolSearch && request?.subagent !== true,
      preset: this.#parts.agent.preset,
      system: request?.system,
      only: request?.tools,
    })
  }

  /**
   * Runs the loop until there is an answer. After an overflow it frees context and runs again. An answer that an
   * earlier attempt has stored is delivered: a stop came before the message was added that it was stored for.
   */
  async run(): Promise<void> {
    const last = this.#parts.entries.written.at(-1)
    if (last && isAnswer(last)) return this.#parts.reply.finish(textOf(last as unknown as ModelMessage), undefined)
    for (;;) {
      const end = await this.#runLoop()
      if (end.reason === 'aborted') throw this.#live.signal.reason
      const refusal = refusalIn(end)
      if (refusal && (await this.#window.makeAcceptable(refusal, end.text === ''))) {
        this.#startOver(end)
        continue
      }
      assertAnswered(end)
      this.#parts.timer.stop()
      const texts = textsFor(this.#live.message?.locale)
      const notes = { lost: this.#parts.lost, blind: this.#blindModel() }
      await this.#parts.reply.finish(withNotes(end, texts, notes), this.#usage)
      return this.#window.compactAfterTurn(this.#usage)
    }
  }

  /** Forgets the beginning of an answer that the model did not end, as far as it was not sent. */
  #startOver({ text }: LoopEnd): void {
    // The attempts before have taken most of it.
    this.#parts.timer.allow(CHANGED_MS)
    if (text === '') return
    this.#parts.entries.dropAnswer()
    this.#isAnswered = false
    this.#appendText('', true)
  }

  /** Returns the model that has not seen a picture or file of the message. */
  #blindModel(): string | undefined {
    const { message } = this.#live
    return message && mediaKinds(message.segments).size === 0 ? undefined : this.#blind
  }

  async #runLoop(): Promise<LoopEnd> {
    const { entries } = this.#parts
    const isFresh = entries.written.length === 0
    const user = isFresh ? await this.#buildUserEntry(this.#live, entries.basePath) : undefined
    if (user) await this.#prepareJoined(user)
    this.#unsavedUser = user
    const unsaved = user ? [asEntry(user)] : []
    let end: LoopEnd | undefined
    try {
      for await (const event of agentLoop(
        this.#loopOptions([...entries.path, ...this.#window.trial.map(asEntry), ...unsaved], isFresh),
      )) {
        if (event.type === 'end') end = event
        // Most events are text, whose handler returns nothing to wait for.
        const pending = (this.#handlers[event.type] as Handler | undefined)?.(event)
        if (pending) await pending
      }
    } finally {
      this.#waiting.end()
    }
    return end as LoopEnd
  }

  #buildUserEntry(live: LiveTurn, path: readonly Entry[]): Promise<NewEntry & { readonly role: 'user' }> {
    const { models, candidates, timer } = this.#parts
    return buildUserEntry(this.#runtime, live, {
      path,
      context: this.#context(),
      models: mediaTargetOf(models, candidates, this.#runtime.config['ai.agent'].contextTokens),
      // The model has to start its answer in the other half.
      mediaTimeoutMs: Math.min(MEDIA_MS, timer.remainingMs / 2),
    })
  }

  /** Says of messages that have joined the turn what an entry of their own would say: who speaks, and their media. */
  async #prepareJoined(user: NewEntry): Promise<void> {
    const path = [...this.#parts.entries.basePath, asEntry(user)]
    for (const joined of this.#live.begin()) {
      const { channel, segments } = joined.inbound
      if (channel.type === 'private' && mediaKinds(segments).size === 0 && !segments.some(isForeign)) continue
      const turn = { ...joined.turn, id: this.#live.journal.id }
      const entry = await this.#buildUserEntry(new LiveTurn(turn, joined.inbound, undefined), path)
      const [message] = buildView([asEntry(entry)]).messages
      if (message?.role === 'user') this.#live.replaceSteering(joined, { ...joined, message, entry })
    }
  }

  #loopOptions(path: readonly Entry[], isFresh: boolean): LoopOptions {
    const { agent, harness } = this.#parts
    const { host, clock, log, config } = this.#runtime
    const { request, message, signal, waits } = this.#live
    const view = buildView(path, this.#tools.audience)
    const own = config['ai.agent']
    const next = (): UserMessage | undefined => this.#live.peekSteering()?.message
    // A message that comes after the answer follows it.
    const nextOfAnswer = (): UserMessage | undefined => (this.#isAnswered ? undefined : next())
    return {
      stream: (asked, options) => this.#stream(asked, options.signal),
      messages: [{ role: 'system', content: view.system }, ...view.messages],
      tools: this.#tools.toolSet(),
      request: this.#requestOptions(),
      maxSteps: request?.maxSteps ?? agent.preset?.maxIterations ?? harness.maxIterations,
      signal,
      steering: message && this.#steeringQueue(own.steeringMode, nextOfAnswer),
      followUps: message && { mode: own.followUpMode, next },
      notes: { next: () => this.#live.peekNote()?.message },
      preExecute: isFresh ? preExecutions(log, this.#live, this.callableTools) : undefined,
      preExecTimeout: own.preExecTimeout,
      callContext: (call) => this.#waits.contextOf(call, this.roles),
      hadNotBegun: ({ id }) => waits.waitedBefore(id),
      redact: (text) => host.redact(text),
      clock,
      log,
      prepareStep: async ({ messages }) => {
        const about = { session: this.#live.journal.sessionKey, agent: agent.name }
        const transformed = await applyTransforms(this.#runtime.transforms, messages, about)
        return transformed === messages ? undefined : { messages: transformed }
      },
    }
  }

  /** Messages that have joined the turn are taken all at once. */
  #steeringQueue(mode: MessageQueue['mode'], next: MessageQueue['next']): MessageQueue {
    const live = this.#live
    return {
      get mode() {
        return live.peekSteering()?.isJoined ? 'all' : (mode ?? 'one-at-a-time')
      },
      next,
    }
  }

  #stream(request: ModelRequest, signal: AbortSignal): ReturnType<typeof streamRequest> {
    const { models, candidates, timer } = this.#parts
    // The turn waits no longer for the first part.
    const isLimited = timer.isRunning && Number.isFinite(timer.remainingMs)
    const firstPartMs = isLimited ? Math.max(1, timer.remainingMs) : undefined
    return streamRequest(this.#runtime, this.#live, models, candidates, request, signal, firstPartMs)
  }

  /** Everything of a request but its messages and tools. */
  #requestOptions(): Omit<ModelRequest, 'messages' | 'tools'> {
    const { temperature, parallelToolCalls, providerOptions } = this.#parts.harness
    const { thinking } = this.#parts
    const { session, origin, sessionKey, id } = this.#live.journal
    return {
      cacheKey: session,
      origin,
      session: sessionKey,
      turn: id,
      purpose: this.#live.request?.subagent ? 'task' : 'turn',
      ...(temperature === undefined ? {} : { temperature }),
      ...(thinking === undefined ? {} : { thinking }),
      ...(parallelToolCalls === undefined ? {} : { parallelToolCalls }),
      ...(providerOptions === undefined
        ? {}
        : { providerOptions: providerOptions as NonNullable<ModelRequest['providerOptions']> }),
    }
  }

  readonly #handlers: Handlers = {
    'pre-executed': ({ message }) => {
      if (this.#unsavedUser)
        this.#unsavedUser = { ...this.#unsavedUser, content: message.content as readonly UserPart[] } as NewEntry
    },
    step: async ({ index }) => {
      const { entries } = this.#parts
      await this.#saveUser()
      await entries.flush()
      entries.note({ stage: 'model', step: index + 1 })
    },
    model: ({ provider, model }) => {
      this.#live.trace.asked(this.#runtime.clock.now())
      this.#parts.entries.note({ model: `${provider}:${model}` })
      this.#attemptAt = this.#live.answerText.length
      this.#parts.reply.beginAttempt()
    },
    waiting: ({ reason }) => this.#waiting.begin(reason),
    fallback: (event) => {
      const { from, to, withoutMedia } = event
      if (withoutMedia) this.#blind = `${to.provider}:${to.model}`
      else if (from.provider !== to.provider || from.model !== to.model) this.#blind = undefined
      this.#runtime.events.emit('fellBack', this.#live, event)
    },
    text: ({ text, replaces }) => this.#appendText(text, replaces),
    reasoning: () => this.#noteAnswering(),
    'tool-input': () => this.#noteAnswering(),
    assistant: (event) => this.#handleAnswer(event),
    'tool-start': ({ call }) => {
      this.#live.request?.onTool?.(call.name)
      this.#parts.entries.note({ stage: `tool ${call.name}` })
      this.#parts.reply.showTool(call.name)
    },
    'tool-end': (event) => this.#handleToolEnd(event),
    note: async () => {
      const note = this.#live.takeNote()
      if (note) await this.#parts.entries.append([note.entry])
    },
    user: async ({ why }) => {
      await this.#saveUser()
      await this.#parts.entries.flush()
      const steering = this.#live.peekSteering()
      // Taken once it is stored: otherwise its message gets a turn of its own.
      if (steering) await this.#parts.reply.acceptSteering(steering, why, this.#isAnswered)
      this.#live.takeSteering()
      this.#isAnswered = false
    },
  }

  /** Stores the user entry, with the first step or before a message that has joined the turn. */
  async #saveUser(): Promise<void> {
    if (!this.#unsavedUser) return
    const { baseSeq, branchVersion } = this.#live.journal
    await this.#parts.entries.append([this.#unsavedUser], { stage: 'model', baseSeq, branchVersion })
    this.#unsavedUser = undefined
  }

  #noteAnswering(): void {
    this.#parts.timer.stop()
    this.#waiting.end()
  }

  #appendText(text: string, replaces = false): void {
    this.#noteAnswering()
    if (this.#live.answerText === '')
      this.#runtime.events.emit('firstText', this.#runtime.clock.now() - this.#live.journal.startedAt)
    if (replaces) {
      this.#live.replaceText(this.#attemptAt, text)
      this.#parts.reply.replace(text)
    } else {
      this.#live.appendText(text)
      this.#parts.reply.append(text)
    }
    this.#live.request?.onChunk?.(text, this.#live.answerText)
  }

  async #handleAnswer({ message, usage, provider, model, reason }: LoopEventOf<'assistant'>): Promise<void> {
    const { entries, reply } = this.#parts
    this.#noteAnswering()
    this.#usage = usage
    this.#live.trace.answered({ provider, model }, usage, reason, this.#runtime.clock.now())
    this.#runtime.events.emit('phase', this.#live, 'answered', { model: `${provider}:${model}`, ...usage, reason })
    const broken = reason === 'interrupted' || reason === 'refusal'
    if (!broken) await this.#window.keepTrial()
    entries.holdAnswer({ message, usage, model: `${provider}:${model}`, broken })
    this.#isAnswered = true
    if (typeof message.content === 'string' || !message.content.some(({ type }) => type === 'tool-call')) return
    // Stored before its calls are launched: the loop launches them when the next event is requested.
    await entries.flush()
    reply.pause()
    this.#isAnswered = false
    this.#live.clearText()
  }

  async #handleToolEnd(outcome: LoopEventOf<'tool-end'>): Promise<void> {
    const { events } = this.#runtime
    const { call, result, ms } = outcome
    const output = outputText(result.output)
    this.#live.trace.toolEnded(outcome, output)
    events.emit('phase', this.#live, 'tool', { tool: call.name, ms: Math.round(ms), ok: !result.isError })
    events.emit('toolEnded', this.#live, outcome)
    this.#live.request?.onResult?.(call.name, output)
    const update = this.#tools.takePromptUpdate()
    if (update.length) events.emit('prefixBroken', 'tools')
    await this.#parts.entries.appendResult(result, update)
  }
}

/** Returns an entry that is not stored as one that is. */
const asEntry = (entry: NewEntry): Entry =>
  ({ ...entry, seq: Infinity, parent: null, meta: entry.meta ?? {}, at: 0 }) as Entry
