import { hook, point, service, type Service } from '@mynah/kernel'
import type { Segment } from '@mynah/contract/types'
import type { Candidate, ModelMessage, Origin, Usage } from '@mynah/plugin-ai/api'

/** The conversation for which a prompt section is rendered. */
export interface PromptContext {
  readonly session: string
  readonly origin: Origin
  readonly roles: ReadonlySet<string>
  /** Whether the conversation is private and with a master, so that a section may show what is for the owner alone. */
  readonly isOwnersChat: boolean
  /** Name of the agent. */
  readonly agent: string
  /** The words of the user. */
  readonly text: string
  readonly size: TurnFacts['size']
  /** How many skills a section names at most. */
  readonly maxSkills: number
}

/** Settings of the model that a turn asks, for tools. */
export interface TurnFacts {
  readonly size: 'small' | 'medium' | 'large'
  /** Characters of a skill's instructions that are shown. */
  readonly skillInstructionMaxChars: number
  /** How many tools a search returns at most. */
  readonly deferredToolMaxResults: number
}

/** A file that a section shows: its size in bytes, and how many of them the section has. */
export interface SectionFile {
  readonly name: string
  readonly raw: number
  readonly injected: number
  /** Whether it was cut to fit. */
  readonly cut: boolean
}

/** The text of a section and the files that it comes from. */
export interface SectionText {
  readonly text: string
  readonly files: readonly SectionFile[]
}

/**
 * A part of the prompt. `system` is part of the system text, as it was at the start of the epoch or at the last
 * compaction. `preamble` comes before the words of the user and should have only what has changed.
 */
export interface PromptSection {
  readonly id: string
  readonly position: 'system' | 'preamble'
  /** Lower comes first; Style 100, Tools 200, Safety 300, Platform 400, Deferred Tools 500, Skills 600, Memory 700. */
  readonly order: number
  readonly title: string
  /** Returns the text. An empty text or `undefined` leaves the section out. */
  render(context: PromptContext): string | SectionText | undefined | Promise<string | SectionText | undefined>
  /** Returns the names of its skills and files, for `agent:bootstrap`. */
  sources?(): SectionSources | Promise<SectionSources>
}
/** The skills and files that a section of the prompt shows. */
export interface SectionSources {
  readonly skills?: readonly string[]
  readonly files?: readonly string[]
}
/** The point for parts of the prompt. */
export const promptSections = point<PromptSection>({
  id: 'agent.prompt-sections',
  key: (section) => section.id,
  describe: ({ title }) => ({ name: title }),
})

/** An agent that a file declares. Settings of the configuration's agent of the same name override it. */
export interface AgentPreset {
  readonly name: string
  readonly description: string
  /** Names of its tools; default all. */
  readonly tools?: readonly string[]
  /** `model` or `alias:model`. */
  readonly model?: string
  readonly maxIterations?: number
  /** The system text. */
  readonly prompt: string
}
/** The point for agents that files declare. */
export const agentPresets = point<AgentPreset>({
  id: 'agent.presets',
  key: (preset) => preset.name,
  describe: ({ name, description }) => ({ name, description }),
})

/** The request of {@link Agent.ask}. */
export interface AgentRequest {
  readonly text: string
  /** Images, sound and documents, by their bytes or addresses. */
  readonly media?: readonly Segment[]
  /** Name of an agent; default `main`. */
  readonly agent?: string
  /** Key of a stored session, such as `job|<id>`. Without it the session is archived with the answer. */
  readonly sessionKey?: string
  readonly origin?: Origin
  /** Roles of the turn; default the current ones of the origin's user. */
  readonly roles?: ReadonlySet<string>
  /** Names of the only tools that may be called, permanent ones included; default those of the agent. */
  readonly tools?: readonly string[]
  /** How many times the model is asked at most. */
  readonly maxSteps?: number
  /** Whether a sub-agent asks, so that the policies of sub-agents apply. */
  readonly subagent?: boolean
  /** The tool call that asks. The trace of its message shows the steps of this turn as parts of the call. */
  readonly parent?: { readonly turn: string; readonly call: string } | undefined
  /** Timeout in milliseconds, without waits; default `ai.agent.timeout`. */
  readonly timeout?: number
  /** Replaces the system text. */
  readonly system?: string
  readonly signal?: AbortSignal
  /** Identifies the turn: a second request with the same key gets the answer of the first. */
  readonly key?: string
  readonly onChunk?: (chunk: string, full: string) => void
  /** Called when a tool starts. */
  readonly onTool?: (name: string) => void
  /** Called with the result of a tool. */
  readonly onResult?: (name: string, output: string) => void
  /** Called, and awaited, before a tool waits. */
  readonly onWait?: (kind: string, id: string) => Promise<void>
}

/** The answer to an {@link AgentRequest}. */
export interface AgentAnswer {
  readonly text: string
  readonly segments: readonly Segment[]
  readonly usage: Usage
  readonly turnId: string
}

/** Changes the messages of a request before they are sent. It must return the same for the same messages. */
export type ContextTransform = (
  messages: readonly ModelMessage[],
  about: { readonly session: string; readonly agent: string },
) => readonly ModelMessage[] | Promise<readonly ModelMessage[]>

/** A running turn. */
export interface TurnView {
  readonly id: string
  readonly sessionKey: string
  readonly state: TurnState
}
/** The state of a turn. */
export type TurnState = 'queued' | 'running' | 'waiting' | 'delivering' | 'done' | 'failed' | 'interrupted' | 'stopped'

/** Work that a turn has started and does not wait for. It is stopped with the turn. */
export interface BackgroundWork {
  readonly name: string
  running(): readonly {
    readonly id: string
    readonly sessionKey: string
    readonly turnId: string
    readonly origin: Origin
  }[]
  /** @param isNotified whether the person who stopped it was notified already */
  stop(id: string, isNotified: boolean): void
  /** Counts of the work that earlier starts have left, by outcome. */
  readonly recovered?: Readonly<Record<string, number>>
}
/** The point for work that turns start and do not wait for. */
export const backgroundWork = point<BackgroundWork>({ id: 'agent.background-work', key: (work) => work.name })

/** The agent. */
export interface Agent {
  /**
   * Runs a turn and returns its answer.
   *
   * @throws a `ModelError` of the provider, a `WireError` when the agent itself refuses, or the reason for which
   * the host has suspended the turn, which goes on after the next start: `isLeft` of the plugin `ai` recognises it
   */
  ask(request: AgentRequest): Promise<AgentAnswer>
  /**
   * Adds a transform of the context, after those that were added before. Returns a function that removes it, for
   * `ctx.onDispose('transform', remove)`.
   */
  onTransformContext(transform: ContextTransform): () => void
  /** Stops a turn with its tools, sub-agents and requests for approval. Returns whether anything was running. */
  stop(turnId: string): boolean
  turns(): readonly TurnView[]
  /** Whether a turn runs. Resolves when the turns of an earlier start have been recovered. */
  isRunning(turnId: string): Promise<boolean>
  /** Returns the names of all agents, by configuration or by file; `main` is the first. */
  names(): readonly string[]
  /** Returns the facts of a running turn. */
  facts(turnId: string): TurnFacts | undefined
  /** Archives the session that a request with this {@link AgentRequest.sessionKey} has started, if there is one. */
  endSession(sessionKey: string): Promise<void>
}
export const Agent: Service<Agent> = service<Agent>('agent', { plugin: 'agent' })

/** Emitted before a session is compacted, and awaited: listeners can keep what would be lost. */
export const beforeCompaction = hook<{
  readonly sessionKey: string
  /** The agent that the session belongs to, where it has memory of its own. */
  readonly agent?: string | undefined
  readonly messages: readonly ModelMessage[]
  readonly candidates: readonly Candidate[]
  readonly isOwnersChat: boolean
  readonly signal: AbortSignal
}>('agent.before-compaction')

export { aiHook, registerAIHook, type AIHookName, type AIHooks } from './hooks.js'
export { Speech, type Recording, type SpeechOptions } from './speech.js'
export { Documents, type DocumentFile, type DocumentReadOptions, type ReadDocument } from './documents/api.js'
export { ConcurrencyLimiter } from './turn/concurrency-limiter.js'
export { TASK_SESSION } from './job-session.js'
export { leftTo, placeOfOrigin } from './turn/turn-place.js'
export { untilStored } from './turn/until-stored.js'
export { rankByTerms, searchTerms } from './search.js'
export { NOT_FOR_WORKERS, rankTools } from './tools/selection.js'
