// What other plugins may know of the agent: the service, its prompt sections and presets, and its hooks.
import { hook, point, service, type Service } from '@mynah/kernel'
import type { Segment } from '@mynah/contract/types'
import type { Candidate, ModelMessage, Origin, Usage } from '@mynah/plugin-ai/api'

/** For whom a part of a prompt is made. */
export interface PromptContext {
  readonly session: string
  readonly origin: Origin
  readonly roles: ReadonlySet<string>
  /** A master in a private chat: what is meant for the owner alone may stand here. */
  readonly isOwnersChat: boolean
  /** Name of the agent. */
  readonly agent: string
  /** What was said. */
  readonly text: string
  readonly size: TurnFacts['size']
  /** Skills told of at most. */
  readonly maxSkills: number
}

/** What tools may know of the model that a turn asks. */
export interface TurnFacts {
  readonly size: 'small' | 'medium' | 'large'
  /** Characters of the instructions of a skill. */
  readonly skillInstructionMaxChars: number
  /** Tools that are found by likeness at most. */
  readonly deferredToolMaxResults: number
}

/** A file that a section shows: its size in bytes, and how much of it stands in the section. */
export interface SectionFile {
  readonly name: string
  readonly raw: number
  readonly injected: number
  /** It was too long for its place. */
  readonly cut: boolean
}

/** The text of a section, and the files that it comes from. */
export interface SectionText {
  readonly text: string
  readonly files: readonly SectionFile[]
}

/**
 * A part of what a model reads with the conversation. `system` is part of the system text, as it was at the start of the epoch or
 * at the last compaction; `preamble` comes before the words of the user, and should tell only what has changed.
 */
export interface PromptSection {
  readonly id: string
  readonly position: 'system' | 'preamble'
  /** Lower comes first; Style 100, Tools 200, Safety 300, Platform 400, Deferred Tools 500, Skills 600, Memory 700. */
  readonly order: number
  readonly title: string
  /** Empty or `undefined` leaves the section out. */
  render(context: PromptContext): string | SectionText | undefined | Promise<string | SectionText | undefined>
  /** Names of the skills and files that it is made of, for `agent:bootstrap`. */
  sources?(): SectionSources | Promise<SectionSources>
}
export interface SectionSources {
  readonly skills?: readonly string[]
  readonly files?: readonly string[]
}
export const promptSections = point<PromptSection>({
  id: 'agent.prompt-sections',
  key: (section) => section.id,
  describe: ({ title }) => ({ name: title }),
})

/** An agent that a file declares; the configuration's agent of the same name wins where it says something. */
export interface AgentPreset {
  readonly name: string
  readonly description: string
  /** Names of tools; absent means those that the agent would have. */
  readonly tools?: readonly string[]
  /** `model` or `alias:model`. */
  readonly model?: string
  readonly maxIterations?: number
  /** The system text. */
  readonly prompt: string
}
export const agentPresets = point<AgentPreset>({
  id: 'agent.presets',
  key: (preset) => preset.name,
  describe: ({ name, description }) => ({ name, description }),
})

/** What {@link Agent.ask} is asked. */
export interface AgentRequest {
  readonly text: string
  /** Pictures, sound and documents beside the text; their bytes, or addresses of them. */
  readonly media?: readonly Segment[]
  /** Name of an agent; default `main`. */
  readonly agent?: string
  /** A stored session of that key, such as `job|<id>`; without it nothing is kept. */
  readonly sessionKey?: string
  readonly origin?: Origin
  /** Roles of the call; default those of the origin's user now. */
  readonly roles?: ReadonlySet<string>
  /** Names of the only tools that may be called, permanent ones too; default those of the agent. */
  readonly tools?: readonly string[]
  /** Model steps. */
  readonly maxSteps?: number
  /** It is a sub-agent's: the policies of sub-agents hold. */
  readonly subagent?: boolean
  /** Without the time that it waits, ms; default `ai.agent.timeout`. */
  readonly timeout?: number
  /** A text in place of the head of the prompt. */
  readonly system?: string
  readonly signal?: AbortSignal
  /** Makes a stored turn one of its kind: asked again under a key it gives the first one's answer, or goes on with it. */
  readonly key?: string
  readonly onChunk?: (chunk: string, full: string) => void
  /** Told what goes on. */
  readonly onTool?: (name: string) => void
  /** Told what a tool gave. */
  readonly onResult?: (name: string, output: string) => void
  /** Told what a tool is about to wait for, before it does. */
  readonly onWait?: (kind: string, id: string) => Promise<void>
}

/** What it answered. */
export interface AgentAnswer {
  readonly text: string
  readonly segments: readonly Segment[]
  readonly usage: Usage
  readonly turnId: string
}

/** Changes the messages of a request before they are sent; what it gives must be the same for the same messages. */
export type ContextTransform = (
  messages: readonly ModelMessage[],
  about: { readonly session: string; readonly agent: string },
) => readonly ModelMessage[] | Promise<readonly ModelMessage[]>

/** A turn as others see it. */
export interface TurnView {
  readonly id: string
  readonly sessionKey: string
  readonly state: TurnState
}
export type TurnState = 'queued' | 'running' | 'waiting' | 'delivering' | 'done' | 'failed' | 'interrupted' | 'stopped'

/** Work that goes on beside the turn that began it, and ends with what a person stops. */
export interface BackgroundWork {
  readonly name: string
  running(): readonly {
    readonly id: string
    readonly sessionKey: string
    readonly turnId: string
    readonly origin: Origin
  }[]
  /** @param isTold Whoever stopped it knows: nobody has to be told. */
  stop(id: string, isTold: boolean): void
}
export const backgroundWork = point<BackgroundWork>({ id: 'agent.background-work', key: (work) => work.name })

/** The agent. Failures are `ModelError`s, or `WireError`s where the agent itself refuses. */
export interface Agent {
  ask(request: AgentRequest): Promise<AgentAnswer>
  /** Chains a transform of the context after the cuts of the agent's own. Gives its undo, which a plugin owns: `ctx.onDispose('transform', undo)`. */
  onTransformContext(transform: ContextTransform): () => void
  /** Ends a turn: models, tools, sub-agents and requests for approval. False where nothing of it runs. */
  stop(turnId: string): boolean
  turns(): readonly TurnView[]
  /** Whether a turn of before goes on; resolves when what a stop has left was taken up. */
  isRunning(turnId: string): Promise<boolean>
  /** Names of the agents that there are, by configuration or by file; `main` first. */
  names(): readonly string[]
  /** Of a turn that runs. */
  facts(turnId: string): TurnFacts | undefined
  /** Ends the epoch of a session that {@link AgentRequest.sessionKey} began, where there is one. */
  endSession(sessionKey: string): Promise<void>
}
export const Agent: Service<Agent> = service<Agent>('agent')

/** Before a session is compacted; listeners may keep what would be lost, and are waited for. */
export const beforeCompaction = hook<{
  readonly sessionKey: string
  readonly messages: readonly ModelMessage[]
  readonly candidates: readonly Candidate[]
  readonly isOwnersChat: boolean
  readonly signal: AbortSignal
}>('agent.before-compaction')

export { aiHook, registerAIHook, type AIHookName, type AIHooks } from './hooks.js'
export { Speech, type Recording, type SpeechOptions } from './speech.js'
export { ConcurrencyLimiter } from './turn/concurrency-limiter.js'
export { rankByTerms, searchTerms } from './search.js'
export { NOT_FOR_WORKERS, rankTools } from './tools/selection.js'
