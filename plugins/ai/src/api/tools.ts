import { KernelError, point, type Logger } from '@mynah/kernel'
import type { Channel } from '@mynah/contract/types'
import type { Static, TSchema } from '@mynah/contract/type'
import { readToolSchema } from '../tool-schema/read-tool-schema.js'
import { UnusableSchema } from '../tool-schema/unusable-schema.js'
import type { FilePart, ImagePart, TextPart } from './messages.js'

/** The user and the conversation that a turn comes from. */
export interface Origin {
  readonly adapter?: string | undefined
  readonly endpoint?: string | undefined
  readonly channel?: Channel | undefined
  /** Id of the person on the platform. */
  readonly user?: string | undefined
  /** Name of the agent that the conversation belongs to, where it has files and memory of its own. */
  readonly agent?: string | undefined
}

/** Names of agents that can have a folder: they are one part of a path on every system. */
export const AGENT_NAME = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,63}$/u

/**
 * Returns the folder of the agent of a conversation, relative to the folder of all, or `undefined` for agents that have
 * none of their own.
 *
 * @throws Error where the name cannot be that of a folder
 */
export function agentFolder({ agent }: Pick<Origin, 'agent'>): string | undefined {
  if (agent === undefined) return undefined
  if (!AGENT_NAME.test(agent)) throw new Error(`an agent ${JSON.stringify(agent)} cannot have a folder`)
  return `agents/${agent}`
}

/** A call, as the tool sees it. */
export interface ToolCall {
  /** Current roles of the person for whom the turn runs. */
  readonly roles: ReadonlySet<string>
  readonly origin: Origin
  /** Key of the session. Empty without one. */
  readonly session: string
  /** Id of the turn. Empty without one. */
  readonly turn: string
  /** Whether a sub-agent calls, in the name of the person for whom it was started. */
  readonly subagent?: boolean | undefined
  /** Id of the call. It is the same after a restart, so it can serve as an idempotency key. */
  readonly id: string
  /** Aborts at the call's deadline, when the turn ends and when the tool goes. */
  readonly signal: AbortSignal
  readonly log: Logger
  /** Reports progress to people. No model sees it. */
  progress(text: string): void
  /**
   * Waits for something that may take days. Until `done` resolves, the call holds no slot and its deadline is paused.
   * After a restart the tool runs again from its beginning, so wait before acting.
   */
  wait<T>(kind: string, id: string, done: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Asks the person for whom the turn runs. Rejects outside a chat. */
  ask(question: string, options?: { readonly choices?: readonly string[] }): Promise<string>
}
/** The call of {@link Tool.run}. */
export type ToolContext = ToolCall

/** Whether a call was aborted because the host stops. It runs again after the next start, so its requests stay open. */
export const isLeft = (reason: unknown): boolean =>
  reason instanceof Error && (reason as Error & { readonly state?: unknown }).state === 'suspended'

/** A result with media or a failure. See {@link toolResult}. */
export interface ToolResult {
  readonly kind: 'tool-result'
  readonly content: readonly (TextPart | ImagePart | FilePart)[]
  readonly isError: boolean
}

/** Returns a result of several parts, or one that reports a failure to the model. */
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

/** The result of `run`: text, a {@link toolResult}, or any JSON value. */
export type ToolOutput = unknown

/** The turn, as a tool sees it that may run before the first step. */
export interface PreExecMessage {
  readonly text: string
  readonly origin: Origin
}

/**
 * The effect of a tool. After a crash only calls of `read` and `repeatable` tools run again.
 *
 * - `read`: none
 * - `repeatable`: a second run changes nothing more
 * - `once`, the default: a second run has the effect again
 */
export type ToolEffect = 'read' | 'repeatable' | 'once'

/** A tool. */
export interface Tool {
  /** At most 64 letters, digits, `_` and `-`. */
  readonly name: string
  /** The description that the model reads. */
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: object
  /** The caller needs one of these roles. Absent means anyone. */
  readonly requiredAnyRole?: readonly string[]
  /** Words for the search of tools. */
  readonly keywords?: readonly string[]
  /** Whether the tool is always offered. */
  readonly permanent?: boolean
  /** Whether only tasks use the tool, when there are tasks. The agent knows its name and delegates to them. */
  readonly deferred?: boolean
  /** The origin of the tool when that is not the plugin, such as an MCP server. */
  readonly source?: string
  readonly effect?: ToolEffect
  /** Timeout of a call in milliseconds; default that of the loop. */
  readonly timeout?: number
  /** Returns the input to run it with before the first step, or `undefined`. */
  preExec?(message: PreExecMessage): unknown
  /** Runs the tool. `input` fits `parameters`. The model gets the message of an error. */
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
 * Defines a tool. Its `parameters` are those of the declaration as {@link readToolSchema} reads them.
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
  if (typeof run !== 'function') bad(`${name}: run must be a function`)
  if (preExec !== undefined && typeof preExec !== 'function') bad(`${name}: preExec must be a function`)
  if (preExec && (requiredAnyRole?.length || effect !== 'read'))
    bad(`${name}: a tool with preExec runs for everyone, so it must have effect: 'read' and no requiredAnyRole`)
  return Object.freeze({ ...declaration, parameters: schemaOf(name, parameters) }) as unknown as Tool
}

function schemaOf(name: string, parameters: object): object {
  try {
    return readToolSchema(parameters)
  } catch (error) {
    if (!(error instanceof UnusableSchema)) throw error
    throw new KernelError(
      'plugin/bad-definition',
      `the parameters of the tool ${name} cannot be used: ${error.message}`,
    )
  }
}

/** All tools of a host. */
export const tools = point<Tool>({
  id: 'tools',
  key({ name, parameters }) {
    // A tool that `defineTool` has not made is refused if no input fits it.
    schemaOf(name, parameters)
    return name
  },
  describe: ({ name, description }) => ({ name, description }),
})
