// One turn from its place to its end. Everything that counts is written down before it has effects; there is one way on, fresh or
// after a start, and one exit.
import {
  agentLoop,
  Deadline,
  ModelError,
  type Candidate,
  type LoopEnd,
  type LoopEvent,
  type ModelRequest,
  type Models,
  type Tool,
  type ToolOutcome,
  type Usage,
  type UserMessage,
} from '@mynah/plugin-ai/api'
import type { PromptContext, TurnFacts } from '../api.js'
import { harnessOf, takesSkills, type Settled } from '../harness.js'
import type { Entry, NewEntry, Session, Turn, UserPart } from '../session/types.js'
import { visibleTools } from '../tools/selection.js'
import { coldCut } from './cold-cut.js'
import { mediaKinds } from './inbound-media.js'
import { viewOf } from '../view/view.js'
import { agentFor, agentNamed, candidatesOf, type Chosen } from './choose.js'
import { Chain } from './chain.js'
import type { RunnerDeps } from './deps.js'
import { headOf, makeHead } from './heads.js'
import type { LiveTurn } from './live.js'
import { makeRoom, makeRoomLater, OVERFLOW_STAGES, type Room } from './room.js'
import { Saying } from './saying.js'
import { requestOf, transformedBy } from './request.js'
import { contextOf, preExecutions, rolesNow } from './standing.js'
import { outputText, TurnTools } from './turn-tools.js'
import { userEntry } from './user-entry.js'
import { toolCallContext, type WaitHost } from './waits.js'

/** Media of a message are waited for no longer, however much time there is. */
const MEDIA_MS = 45_000

export class TurnRunner {
  readonly #deps: RunnerDeps
  readonly #live: LiveTurn
  #session!: Session
  #chosen!: Chosen
  #harness!: Settled
  #candidates: readonly Candidate[] = []
  #usage: Usage | undefined
  /** The last step was an answer, with no calls. */
  #answeredWhole = false
  #firstPart: (() => void) | undefined
  /** When the first part of an answer has to be there. */
  #until = Infinity
  readonly #chain: Chain
  readonly #tools: TurnTools
  readonly #saying: Saying

  constructor(deps: RunnerDeps, live: LiveTurn) {
    this.#deps = deps
    this.#live = live
    this.#chain = new Chain(deps, live)
    this.#saying = new Saying(deps, live, this.#chain)
    this.#tools = new TurnTools({
      chain: this.#chain,
      all: () => this.#allTools(),
      roles: () => this.#roles(),
      only: live.request?.tools,
      most: () => this.#harness.maxTools,
      closed: () => deps.config()['ai.agent'].toolSearch,
    })
  }

  /** What tools may know of the model that is asked. */
  get facts(): TurnFacts | undefined {
    const harness = this.#harness as Settled | undefined
    return (
      harness && {
        size: harness.size,
        skillInstructionMaxChars: harness.skillInstructionMaxChars,
        deferredToolMaxResults: this.#deps.config()['ai.agent'].deferredToolMaxResults,
      }
    )
  }

  /** All that its agent sees. */
  get visible(): readonly Tool[] {
    return this.#allTools()
  }

  /** See {@link TurnTools.offer}. */
  offer(found: readonly Tool[]): readonly string[] {
    return this.#tools.offer(found)
  }

  get #turn(): Turn {
    return this.#live.journal
  }

  get #signal(): AbortSignal {
    return this.#live.control.signal
  }

  get #waits(): WaitHost {
    return {
      deps: this.#deps,
      live: this.#live,
      change: (changes) => this.#chain.change(changes),
      began: () => this.#firstPart?.(),
    }
  }

  /** Runs to the end and gives the answer. Never rejects; what went wrong stands in the journal and was said. */
  async run(): Promise<void> {
    const { places, clock, config } = this.#deps
    let held = false
    const own = config()['ai.agent']
    const { timeout } = config()['ai.trigger']
    const first = clock.setTimeout(() => this.#live.end('failed', 'slow'), timeout || 2 ** 31)
    if (timeout) this.#until = clock.now() + timeout
    this.#firstPart = () => {
      first()
      this.#firstPart = undefined
    }
    try {
      if (this.#turn.state === 'delivering') {
        await this.#chain.load()
        return await this.#saying.deliver(this.#turn.answer ?? '')
      }
      await places.acquire(this.#turn.session, this.#signal)
      held = true
      this.#live.deadline = new Deadline(clock, (this.#live.request?.timeout ?? own.timeout) || 2 ** 31, () =>
        this.#live.end('failed', 'long'),
      )
      await this.#chain.change({ state: 'running', stage: 'prepare', starts: this.#turn.starts + 1 })
      await this.#prepare()
      await this.#converse()
    } catch (error) {
      await this.#saying.exit(error)
    } finally {
      this.#firstPart?.()
      this.#live.deadline?.stop()
      if (held) places.release(this.#turn.session)
    }
  }

  /** Half of what is left: the model has to begin in the rest of it. */
  get #mediaPatience(): number {
    return Math.min(MEDIA_MS, Math.max(0, (this.#until - this.#deps.clock.now()) / 2))
  }

  #roles(): ReadonlySet<string> {
    return rolesNow(this.#deps, this.#live)
  }

  #context(text: string): PromptContext {
    return contextOf(this.#live, this.#roles(), {
      agent: this.#chosen.name,
      text,
      size: this.#harness.size,
      maxSkills: this.#harness.maxSkills,
    })
  }

  #allTools(): readonly Tool[] {
    return visibleTools(this.#deps.tools, this.#chosen.config, this.#harness)
  }

  /** Chooses agent and models, and reads what the conversation is. */
  async #prepare(): Promise<void> {
    const { store, models, config, presets } = this.#deps
    const asked = models()
    if (!asked) throw new Error('no models')
    const session = await store().byId(this.#turn.session)
    if (!session) throw new Error('the session is gone')
    this.#session = session
    const kinds = mediaKinds(this.#live.media)
    this.#chosen =
      this.#live.request?.agent !== undefined || this.#turn.agent !== 'main'
        ? agentNamed(this.#live.request?.agent ?? this.#turn.agent, config(), presets)
        : agentFor(kinds, config(), presets)
    this.#candidates = await candidatesOf(asked, this.#chosen, kinds, this.#signal)
    const [best] = this.#candidates
    if (!best) throw new Error('no models')
    this.#harness = harnessOf(config(), best, takesSkills(this.#deps.tools), models()?.model(best))
    if (this.#turn.chain.length === 0) await this.#deps.inOrder(session.id, () => this.#begin())
    else await this.#chain.load()
    this.#saying.begin()
  }

  /** Where a fresh turn begins: below the leaf of now, with a head, and with what is too old cut away. */
  async #begin(): Promise<void> {
    const { store, config, clock } = this.#deps
    let session = (await store().byId(this.#session.id)) as Session
    let path = await store().path(session.id, session.leaf)
    const place = async (entries: readonly NewEntry[]): Promise<void> => {
      if (!(await store().place(session.id, session.branch, entries))) throw new Error('the session was switched')
      session = (await store().byId(session.id)) as Session
      path = await store().path(session.id, session.leaf)
    }
    const cut = coldCut(path, session, config(), {
      now: clock.now(),
      startedAt: this.#deps.startedAt,
      durable: store().durable,
    })
    const news: NewEntry[] = cut ? [cut] : []
    if (cut) this.#deps.broke('cut')
    if (!headOf(path)) news.push(await this.head(this.#turn.text))
    if (news.length) await place(news)
    this.#session = session
    this.#chain.base = path
    this.#live.journal = { ...this.#turn, base: session.leaf, branch: session.branch }
  }

  /** A head as this turn would have it. */
  head(text: string): Promise<NewEntry & { readonly kind: 'head' }> {
    const { sections, ownSections, host, config } = this.#deps
    const { request } = this.#live
    return makeHead({ own: ownSections, sections, host }, this.#context(text), {
      tools: this.#allTools(),
      harness: this.#harness,
      toolSearch: config()['ai.agent'].toolSearch && request?.subagent !== true,
      preset: this.#chosen.preset,
      system: request?.system,
      only: request?.tools,
    })
  }

  /** Asks and runs tools until there is an answer; an overflow is met in stages that end. */
  async #converse(): Promise<void> {
    const room: Room = { deps: this.#deps, chain: this.#chain, live: this.#live, candidates: this.#candidates }
    for (let stage = 0; ; stage++) {
      const end = await this.#loop()
      if (end.reason === 'aborted') throw this.#signal.reason
      if (end.error?.class === 'overflow' && stage < OVERFLOW_STAGES) {
        await makeRoom(room, stage)
        continue
      }
      if (end.reason === 'error' || (end.reason === 'interrupted' && end.text.trim() === ''))
        throw end.error ?? new Error('the model gave no answer')
      if (end.reason === 'refusal' && end.text.trim() === '')
        throw end.error ?? new ModelError('refusal', 'The model refused to answer')
      this.#firstPart?.()
      await this.#saying.close(end.text, this.#usage)
      return makeRoomLater(room, this.#usage)
    }
  }

  async #loop(): Promise<LoopEnd> {
    const models = this.#deps.models() as Models
    const fresh = this.#chain.own.length === 0
    const entry = fresh
      ? await userEntry(this.#deps, {
          message: this.#live.message,
          segments: this.#live.media,
          turn: this.#turn,
          path: this.#chain.base,
          context: this.#context(this.#turn.text),
          others: this.#deps.others(this.#live),
          takesVideo: this.#candidates.some((candidate) => models.model(candidate)?.capabilities.video === true),
          signal: this.#signal,
          patience: this.#mediaPatience,
        })
      : undefined
    const view = viewOf(
      entry
        ? [...this.#chain.path, { ...entry, n: Infinity, parent: null, meta: {}, at: 0 } as Entry]
        : this.#chain.path,
    )
    let user: NewEntry | undefined = entry
    const own = this.#deps.config()['ai.agent']
    const { request, message, steering } = this.#live
    const next = { next: (): UserMessage | undefined => steering[0]?.message }
    let end: LoopEnd | undefined
    for await (const event of agentLoop({
      stream: (asked, { signal }) => requestOf(this.#deps, this.#live, models, this.#candidates, asked, signal),
      messages: [{ role: 'system', content: view.system }, ...view.messages],
      tools: this.#tools.set(),
      request: {
        cacheKey: this.#session.id,
        origin: this.#turn.origin,
        session: this.#turn.session_key,
        turn: this.#turn.id,
        purpose: request?.subagent ? 'task' : 'turn',
        ...(this.#harness.temperature === undefined ? {} : { temperature: this.#harness.temperature }),
        ...(this.#harness.parallelToolCalls === undefined
          ? {}
          : { parallelToolCalls: this.#harness.parallelToolCalls }),
        ...(this.#harness.providerOptions === undefined
          ? {}
          : { providerOptions: this.#harness.providerOptions as NonNullable<ModelRequest['providerOptions']> }),
      },
      maxSteps: request?.maxSteps ?? this.#chosen.preset?.maxIterations ?? this.#harness.maxIterations,
      signal: this.#signal,
      ...(message
        ? { steering: { mode: own.steeringMode, ...next }, followUps: { mode: own.followUpMode, ...next } }
        : {}),
      ...(fresh ? { preExecute: preExecutions(this.#deps, this.#live, this.#allTools()) } : {}),
      preExecTimeout: own.preExecTimeout,
      surroundings: (call) => toolCallContext(this.#waits, this.#roles(), call),
      hadNotBegun: ({ id }) => this.#live.waits.waitedBefore(id),
      redact: (text) => this.#deps.host.redact(text),
      clock: this.#deps.clock,
      log: this.#deps.log,
      prepareStep: async ({ messages }) => {
        const transformed = await transformedBy(this.#deps.transforms(), messages, {
          session: this.#turn.session_key,
          agent: this.#chosen.name,
        })
        return transformed === messages ? undefined : { messages: transformed }
      },
    })) {
      switch (event.type) {
        case 'pre-executed':
          if (user) user = { ...user, content: event.message.content as readonly UserPart[] } as NewEntry
          break
        case 'step':
          if (user) {
            await this.#chain.append([user], { stage: 'model', base: this.#turn.base, branch: this.#turn.branch })
            user = undefined
          }
          await this.#chain.settle()
          this.#chain.known({ stage: 'model', step: event.index + 1 })
          break
        case 'model':
          this.#chain.known({ model: `${event.provider}:${event.model}` })
          break
        case 'fallback':
          this.#deps.fellBack(this.#live, event)
          break
        case 'text':
          this.#firstPart?.()
          if (this.#live.said === '') this.#deps.began(this.#deps.clock.now() - this.#turn.started_at)
          this.#live.said += event.text
          this.#saying.text(event.text)
          request?.onChunk?.(event.text, this.#live.said)
          break
        case 'reasoning':
        case 'tool-input':
          this.#firstPart?.()
          break
        case 'assistant':
          this.#firstPart?.()
          await this.#answered(event)
          break
        case 'tool-start':
          request?.onTool?.(event.call.name)
          this.#chain.known({ stage: `tool ${event.call.name}` })
          this.#saying.doing(event.call.name)
          break
        case 'tool-end':
          await this.#toolEnded(event)
          break
        case 'user': {
          await this.#chain.settle()
          const steered = steering.shift()
          if (steered) await this.#saying.takeIn(steered, event.why, this.#answeredWhole)
          this.#answeredWhole = false
          break
        }
        case 'end':
          end = event
          break
        default:
      }
    }
    return end as LoopEnd
  }

  async #answered(event: LoopEvent & { readonly type: 'assistant' }): Promise<void> {
    const { message, usage, provider, model, reason } = event
    this.#usage = usage
    this.#live.message?.step(
      'model',
      `${provider}:${model}`,
      reason,
      `${usage.input} tokens in, ${usage.cachedInput} cached, ${usage.output} out`,
    )
    this.#deps.phase(this.#live, 'answered', { model: `${provider}:${model}`, ...usage, reason })
    this.#chain.hold(message, usage, `${provider}:${model}`)
    this.#answeredWhole = true
    const calls = typeof message.content !== 'string' && message.content.some(({ type }) => type === 'tool-call')
    // Committed before its calls are launched: the loop launches them when the next event is asked for.
    if (calls) {
      await this.#chain.settle()
      this.#saying.pause()
      this.#answeredWhole = false
      this.#live.said = ''
    }
  }

  async #toolEnded(outcome: ToolOutcome): Promise<void> {
    const { call, result, ms, waitedMs } = outcome
    this.#live.message?.step(
      'tool',
      call.name,
      result.isError ? 'failed' : 'ran',
      result.isError ? outputText(result.output).slice(0, 200) : undefined,
      waitedMs || undefined,
    )
    this.#deps.phase(this.#live, 'tool', { tool: call.name, ms: Math.round(ms), ok: !result.isError })
    this.#deps.toolEnded(this.#live, outcome)
    this.#live.request?.onResult?.(call.name, outputText(result.output))
    const grown = this.#tools.grown()
    if (grown.length) this.#deps.broke('tools')
    await this.#chain.result(result, grown)
  }
}
