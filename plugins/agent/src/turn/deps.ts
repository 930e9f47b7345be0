// What a turn needs of everything around it.
import type { Clock, HostControl, Logger, Reader } from '@mynah/kernel'
import type { LoopEvent, Models, Tool, ToolOutcome, Web } from '@mynah/plugin-ai/api'
import type { Chat } from '@mynah/plugin-chat/api'
import type { AgentPreset, ContextTransform, PromptSection } from '../api.js'
import type { Compactor } from '../compaction/compactor.js'
import type { Config } from '../config.js'
import type { PrefixBreak } from '../metrics.js'
import type { SessionStore } from '../session/types.js'
import type { Speech } from '../speech.js'
import type { Questions } from '../tools/questions.js'
import type { MediaFolder } from '../view/media.js'
import type { LiveTurn } from './live-turn.js'
import type { ConcurrencyLimiter } from './concurrency-limiter.js'

export interface RunnerDeps {
  readonly store: () => SessionStore
  readonly models: () => Models | undefined
  readonly web: () => Web | undefined
  readonly chat: () => Chat | undefined
  readonly tools: Reader<Tool>
  readonly sections: Reader<PromptSection>
  readonly ownSections: readonly PromptSection[]
  readonly presets: Reader<AgentPreset>
  readonly transforms: () => readonly ContextTransform[]
  readonly host: HostControl
  readonly config: () => Config
  readonly clock: Clock
  /** When this host began. */
  readonly startedAt: number
  readonly log: Logger
  readonly places: ConcurrencyLimiter
  readonly questions: Questions
  readonly compactor: Compactor
  readonly media: MediaFolder | undefined
  readonly speech: () => Speech | undefined
  /** Says once that nothing can transcribe. */
  readonly cannotTranscribe: () => void
  /** Takes requests for the owner's approval back: nobody would use what is approved. Never rejects. */
  readonly withdraw: (requests: readonly string[]) => Promise<void>
  /** The journal has changed. */
  readonly changed: (live: LiveTurn) => void
  readonly toolEnded: (live: LiveTurn, outcome: ToolOutcome) => void
  readonly sent: (live: LiveTurn, text: string, error?: string) => void
  readonly phase: (live: LiveTurn, stage: string, facts: Record<string, unknown>) => void
  readonly fellBack: (live: LiveTurn, event: LoopEvent & { readonly type: 'fallback' }) => void
  /** Messages of the same session that are being answered beside it. */
  readonly others: (live: LiveTurn) => number
  /** A request will not extend the one before it. */
  readonly broke: (why: PrefixBreak) => void
  /** The first words of an answer came. */
  readonly began: (ms: number) => void
  /** Serialises what must not happen twice for a session. */
  readonly inOrder: <T>(session: string, work: () => Promise<T>) => Promise<T>
}
