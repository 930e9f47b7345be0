// What goes into the agent loop and what comes out of it.
import type { Clock, Logger } from '@mynah/kernel'
import type { ModelError } from './errors.js'
import type { AssistantMessage, ModelMessage, ToolCallPart, ToolResultPart, UserMessage } from './messages.js'
import type { Candidate, FinishReason, ModelPart, ModelRequest, ToolDefinition, Usage } from './models.js'
import type { Tool, ToolCall } from './tools.js'

/** How many waiting messages are taken at once. */
export type QueueMode = 'one-at-a-time' | 'all'

/** Messages that come while the loop runs. */
export interface MessageQueue {
  /** Default `one-at-a-time`. */
  readonly mode?: QueueMode
  /** Takes the next waiting message, or `undefined`. */
  next(): UserMessage | undefined
}

/** The tools of a turn. Both are asked again at every step and launch, so a set may change while the loop runs. */
export interface ToolSet {
  /** As they are sent; in a stable order. */
  readonly definitions: readonly ToolDefinition[]
  /** Looked up at launch. */
  find(name: string): Tool | undefined
  /** Why this call is refused, for the model; `undefined` lets it run. */
  refuse?(call: ToolCallPart, tool: Tool): string | undefined
  /** Aborts when the tool goes while it runs. */
  gone?(name: string): AbortSignal | undefined
}

/** What the loop cannot know of a call: all of {@link ToolCall} but what it makes itself. */
export type ToolCallContext = Omit<ToolCall, 'id' | 'signal' | 'progress'>

/** A call to run before the first step, in place of the model. */
export interface PreExecution {
  readonly name: string
  readonly input: unknown
}

/** What `prepareStep` may change of the coming request. */
export interface PreparedStep {
  readonly messages?: readonly ModelMessage[]
  readonly request?: Partial<Omit<ModelRequest, 'messages'>>
}

/** What the loop is given. It does nothing but ask `stream` and run tools. */
export interface LoopOptions {
  /** Asks a model, as {@link Models.stream} does; what it throws ends the loop. */
  stream(request: ModelRequest, options: { readonly signal: AbortSignal }): AsyncIterable<ModelPart>
  /** Where to begin. Open tool calls at the end are settled first. */
  readonly messages: readonly ModelMessage[]
  readonly tools?: readonly Tool[] | ToolSet | undefined
  /** Everything of a request but its messages and tools. */
  readonly request?: Omit<ModelRequest, 'messages' | 'tools'> | undefined
  /** Model steps, the last of which is without tools; default 15, and 1 without tools. */
  readonly maxSteps?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Messages for the running turn: taken before the next launch of tools and the next step. */
  readonly steering?: MessageQueue | undefined
  /** Messages for afterwards: taken when the model has answered, and answered too. */
  readonly followUps?: MessageQueue | undefined
  /** Run in parallel before the first step; their results stand at the beginning of the last user message. */
  readonly preExecute?: readonly PreExecution[] | undefined
  /** Of all of them together, ms; default 15,000. What is not there by then is left out. */
  readonly preExecTimeout?: number | undefined
  /** Of one call, ms; default 120,000. A tool's own wins. */
  readonly toolTimeout?: number | undefined
  /** Calls at the same time; default 8. `1` runs them in order. */
  readonly parallel?: number | undefined
  /** Characters of one result; longer ones lose their middle. Default 100,000. */
  readonly maxResultChars?: number | undefined
  surroundings?(call: ToolCallPart): ToolCallContext
  /** Settles a call that was open when the loop began; `undefined` runs it by its `effect`. */
  settle?(call: ToolCallPart): ToolResultPart | undefined
  /** Whether a call that was open when the loop began had done nothing yet: it runs again whatever its `effect`. */
  hadNotBegun?(call: ToolCallPart): boolean
  /** Before each step, such as to keep it within the window. */
  prepareStep?(step: {
    readonly index: number
    readonly messages: readonly ModelMessage[]
    readonly usage: Usage
  }): PreparedStep | undefined | Promise<PreparedStep | undefined>
  /** Passes over the texts of failures before a model sees them. */
  redact?(text: string): string
  readonly clock?: Clock | undefined
  readonly log?: Logger | undefined
}

/** What became of a call. */
export interface ToolOutcome {
  readonly call: ToolCallPart
  readonly result: ToolResultPart
  /** ms; `waitedMs` of it waiting for people or tasks. */
  readonly ms: number
  readonly waitedMs: number
}

/** Why a loop ended. */
export type LoopEndReason =
  /** The model answered. */
  | 'answer'
  /** It answered without tools because its steps were used up. */
  | 'max-steps'
  /** It repeated itself and was made to answer. */
  | 'loop'
  /** The stream broke after text had come: the text is all there is. */
  | 'interrupted'
  | 'refusal'
  | 'aborted'
  | 'error'

/** How a loop ended; its last event. */
export interface LoopEnd {
  readonly type: 'end'
  readonly reason: LoopEndReason
  /** The visible text of the last answer. */
  readonly text: string
  /** Everything that was added to the messages it began with. */
  readonly messages: readonly ModelMessage[]
  readonly usage: Usage
  readonly steps: number
  /** Of `error` and `interrupted`. */
  readonly error?: ModelError
}

/**
 * What happens in a loop, in order. It goes on when the next event is asked for: what is stored at `assistant` is stored before
 * its tools are launched.
 */
export type LoopEvent =
  | { readonly type: 'step'; readonly index: number; readonly last: boolean }
  | { readonly type: 'model'; readonly provider: string; readonly model: string }
  | { readonly type: 'fallback'; readonly from: Candidate; readonly to: Candidate; readonly error: ModelError }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'tool-input'; readonly id: string; readonly name: string; readonly text: string }
  | {
      readonly type: 'assistant'
      readonly message: AssistantMessage
      readonly reason: FinishReason
      readonly usage: Usage
      readonly provider: string
      readonly model: string
    }
  | { readonly type: 'tool-start'; readonly call: ToolCallPart }
  | { readonly type: 'tool-progress'; readonly id: string; readonly name: string; readonly text: string }
  | {
      readonly type: 'tool-wait'
      readonly id: string
      readonly name: string
      readonly kind: string
      readonly waitId: string
      readonly waiting: boolean
    }
  | ({ readonly type: 'tool-end' } & ToolOutcome)
  | { readonly type: 'user'; readonly message: UserMessage; readonly why: 'steering' | 'follow-up' }
  /** `message` stands in the place of the last user message. */
  | { readonly type: 'pre-executed'; readonly outcomes: readonly ToolOutcome[]; readonly message: UserMessage }
  | LoopEnd
