import { WireError } from '@mynah/contract'
import { closestMatch } from '@mynah/kernel'
import type { McpCallOptions, McpResult, McpServers, McpServerView } from './api.js'
import type { Config } from './config.js'
import { Supervisor, type SupervisorParts } from './supervisor.js'

/** The parts that all supervisors share. */
export interface ServersParts extends Omit<SupervisorParts, 'changed'> {
  /** Called when the connection state or the tools of a server have changed. */
  changed(name: string, connected: boolean): void
}

/** Keeps one supervisor for each configured server. */
export class Servers implements McpServers {
  readonly #parts: ServersParts
  readonly #supervisors = new Map<string, Supervisor>()
  /** Ends of removed servers by name. A new server of the same name waits for them. */
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

  /** Starts, changes and removes servers to match the configuration. */
  configure(config: Config): void {
    const wanted = config['ai.mcpServers']
    for (const [name, supervisor] of this.#supervisors) if (!Object.hasOwn(wanted, name)) this.#remove(name, supervisor)
    for (const [name, next] of Object.entries(wanted)) {
      const known = this.#supervisors.get(name)
      if (known) {
        known.configure(next)
        continue
      }
      const { changed, ...parts } = this.#parts
      const supervisor: Supervisor = new Supervisor(name, next, {
        ...parts,
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

  #find(name: string): Supervisor {
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
    return this.#find(server).call(tool, input, options)
  }

  async restart(server: string): Promise<boolean> {
    return this.#find(server).restart()
  }

  async accept(server: string): Promise<number> {
    return this.#find(server).accept()
  }

  /** Closes all servers. Resolves when all processes have ended. */
  async close(): Promise<void> {
    this.#closed = true
    for (const [name, supervisor] of this.#supervisors) this.#remove(name, supervisor)
    await Promise.all(this.#leaving.values())
  }
}
