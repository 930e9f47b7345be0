import { messageOf, type Logger } from '@mynah/kernel'
import { defineTool, type KeptResults, type Tool, type ToolCall, type ToolResult } from '@mynah/plugin-ai/api'
import type { McpCallOptions, McpResult } from './api.js'
import type { ServerConfig } from './config.js'
import type { ListedTool } from './listing.js'
import { offeredName } from './names.js'
import { forModel, isCut } from './result.js'

/** The server that lists and runs the tools. */
export interface Provider {
  readonly name: string
  call(tool: string, input: Readonly<Record<string, unknown>>, options: McpCallOptions): Promise<McpResult>
}

interface Contributed {
  readonly mark: string
  readonly undo: () => unknown
}

/** Contributes the tools of servers to the agent. */
export class Offered {
  readonly #contribute: (tool: Tool) => () => unknown
  readonly #log: Logger
  /** Stores the complete text of cut results. */
  readonly #kept: () => KeptResults | undefined
  readonly #known = new Map<Provider, Map<string, Contributed>>()

  constructor(contribute: (tool: Tool) => () => unknown, kept: () => KeptResults | undefined, log: Logger) {
    this.#contribute = contribute
    this.#kept = kept
    this.#log = log
  }

  /** Offers exactly these tools of a server. Unchanged tools stay contributed. */
  set(server: Provider, tools: readonly ListedTool[], { timeout, roles }: ServerConfig): void {
    const before = this.#known.get(server) ?? new Map<string, Contributed>()
    const after = new Map<string, Contributed>()
    const wanted = new Map(tools.map((tool) => [offeredName(server.name, tool.name), tool]))
    const markOf = (tool: ListedTool): string =>
      [tool.fingerprint, timeout, ...(requiredRoles(tool, roles) ?? [])].join(' ')
    for (const [name, contributed] of before) {
      const tool = wanted.get(name)
      if (tool && markOf(tool) === contributed.mark) after.set(name, contributed)
      else contributed.undo()
    }
    for (const [name, tool] of wanted) {
      if (after.has(name)) continue
      try {
        after.set(name, {
          mark: markOf(tool),
          undo: this.#contribute(
            toolOf(server, name, tool, { timeout, requiredAnyRole: requiredRoles(tool, roles) }, (result, call) =>
              this.#display(result, `${server.name} ${tool.name}`, call),
            ),
          ),
        })
      } catch (error) {
        this.#log.warn(`failed to offer the tool ${name}: ${messageOf(error)}`)
      }
    }
    if (after.size) this.#known.set(server, after)
    else this.#known.delete(server)
  }

  /** Converts a result for a model. Stores the complete text of a cut one if a store exists. */
  async #display(result: McpResult, source: string, call: ToolCall): Promise<ToolResult> {
    let path: string | undefined
    try {
      if (isCut(result)) path = await this.#kept()?.keep(result.text, call)
    } catch (error) {
      // The cut result is still useful.
      this.#log.warn(`failed to store a long result of ${source}: ${messageOf(error)}`)
    }
    return forModel(result, source, path)
  }
}

/** The roles that are asked for where the configuration names none. */
const TRUSTED = ['trusted', 'master']

/**
 * Returns the roles of which a caller needs one, or `undefined` for a tool of everybody. What the server says of a tool
 * can ask for more than the configuration, never for less.
 */
function requiredRoles(
  { isDestructive }: ListedTool,
  configured: readonly string[] = TRUSTED,
): readonly string[] | undefined {
  if (!isDestructive) return configured.includes('user') ? undefined : configured
  const raised = configured.filter((role) => TRUSTED.includes(role))
  return raised.length ? raised : TRUSTED
}

interface OfferedSettings {
  readonly timeout: number | undefined
  readonly requiredAnyRole: readonly string[] | undefined
}

function toolOf(
  server: Provider,
  name: string,
  { name: own, description, parameters, effect }: ListedTool,
  { timeout, requiredAnyRole }: OfferedSettings,
  display: (result: McpResult, call: ToolCall) => Promise<ToolResult>,
): Tool {
  return defineTool({
    name,
    description,
    parameters,
    effect,
    source: server.name,
    ...(timeout === undefined ? {} : { timeout }),
    ...(requiredAnyRole ? { requiredAnyRole } : {}),
    run: async (input: Record<string, unknown>, call) =>
      display(
        await server.call(own, input, { signal: call.signal, progress: (text) => call.progress(text.slice(0, 200)) }),
        call,
      ),
  })
}
