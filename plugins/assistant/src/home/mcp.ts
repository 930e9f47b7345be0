import type { Reader } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { Tool, ToolCall, ToolResult } from '@mynah/plugin-ai/api'
import type { EntityState, Home } from './home.js'

/**
 * Tool names of published servers: `get_state`, `ha_get_state`, `get_entity_state` and `get_entity` for states,
 * `call_service`, `ha_call_service` and `call_service_tool` for services.
 */
const STATE_TOOL = /(?:^|[_-])get[_-]?(?:entity[_-]?)?(?:state|entity)(?:[_-]tool)?$/i
const CALL_TOOL = /(?:^|[_-])(?:call[_-]?service|perform[_-]?action)(?:[_-]tool)?$/i

/** The home behind an MCP server. Its tools are found by name and called with the fields of their schemas. */
export class McpHome implements Home {
  readonly #server: string
  readonly #tools: Reader<Tool>
  readonly #call: Omit<ToolCall, 'signal'>

  constructor(server: string, tools: Reader<Tool>, call: Omit<ToolCall, 'signal'>) {
    this.#server = server
    this.#tools = tools
    this.#call = call
  }

  async state(entity: string, signal: AbortSignal): Promise<EntityState> {
    const text = await this.#run(STATE_TOOL, 'the state of an entity', { entity_id: entity }, signal)
    try {
      // Output of a server is wrapped as outside text. The answer is the object inside.
      const { state, attributes } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as {
        state?: unknown
        attributes?: unknown
      }
      if (typeof state === 'string')
        return {
          state,
          attributes:
            typeof attributes === 'object' && attributes !== null ? (attributes as Record<string, unknown>) : {},
        }
    } catch {
      // A plain text is the state, without attributes.
    }
    return { state: text.slice(0, 2_000), attributes: {} }
  }

  async call(
    domain: string,
    service: string,
    entity: string | undefined,
    data: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<void> {
    const target = entity === undefined ? {} : { entity_id: entity }
    await this.#run(
      CALL_TOOL,
      'calling a service',
      {
        domain,
        service,
        action: `${domain}.${service}`,
        ...target,
        target,
        data: { ...data },
        service_data: { ...data, ...target },
      },
      signal,
      target,
    )
  }

  /** Calls the tool of a name with the known fields of its schema. */
  async #run(
    name: RegExp,
    what: string,
    known: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    target: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    const tool = this.#toolFor(name, what)
    const input = inputFor(tool, known, target)
    const output = await tool.run(input as never, { ...this.#call, signal })
    const result = output as Partial<ToolResult> | null
    if (typeof result !== 'object' || result?.kind !== 'tool-result')
      return typeof output === 'string' ? output : JSON.stringify(output ?? '')
    const text = (result.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    if (result.isError) throw new WireError('upstream_unavailable:home', `The home failed: ${text.slice(0, 500)}`)
    return text
  }

  #toolFor(name: RegExp, what: string): Tool {
    const own = this.#tools.all().filter(({ value }) => value.source === this.#server)
    if (own.length === 0) throw new WireError('not_ready', `The MCP server "${this.#server}" is not available`)
    const tool = own.find(({ value }) => name.test(value.name))?.value
    if (!tool) throw new WireError('unsupported', `The MCP server "${this.#server}" has no tool for ${what}`)
    return tool
  }
}

/** Returns the known fields that the schema of a tool has. */
function inputFor(
  tool: Tool,
  known: Readonly<Record<string, unknown>>,
  target: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { properties = {} } = tool.parameters as { properties?: Record<string, unknown> }
  const fields = Object.keys(properties)
  const input = Object.fromEntries(Object.entries(known).filter(([key]) => fields.includes(key)))
  const hasTargetField = ['entity_id', 'target', 'service_data'].some((key) => fields.includes(key))
  if (hasTargetField || !('entity_id' in target)) return input
  // A call without its target could affect every entity of the domain.
  if (!fields.includes('data')) throw new WireError('unsupported', `The tool "${tool.name}" has no field for an entity`)
  return { ...input, data: { ...(input.data as object), ...target } }
}
