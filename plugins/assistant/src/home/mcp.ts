// The home behind an MCP server: its tools for states and services, found by their names and filled in by their schemas.
import type { Reader } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { Tool, ToolCall, ToolResult } from '@mynah/plugin-ai/api'
import type { EntityState, Home } from './home.js'

/** As published servers name them: `get_state`, `ha_get_state`, `get_entity_state`, `get_entity`; `call_service`, `ha_call_service`, `call_service_tool`. */
const STATE = /(?:^|[_-])get[_-]?(?:entity[_-]?)?(?:state|entity)(?:[_-]tool)?$/i
const CALL = /(?:^|[_-])(?:call[_-]?service|perform[_-]?action)(?:[_-]tool)?$/i

type Surroundings = Omit<ToolCall, 'signal'>

export class McpHome implements Home {
  readonly #server: string
  readonly #tools: Reader<Tool>
  readonly #surroundings: () => Surroundings

  constructor(server: string, tools: Reader<Tool>, surroundings: () => Surroundings) {
    this.#server = server
    this.#tools = tools
    this.#surroundings = surroundings
  }

  async state(entity: string, signal: AbortSignal): Promise<EntityState> {
    const text = await this.#run(STATE, 'the state of an entity', { entity_id: entity }, signal)
    try {
      // What a server says comes marked as of outside; the answer is the object within.
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
      // A text is as good a state as any; nothing is known of its attributes.
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
      CALL,
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

  /** Gives a tool what its schema asks for of what is known; `target` in the data where it has no other place for it. */
  async #run(
    name: RegExp,
    what: string,
    known: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    target: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    const mine = this.#tools.all().filter(({ value }) => value.source === this.#server)
    if (mine.length === 0) throw new WireError('not_ready', `The MCP server "${this.#server}" is not there`)
    const tool = mine.find(({ value }) => name.test(value.name))?.value
    if (!tool) throw new WireError('unsupported', `The MCP server "${this.#server}" has no tool for ${what}`)
    const { properties = {} } = tool.parameters as { properties?: Record<string, unknown> }
    const wanted = Object.keys(properties)
    const input: Record<string, unknown> = Object.fromEntries(
      Object.entries(known).filter(([key]) => wanted.includes(key)),
    )
    // A call that lost its target could mean every light of the house.
    const hasPlace = ['entity_id', 'target', 'service_data'].some((key) => wanted.includes(key))
    if (!hasPlace && 'entity_id' in target) {
      if (!wanted.includes('data'))
        throw new WireError('unsupported', `The tool "${tool.name}" has no place for an entity`)
      input.data = { ...(input.data as object), ...target }
    }
    const output = await tool.run(input as never, { ...this.#surroundings(), signal })
    const result = output as Partial<ToolResult> | null
    if (typeof result !== 'object' || result?.kind !== 'tool-result')
      return typeof output === 'string' ? output : JSON.stringify(output ?? '')
    const text = (result.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    if (result.isError) throw new WireError('upstream_unavailable:home', `The home failed: ${text.slice(0, 500)}`)
    return text
  }
}
