import type { Logger } from '@mynah/kernel'
import { SerialQueue } from '@mynah/kernel/util'
import type { LeftOutTool, McpToolView } from './api.js'
import type { ServerConfig } from './config.js'
import { readListing, type ListedTool } from './listing.js'
import type { Offered, Provider } from './offered.js'
import type { TrustStore } from './trust-store.js'
import { acceptAll, decideTrust, targetOf, type AcceptedServer, type TrustDecision } from './trust.js'

const NO_TOOLS: TrustDecision = { usable: [], held: [] }
/** Tools that a log line names. */
const MAX_NAMED = 5

/** The parts that a catalogue works with. */
export interface CatalogueParts {
  readonly trust: TrustStore
  readonly offered: Offered
  readonly log: Logger
}

/** The tools of one server: listed, trusted, and offered. */
export class Catalogue {
  readonly #provider: Provider
  readonly #parts: CatalogueParts
  #accepted: AcceptedServer | undefined
  #listed: readonly ListedTool[] = []
  #decision = NO_TOOLS
  #leftOut: readonly LeftOutTool[] = []
  /** Serializes lists and acceptances. */
  readonly #queue = new SerialQueue()

  constructor(provider: Provider, parts: CatalogueParts) {
    this.#provider = provider
    this.#parts = parts
  }

  get usable(): readonly ListedTool[] {
    return this.#decision.usable
  }
  /** Tools of the last list that cannot be used. */
  get leftOut(): readonly LeftOutTool[] {
    return this.#leftOut
  }

  isHeld(tool: string): boolean {
    return this.#decision.held.some(({ name }) => name === tool)
  }

  views(): McpToolView[] {
    const { usable, held } = this.#decision
    const views = usable.map(({ name, description }): McpToolView => ({ name, description, held: false }))
    for (const { name, description } of held) {
      const accepted = this.#accepted?.tools.get(name)?.description
      views.push({ name, description, held: true, ...(accepted === undefined ? {} : { accepted }) })
    }
    return views.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Reads a new list. New tools are stored as accepted before they are offered. */
  update(list: () => Promise<readonly unknown[]>, config: () => ServerConfig, signal: AbortSignal): Promise<void> {
    return this.#queue.run(async () => {
      const raw = await list()
      const { include, exclude } = config()
      const { tools, leftOut } = readListing(
        raw,
        (name) => (!include || include.includes(name)) && !exclude?.includes(name),
      )
      this.#accepted ??= await this.#parts.trust.read(this.#provider.name)
      const judgement = decideTrust(this.#accepted, targetOf(config()), tools)
      if (judgement.next) {
        await this.#parts.trust.write(this.#provider.name, judgement.next)
        this.#accepted = judgement.next
      }
      signal.throwIfAborted()
      this.#listed = tools
      this.#leftOut = leftOut
      this.#apply(judgement, config())
    })
  }

  /** Accepts all listed tools. Returns the number of tools that were held back. */
  accept(config: () => ServerConfig): Promise<number> {
    return this.#queue.run(async () => {
      const held = this.#decision.held.length
      if (held === 0) return 0
      const target = targetOf(config())
      const accepted = acceptAll(this.#accepted, target, this.#listed)
      await this.#parts.trust.write(this.#provider.name, accepted)
      this.#accepted = accepted
      this.#apply(decideTrust(accepted, target, this.#listed), config())
      return held
    })
  }

  /** Withdraws all tools. */
  clear(config: ServerConfig): void {
    this.#listed = []
    this.#leftOut = []
    this.#apply(NO_TOOLS, config)
  }

  /** Offers the same tools under a changed configuration. */
  offer(config: ServerConfig): void {
    const { include, exclude } = config
    this.#parts.offered.set(
      this.#provider,
      this.#decision.usable.filter(({ name }) => (!include || include.includes(name)) && !exclude?.includes(name)),
      config,
    )
  }

  #apply(judgement: TrustDecision, config: ServerConfig): void {
    const before = new Set(this.#decision.held.map(({ fingerprint }) => fingerprint))
    const changed = judgement.held.filter(({ fingerprint }) => !before.has(fingerprint))
    this.#decision = judgement
    const { name } = this.#provider
    if (changed.length) {
      const names = changed.slice(0, MAX_NAMED).map((tool) => tool.name)
      this.#parts.log.warn(
        `MCP server ${name}: ${changed.length} changed ${changed.length === 1 ? 'tool is' : 'tools are'} ` +
          `held back until "/mcp accept ${name}": ${names.join(', ')}`,
      )
    }
    this.offer(config)
  }
}
