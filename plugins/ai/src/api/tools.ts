// Tools that a model may call: the point that every plugin adds to, and what a tool knows of its call.
import { KernelError, point, type Logger } from '@mynah/kernel'
import type { Channel } from '@mynah/contract/types'
import type { Static, TSchema } from '@mynah/contract/type'
import type { FilePart, ImagePart, TextPart } from './messages.js'

/** Where a turn comes from. */
export interface Origin {
  readonly adapter?: string | undefined
  readonly endpoint?: string | undefined
  readonly channel?: Channel | undefined
  /** Id of the person on the platform. */
  readonly user?: string | undefined
}

/** What a tool knows of the call that it answers. */
export interface ToolCall {
  /** Of the person for whom the turn runs, as they are now. */
  readonly roles: ReadonlySet<string>
  readonly origin: Origin
  /** Key of the session; empty outside one. */
  readonly session: string
  /** Id of the turn; empty outside one. */
  readonly turn: string
  /** A sub-agent calls: what it does is in the name of the person for whom it was started. */
  readonly subagent?: boolean | undefined
  /** Of this call; the same when it runs again after a start, and so a key for services that take one. */
  readonly id: string
  /** Aborts at the call's deadline, when the turn ends and when the tool goes. */
  readonly signal: AbortSignal
  readonly log: Logger
  /** Tells those who watch what goes on; goes to no model. */
  progress(text: string): void
  /**
   * Waits for something that may take days. Until `done` has come the call holds no place and its deadline stands still; after a
   * start the tool runs again from its beginning, so wait before acting.
   */
  wait<T>(kind: string, id: string, done: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Asks the person for whom the turn runs. Rejects where nobody can be asked. */
  ask(question: string, options?: { readonly choices?: readonly string[] }): Promise<string>
}
/** The type of `call` for those who name it. */
export type ToolContext = ToolCall

/** Whether a call was stopped because the host stops: it runs again after the next start, and what it waits for is still wanted. */
export const isLeft = (reason: unknown): boolean =>
  reason instanceof Error && (reason as Error & { readonly state?: unknown }).state === 'left'

/** A result that is more than text; see {@link toolResult}. */
export interface ToolResult {
  readonly kind: 'tool-result'
  readonly content: readonly (TextPart | ImagePart | FilePart)[]
  readonly isError: boolean
}

/** A result of several parts, or one that tells the model of a failure. */
export function toolResult(
  content: string | readonly (TextPart | ImagePart | FilePart)[],
  { isError = false }: { readonly isError?: boolean } = {},
): ToolResult {
  return {
    kind: 'tool-result',
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    isError,
  }
}

/** What `run` may give: text, a {@link toolResult}, or anything that JSON can hold. */
export type ToolOutput = unknown

/** What a tool that runs before the first step sees. */
export interface PreExecMessage {
  readonly text: string
  readonly origin: Origin
}

/**
 * What running a call twice would do: `read` nothing at all, `repeatable` no more than once, `once` (default) it again. After a
 * crash only the first two run again by themselves.
 */
export type ToolEffect = 'read' | 'repeatable' | 'once'

/** A tool. */
export interface Tool {
  /** At most 64 of letters, digits, `_` and `-`. */
  readonly name: string
  /** For the model. */
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: object
  /** One of these is needed; absent means anyone. */
  readonly requiredAnyRole?: readonly string[]
  /** Words by which it is found. */
  readonly keywords?: readonly string[]
  /** Always offered. */
  readonly permanent?: boolean
  /** Offered to tasks only, where there are tasks: the agent knows its name and has them use it. */
  readonly deferred?: boolean
  /** Who it comes from, where that is not the plugin, such as the name of an MCP server. */
  readonly source?: string
  readonly effect?: ToolEffect
  /** Milliseconds that a call may take, where they differ from the loop's. */
  readonly timeout?: number
  /** Gives the input with which it is run before the first step, or `undefined`. */
  preExec?(message: PreExecMessage): unknown
  /** `input` fits `parameters`. What it throws is told to the model. */
  run(input: never, call: ToolCall): ToolOutput | Promise<ToolOutput>
}

/** A tool whose input has the type of its schema. */
export interface ToolDeclaration<S extends object> extends Omit<Tool, 'parameters' | 'run' | 'preExec'> {
  readonly parameters: S
  preExec?(message: PreExecMessage): InputOf<S> | undefined
  run(input: InputOf<S>, call: ToolCall): ToolOutput | Promise<ToolOutput>
}
type InputOf<S> = S extends TSchema ? Static<S> : Record<string, unknown>

const NAME = /^[A-Za-z0-9_-]{1,64}$/

/**
 * Defines a tool.
 *
 * @throws KernelError `plugin/bad-definition` naming the field that is wrong.
 * @example
 * ctx.contribute(tools, defineTool({
 *   name: 'dice', description: 'Rolls a die', parameters: Type.Object({ sides: Type.Integer({ minimum: 2 }) }),
 *   run: ({ sides }) => String(1 + Math.floor(Math.random() * sides)),
 * }))
 */
export function defineTool<const S extends object>(declaration: ToolDeclaration<S>): Tool {
  const bad = (what: string): never => {
    throw new KernelError('plugin/bad-definition', `defineTool: ${what}`)
  }
  const { name, description, parameters, run, preExec, requiredAnyRole, effect } =
    declaration as ToolDeclaration<object>
  if (typeof name !== 'string' || !NAME.test(name))
    bad(`the name ${JSON.stringify(name)} is not of 1 to 64 letters, digits, "_" and "-"`)
  if (typeof description !== 'string' || !description) bad(`${name}: the description is missing`)
  if ((parameters as { type?: unknown } | null | undefined)?.type !== 'object')
    bad(`${name}: parameters must be the JSON Schema of an object`)
  if (typeof run !== 'function') bad(`${name}: run must be a function`)
  if (preExec !== undefined && typeof preExec !== 'function') bad(`${name}: preExec must be a function`)
  if (preExec && (requiredAnyRole?.length || effect !== 'read'))
    bad(`${name}: a tool with preExec runs for everyone, so it must have effect: 'read' and no requiredAnyRole`)
  return Object.freeze({ ...declaration }) as unknown as Tool
}

/** All tools of a host. */
export const tools = point<Tool>({
  id: 'tools',
  key: (tool) => tool.name,
  describe: ({ name, description }) => ({ name, description }),
})
