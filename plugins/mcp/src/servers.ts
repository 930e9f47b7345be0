import { WireError } from '@mynah/contract'
import { closestMatch } from '@mynah/kernel'
import type { McpCallOptions, McpResult, McpServers, McpServerView } from './api.js'
import type { Config } from './config.js'
import { Supervisor, type SupervisorParts } from './supervisor.js'

/** What all supervisors share; `changed` is told of which server. */
/** The parts that the servers work with. */
export interface ServersParts extends Omit<SupervisorParts, 'changed'> {
  changed(name: string, connected: boolean): void
}

export class Servers implements McpServers {
  readonly #parts: ServersParts
  readonly #supervisors = new Map<string, Supervisor>()
  /** By name: a server that comes back waits until the one before it has gone. */
  readonly #leaving = new Map<string, Promise<void>>()
  #closed = false

  constructor(parts: ServersParts) {
    this.#parts = parts
  }

  get all(): readonly Supervisor[] {
    return [...this.#supervisors.values()]
  }

  list(): readonly McpServerView[] {
    return this.all.map((server) => server.view())
  }

  /** Begins, changes and ends servers, as the configuration says. */
  configure(config: Config): void {
    const wanted = config['ai.mcpServers']
    for (const [name, supervisor] of this.#supervisors) if (!Object.hasOwn(wanted, name)) this.#remove(name, supervisor)
    for (const [name, next] of Object.entries(wanted)) {
      const known = this.#supervisors.get(name)
      if (known) {
        known.configure(next)
        continue
      }
      const { changed, ...deps } = this.#parts
      const supervisor: Supervisor = new Supervisor(name, next, {
        ...deps,
        changed: () => changed(name, supervisor.connected),
      })
      this.#supervisors.set(name, supervisor)
      void (this.#leaving.get(name) ?? Promise.resolve()).then(() => {
        if (!this.#closed && this.#supervisors.get(name) === supervisor) supervisor.start()
      })
    }
  }

  #remove(name: string, supervisor: Supervisor): void {
    this.#supervisors.delete(name)
    const gone = supervisor.close().finally(() => {
      if (this.#leaving.get(name) === gone) this.#leaving.delete(name)
      if (!this.#supervisors.has(name)) this.#parts.counters.forget(name)
    })
    this.#leaving.set(name, gone)
  }

  #named(name: string): Supervisor {
    const found = this.#supervisors.get(name)
    if (found) return found
    const meant = closestMatch(name.slice(0, 64), [...this.#supervisors.keys()])
    throw new WireError(
      'not_found',
      `There is no MCP server ${name.slice(0, 64)}${meant ? `; did you mean ${meant}?` : ''}`,
    )
  }

  async call(
    server: string,
    tool: string,
    input: Readonly<Record<string, unknown>>,
    options?: McpCallOptions,
  ): Promise<McpResult> {
    return this.#named(server).call(tool, input, options)
  }

  async restart(server: string): Promise<boolean> {
    return this.#named(server).restart()
  }

  async accept(server: string): Promise<number> {
    return this.#named(server).accept()
  }

  /** All processes are gone when it resolves. */
  async close(): Promise<void> {
    this.#closed = true
    for (const [name, supervisor] of this.#supervisors) this.#remove(name, supervisor)
    await Promise.all(this.#leaving.values())
  }
}
