import type { Clock, Logger } from '@mynah/kernel'
import type { ModelError } from './errors.js'
import type { AssistantMessage, ModelMessage, ToolCallPart, ToolResultPart, UserMessage } from './messages.js'
import type { FinishReason, ModelPart, ModelRequest, ToolDefinition, Usage } from './models.js'
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

/** The tools of a turn. It is read at every step and launch, so it may change while the loop runs. */
export interface ToolSet {
  /** The definitions to send, in a stable order. */
  readonly definitions: readonly ToolDefinition[]
  /** Returns the tool for a call. */
  find(name: string): Tool | undefined
  /** Returns why a call is refused, for the model, or `undefined` to run it. */
  refuse?(call: ToolCallPart, tool: Tool): string | undefined
  /** Returns a signal that aborts when the tool is removed. */
  gone?(name: string): AbortSignal | undefined
}

/** The part of a {@link ToolCall} that the loop cannot know. */
export type ToolCallContext = Omit<ToolCall, 'id' | 'signal' | 'progress'>

/** A call to run before the first step, in place of the model. */
export interface PreExecution {
  readonly name: string
  readonly input: unknown
}

/** Changes of `prepareStep` to the next request. */
export interface PreparedStep {
  readonly messages?: readonly ModelMessage[]
  readonly request?: Partial<Omit<ModelRequest, 'messages'>>
}

/** Options of the agent loop. The loop only asks `stream` and runs tools. */
export interface LoopOptions {
  /** Asks a model, as {@link Models.stream} does. An error ends the loop. */
  stream(request: ModelRequest, options: { readonly signal: AbortSignal }): AsyncIterable<ModelPart>
  /** The conversation so far. Open tool calls at its end are settled first. */
  readonly messages: readonly ModelMessage[]
  readonly tools?: readonly Tool[] | ToolSet | undefined
  /** Everything of a request but its messages and tools. */
  readonly request?: Omit<ModelRequest, 'messages' | 'tools'> | undefined
  /** How many steps the model may take, the last one without tools; default 15, and 1 without tools. */
  readonly maxSteps?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Messages for the running turn. They are taken before the next launch of tools and the next step. */
  readonly steering?: MessageQueue | undefined
  /** Messages for afterwards. They are taken when the model has answered, and are answered as well. */
  readonly followUps?: MessageQueue | undefined
  /** Messages to know of, which need no answer. All are taken after the results of tools, and interrupt none. */
  readonly notes?: Pick<MessageQueue, 'next'> | undefined
  /** Calls to run in parallel before the first step. Their results go to the beginning of the last user message. */
  readonly preExecute?: readonly PreExecution[] | undefined
  /** Timeout of all of them together in milliseconds; default 15,000. Later results are left out. */
  readonly preExecTimeout?: number | undefined
  /** Timeout of one call in milliseconds; default 120,000. That of the tool has precedence. */
  readonly toolTimeout?: number | undefined
  /** How many calls run at the same time; default 8. With 1 they run in order. */
  readonly parallel?: number | undefined
  /** Characters of one result; default 100,000. Longer ones lose their middle. */
  readonly maxResultChars?: number | undefined
  callContext?(call: ToolCallPart): ToolCallContext
  /** Returns the result of a call that was open when the loop began, or `undefined` to decide by its `effect`. */
  settle?(call: ToolCallPart): ToolResultPart | undefined
  /** Whether a call that was open when the loop began had done nothing yet, so that it runs again. */
  hadNotBegun?(call: ToolCallPart): boolean
  /** Called before each step, for example to keep it within the context window. */
  prepareStep?(step: {
    readonly index: number
    readonly messages: readonly ModelMessage[]
    readonly usage: Usage
  }): PreparedStep | undefined | Promise<PreparedStep | undefined>
  /** Removes secrets from the texts of failures before a model sees them. */
  redact?(text: string): string
  readonly clock?: Clock | undefined
  readonly log?: Logger | undefined
}

/** The outcome of a call. */
export interface ToolOutcome {
  readonly call: ToolCallPart
  readonly result: ToolResultPart
  /** Duration in milliseconds; `waitedMs` of it were waits for people or tasks. */
  readonly ms: number
  readonly waitedMs: number
}

/** Why a loop ended. */
export type LoopEndReason =
  /** The model answered. */
  | 'answer'
  /** The model answered without tools because its steps were used up. */
  | 'max-steps'
  /** The model repeated itself and was made to answer. */
  | 'loop'
  /** The stream broke after some text. */
  | 'interrupted'
  /** The text ends at the limit of the model's output. */
  | 'length'
  | 'refusal'
  | 'aborted'
  | 'error'

/** How a loop ended; its last event. */
export interface LoopEnd {
  readonly type: 'end'
  readonly reason: LoopEndReason
  /** The visible text of the last answer. */
  readonly text: string
  /** All messages that the loop has added. */
  readonly messages: readonly ModelMessage[]
  readonly usage: Usage
  readonly steps: number
  /** The cause of `error` and `interrupted`. */
  readonly error?: ModelError
}

/**
 * The events of a loop, in order. The loop continues when its consumer asks for the next event, so a consumer that
 * stores an answer at `assistant` has stored it before its tools run.
 */
export type LoopEvent =
  | { readonly type: 'step'; readonly index: number; readonly last: boolean }
  | { readonly type: 'model'; readonly provider: string; readonly model: string }
  | (ModelPart & { readonly type: 'waiting' })
  | (ModelPart & { readonly type: 'fallback' })
  /** `replaces`: all text since `model` was reasoning, and this text is in its place. */
  | { readonly type: 'text'; readonly text: string; readonly replaces?: true }
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
  /** A message of `notes` was added. */
  | { readonly type: 'note'; readonly message: UserMessage }
  /** `message` replaces the last user message. */
  | { readonly type: 'pre-executed'; readonly outcomes: readonly ToolOutcome[]; readonly message: UserMessage }
  | LoopEnd
