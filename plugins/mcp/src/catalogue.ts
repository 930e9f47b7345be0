// The tools of one server: as it lists them, as far as they are trusted, and so offered.
import type { Logger } from '@mynah/kernel'
import type { McpToolView } from './api.js'
import type { ServerConfig } from './config.js'
import { readListing, type ListedTool } from './listing.js'
import type { Offered, Provider } from './offered.js'
import type { TrustStore } from './trust-store.js'
import { acceptAll, judge, targetOf, type Approved, type Judgement } from './trust.js'

const NOTHING: Judgement = { usable: [], held: [] }
const NAMED = 5

export interface CatalogueDeps {
  readonly trust: TrustStore
  readonly offered: Offered
  readonly log: Logger
}

export class Catalogue {
  readonly #of: Provider
  readonly #deps: CatalogueDeps
  #approved: Approved | undefined
  #listed: readonly ListedTool[] = []
  #judgement = NOTHING
  #problems: readonly string[] = []
  /** Lists and acceptances, one after the other. */
  #lane: Promise<unknown> = Promise.resolve()

  constructor(of: Provider, deps: CatalogueDeps) {
    this.#of = of
    this.#deps = deps
  }

  get usable(): readonly ListedTool[] {
    return this.#judgement.usable
  }
  /** What of the list was left out. */
  get problems(): readonly string[] {
    return this.#problems
  }

  isHeld(tool: string): boolean {
    return this.#judgement.held.some(({ name }) => name === tool)
  }

  views(): McpToolView[] {
    const { usable, held } = this.#judgement
    const views = usable.map(({ name, description }): McpToolView => ({ name, description, held: false }))
    for (const { name, description } of held) {
      const accepted = this.#approved?.tools.get(name)?.description
      views.push({ name, description, held: true, ...(accepted === undefined ? {} : { accepted }) })
    }
    return views.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Takes a new list; what is new in it is stored before it is offered. */
  take(list: () => Promise<readonly unknown[]>, config: () => ServerConfig, signal: AbortSignal): Promise<void> {
    return this.#inOrder(async () => {
      const raw = await list()
      const { include, exclude } = config()
      const { tools, problems } = readListing(
        raw,
        (name) => (!include || include.includes(name)) && !exclude?.includes(name),
      )
      this.#approved ??= await this.#deps.trust.read(this.#of.name)
      const judgement = judge(this.#approved, targetOf(config()), tools)
      if (judgement.next) {
        await this.#deps.trust.write(this.#of.name, judgement.next)
        this.#approved = judgement.next
      }
      signal.throwIfAborted()
      this.#listed = tools
      this.#problems = problems
      this.#judge(judgement, config())
    })
  }

  /** Accepts what is listed now; gives the number of tools that were held. */
  accept(config: () => ServerConfig): Promise<number> {
    return this.#inOrder(async () => {
      const held = this.#judgement.held.length
      if (held === 0) return 0
      const target = targetOf(config())
      const approved = acceptAll(this.#approved, target, this.#listed)
      await this.#deps.trust.write(this.#of.name, approved)
      this.#approved = approved
      this.#judge(judge(approved, target, this.#listed), config())
      return held
    })
  }

  /** Takes all tools back. */
  clear(config: ServerConfig): void {
    this.#listed = []
    this.#problems = []
    this.#judge(NOTHING, config)
  }

  /** Offers the same under another configuration. */
  offer(config: ServerConfig): void {
    const { include, exclude } = config
    this.#deps.offered.set(
      this.#of,
      this.#judgement.usable.filter(({ name }) => (!include || include.includes(name)) && !exclude?.includes(name)),
      config,
    )
  }

  #judge(judgement: Judgement, config: ServerConfig): void {
    const before = new Set(this.#judgement.held.map(({ fingerprint }) => fingerprint))
    const news = judgement.held.filter(({ fingerprint }) => !before.has(fingerprint))
    this.#judgement = judgement
    const { name } = this.#of
    if (news.length)
      this.#deps.log.warn(
        `MCP server ${name}: ${news.length} changed ${news.length === 1 ? 'tool is' : 'tools are'} held back until "/mcp accept ${name}": ${news
          .slice(0, NAMED)
          .map((tool) => tool.name)
          .join(', ')}`,
      )
    this.offer(config)
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#lane.then(work)
    // Each is told of its own failure only.
    this.#lane = mine.catch(() => undefined)
    return mine
  }
}
