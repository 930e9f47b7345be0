import { messageOf, type Logger } from '@mynah/kernel'
import { defineTool, type Tool } from '@mynah/plugin-ai/api'
import type { McpCallOptions, McpResult } from './api.js'
import type { ServerConfig } from './config.js'
import type { ListedTool } from './listing.js'
import { offeredName } from './names.js'
import { forModel } from './result.js'

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
  readonly #known = new Map<Provider, Map<string, Contributed>>()

  constructor(contribute: (tool: Tool) => () => unknown, log: Logger) {
    this.#contribute = contribute
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
          undo: this.#contribute(toolOf(server, name, tool, { timeout, requiredAnyRole: requiredRoles(tool, roles) })),
        })
      } catch (error) {
        this.#log.warn(`failed to offer the tool ${name}: ${messageOf(error)}`)
      }
    }
    if (after.size) this.#known.set(server, after)
    else this.#known.delete(server)
  }
}

/** The roles that are asked for where the configuration names none. */
const TRUSTED = ['trusted', 'master']

/**
 * Returns the roles of which a caller needs one, or `undefined` for a tool of everybody. The annotations of a tool
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
      forModel(
        await server.call(own, input, { signal: call.signal, progress: (text) => call.progress(text.slice(0, 200)) }),
        `${server.name} ${own}`,
      ),
  })
}
