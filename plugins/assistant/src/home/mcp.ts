// The home behind an MCP server: its tools for states and services, found by their names and filled in by their schemas.
import type { Reader } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { Tool, ToolCall, ToolResult } from '@mynah/plugin-ai/api'
import type { EntityState, Home } from './home.js'

const STATE = /(?:^|[_-])get[_-]?(?:entity[_-]?)?(?:state|entity)$/i
const CALL = /(?:^|[_-])(?:call[_-]?service|perform[_-]?action)$/i

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
      const { state, attributes } = JSON.parse(text) as { state?: unknown; attributes?: unknown }
      if (typeof state === 'string') return { state, attributes: typeof attributes === 'object' && attributes !== null ? attributes as Record<string, unknown> : {} }
    } catch {
      // A text is as good a state as any; nothing is known of its attributes.
    }
    return { state: text.slice(0, 2_000), attributes: {} }
  }

  async call(domain: string, service: string, entity: string | undefined, data: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<void> {
    const target = entity === undefined ? {} : { entity_id: entity }
    await this.#run(CALL, 'calling a service', { domain, service, action: `${domain}.${service}`, ...target, target, data: { ...data }, service_data: { ...data, ...target } }, signal)
  }

  /** Gives a tool what its schema asks for of what is known. */
  async #run(name: RegExp, what: string, known: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<string> {
    const mine = this.#tools.all().filter(({ value }) => value.source === this.#server)
    if (mine.length === 0) throw new WireError('not_ready', `The MCP server "${this.#server}" is not there`)
    const tool = mine.find(({ value }) => name.test(value.name))?.value
    if (!tool) throw new WireError('unsupported', `The MCP server "${this.#server}" has no tool for ${what}`)
    const { properties = {} } = tool.parameters as { properties?: Record<string, unknown> }
    const wanted = Object.keys(properties)
    const input = Object.fromEntries(Object.entries(known).filter(([key]) => wanted.includes(key)))
    const output = await tool.run(input as never, { ...this.#surroundings(), signal })
    const result = output as Partial<ToolResult> | null
    if (typeof result !== 'object' || result?.kind !== 'tool-result') return typeof output === 'string' ? output : JSON.stringify(output ?? '')
    const text = (result.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    if (result.isError) throw new WireError('upstream_unavailable:home', `The home failed: ${text.slice(0, 500)}`)
    return text
  }
}
