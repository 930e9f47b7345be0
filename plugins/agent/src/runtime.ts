import {
  Cluster,
  HostControl,
  HostPaths,
  ifEnabled,
  messageOf,
  ref,
  type Clock,
  type Context,
  type Logger,
  type Reader,
  type Ref,
} from '@mynah/kernel'
import { DAY_MS, newId } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import { KeptResults, Models, toolPolicies, tools, Web, type Candidate, type Tool } from '@mynah/plugin-ai/api'
import { Chat, type Message } from '@mynah/plugin-chat/api'
import {
  agentPresets,
  promptSections,
  Speech,
  type AgentPreset,
  type ContextTransform,
  type PromptSection,
} from './api.js'
import type { Config } from './config.js'
import { DocumentReader } from './documents/reader.js'
import { Database } from '@mynah/database-api'
import { Approvals, Jobs } from './optional.js'
import { builtInSections } from './prompt/sections.js'
import { DatabaseSessions } from './session/database-store.js'
import { MemorySessions } from './session/memory-store.js'
import { switchingStore } from './session/switching-store.js'
import type { MendedRing, SessionStore } from './session/types.js'
import { ToolAccess } from './tools/access.js'
import { LongResults } from './tools/long-results.js'
import { Questions } from './tools/questions.js'
import { ToolUse } from './tools/tool-use.js'
import { askedWords } from './trigger/decide.js'
import { personaFor, personasIn, type Addressed, type Persona } from './trigger/persona.js'
import { ActiveTurns } from './turn/active-turns.js'
import { agentByName, candidatesOf } from './turn/agent-selection.js'
import { candidatesAfter, chosenCandidate } from './turn/model-choice.js'
import { ConcurrencyLimiter } from './turn/concurrency-limiter.js'
import { TurnEvents } from './turn/events.js'
import { mediaKinds } from './turn/media-kinds.js'
import { SessionQueues } from './turn/session-queues.js'
import { MediaFolder } from './view/media.js'
import { SharedMedia } from './view/shared-media.js'

const TURNS_PER_SESSION = 4
const TURNS_IN_ALL = 16

export const needs = {
  host: HostControl,
  paths: ref(HostPaths),
  models: ref(Models),
  web: ref(Web),
  kept: ref(KeptResults),
  speech: ref(Speech),
  chat: ref(Chat),
  approvals: ref(Approvals),
  jobs: ref(Jobs),
  database: ifEnabled(Database),
  cluster: ifEnabled(Cluster),
}
export type AgentContext = Context<Config, typeof needs>

/**
 * What all parts of the agent share: its configuration, its stores, and the services of other plugins as they are now.
 */
export class AgentRuntime {
  readonly clock: Clock
  readonly log: Logger
  readonly host: HostControl
  /** When this host started, in milliseconds since the epoch. */
  readonly startedAt: number
  readonly store: SessionStore
  readonly media: MediaFolder | undefined
  readonly documents: DocumentReader
  readonly tools: Reader<Tool>
  readonly access: ToolAccess
  readonly toolUse: ToolUse
  readonly longResults: LongResults
  readonly sections: Reader<PromptSection>
  readonly builtInSections: readonly PromptSection[] = builtInSections()
  readonly presets: Reader<AgentPreset>
  readonly transforms = new Set<ContextTransform>()
  readonly events = new TurnEvents()
  readonly activeTurns = new ActiveTurns()
  readonly questions = new Questions()
  readonly limiter = new ConcurrencyLimiter({ inSession: TURNS_PER_SESSION, inAll: TURNS_IN_ALL })
  readonly queues = new SessionQueues()
  readonly #ctx: AgentContext
  /** Ids of this start sort after it. */
  readonly #firstId = newId()
  #config: Config
  #warnedOfSpeech = false

  constructor(ctx: AgentContext) {
    this.#ctx = ctx
    this.#config = ctx.config
    this.clock = ctx.clock
    this.log = ctx.log
    this.host = ctx.host
    this.startedAt = ctx.clock.now()
    this.tools = ctx.read(tools)
    this.access = new ToolAccess(ctx.read(toolPolicies))
    this.longResults = new LongResults(() => this.kept)
    this.toolUse = ctx.keep('tool-use', () => new ToolUse())
    this.sections = ctx.read(promptSections)
    this.presets = ctx.read(agentPresets)
    const shared = ctx.cluster && ctx.database && new SharedMedia(ctx.database)
    this.media = ctx.paths.current ? new MediaFolder(ctx.paths.current.data, shared) : undefined
    this.documents = new DocumentReader(ctx)
    const now = (): number => ctx.clock.now()
    const mended = (ring: MendedRing): void => this.events.emit('ringMended', ring)
    const memory = ctx.keep('sessions', () => new MemorySessions(now, mended))
    const durable = ctx.database && new DatabaseSessions(ctx.database, now, mended, ctx.cluster?.owner)
    this.store = switchingStore(() => (durable && this.#config['ai.sessions'].useDatabase !== false ? durable : memory))
  }

  get config(): Config {
    return this.#config
  }

  /** Replaces the configuration. A turn that runs keeps what it has read from the old one. */
  configure(next: Config): void {
    this.#config = next
  }

  /** Where whole texts are stored, of which a model gets a part. */
  get kept(): KeptResults | undefined {
    return this.#ctx.kept.current
  }

  /** The hosts that share the database; `undefined` for a host alone. */
  get cluster(): Cluster | undefined {
    return this.#ctx.cluster
  }

  get models(): Models | undefined {
    return this.#ctx.models.current
  }

  /**
   * Resolves when the plugin `ai` runs. It is unavailable while it is configured again, and stops before this one
   * when the host stops.
   *
   * @throws the reason of `signal` when it aborts
   */
  async untilModels(signal: AbortSignal): Promise<Models> {
    const { models } = this.#ctx
    if (!models.declared) throw new Error('no models')
    while (!models.current) {
      signal.throwIfAborted()
      await new Promise<void>((resolve) => {
        const end = (): void => {
          unsubscribe()
          signal.removeEventListener('abort', end)
          resolve()
        }
        const unsubscribe = models.onChange(end)
        signal.addEventListener('abort', end, { once: true })
      })
    }
    return models.current
  }

  get web(): Web | undefined {
    return this.#ctx.web.current
  }

  get speech(): Speech | undefined {
    return this.#ctx.speech.current
  }

  get chat(): Chat | undefined {
    return this.#ctx.chat.current
  }

  get approvals(): Ref<Approvals> {
    return this.#ctx.approvals
  }

  /** Aborts when the plugin stops. */
  get signal(): AbortSignal {
    return this.#ctx.signal
  }

  get jobs(): Jobs | undefined {
    return this.#ctx.jobs.current
  }

  /** Returns the models of an agent, the best first; a chosen one comes before them. */
  async candidatesFor(name = 'main', chosen: string | null = null): Promise<readonly Candidate[]> {
    if (!this.models) throw new WireError('not_ready', 'The plugin ai is not ready')
    const agent = agentByName(name, this.config, this.presets)
    const { signal } = this.#ctx
    const first = chosen === null ? undefined : await chosenCandidate(this.models, chosen, signal)
    if (first) return candidatesAfter(first, this.models, agent, signal)
    return candidatesOf(this.models, agent, new Set(), signal)
  }

  /** Returns the agent that a message is for, where that is not `main`. */
  personaOf(message: Message): Persona | undefined {
    return personaFor(this.#addressed(message), this.config['ai.agents'], this.chat?.commandPrefix ?? '/')
  }

  /** Returns the agents that have conversations of their own where a message was sent. */
  personasAt(message: Message): readonly string[] {
    return personasIn(this.#addressed(message), this.config['ai.agents'])
  }

  #addressed(message: Message): Addressed {
    const { adapter, endpoint, channel, sender, segments } = message
    return { adapter, endpoint, channel, sender, words: askedWords(message), kinds: mediaKinds(segments) }
  }

  /** Returns the names of all agents, by configuration or by file; `main` is the first. */
  agentNames(): string[] {
    const files = this.presets.all().map(({ value }) => value.name)
    return [...new Set(['main', ...Object.keys(this.config['ai.agents']), ...files])]
  }

  /** Returns the idle times after which an epoch is archived and expires, in milliseconds. */
  idleLimits(): { readonly archive: number; readonly expire: number } {
    const { expireMs = this.store.durable ? 7 * DAY_MS : DAY_MS, sessionIdleArchiveMs } = this.config['ai.sessions']
    return { archive: sessionIdleArchiveMs || Infinity, expire: expireMs || Infinity }
  }

  /**
   * Returns the row of a message that was accepted before this start, and is handled again. The effects of later
   * messages are not to be undone. `undefined` for any other message; rows in memory have shorter ids.
   */
  rowOfBefore({ row }: Pick<Message, 'row'>): string | undefined {
    return row !== undefined && row.length === this.#firstId.length && row < this.#firstId ? row : undefined
  }

  /** Withdraws requests for approval that no turn will use. Never rejects. */
  async withdrawApprovals(ids: readonly string[]): Promise<void> {
    for (const id of ids)
      await this.#ctx.approvals.current
        ?.withdraw(id)
        .catch((error: unknown) => this.log.warn(`failed to withdraw the approval request ${id}: ${messageOf(error)}`))
  }

  /** Warns, once, that sound cannot be transcribed. */
  warnNoSpeech(): void {
    if (this.#warnedOfSpeech) return
    this.#warnedOfSpeech = true
    const fix = this.#ctx.speech.declared ? 'the plugin speech is not ready' : 'enable the plugin speech'
    this.log.warn(`sound is not transcribed: ${fix}, or set ai.multimodal.audio.strategy to text-only`)
  }
}
