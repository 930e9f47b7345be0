// Keeps one server: connects, lists, offers its tools, sees it go, and tries again for as long as it is configured.
import { messageOf, type Clock } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { McpCallOptions, McpResult, McpServerView } from './api.js'
import { waitBefore } from './backoff.js'
import { Catalogue, type CatalogueDeps } from './catalogue.js'
import type { ServerConfig } from './config.js'
import { Answered, connect, type Connection } from './connection/connect.js'
import { CALL_MS, HANDSHAKE_MS, LIST_MS } from './connection/limits.js'
import type { Counters } from './counters.js'
import type { Provider } from './offered.js'
import { readResult } from './result.js'
import { hiding } from './secrets.js'
import { cut, tidy } from './text.js'
import { within } from './within.js'

/** What a supervisor needs. */
export interface SupervisorDeps extends CatalogueDeps {
  readonly clock: Clock
  readonly root: string | undefined
  readonly counters: Counters
  /** Between 0 and 1. */
  random(): number
  /** It is connected or not, or has other tools. */
  changed(): void
}

/** A connection that lasted so long, or answered a call, was a success: waiting begins anew after it. */
const PROVED_MS = 30_000
/** Lists follow each other no faster, whatever a server says. */
const LIST_EVERY_MS = 1_000
/** A call does not try again what has just failed. */
const JUST_FAILED_MS = 5_000
const MAX_REASON = 1_000

export class Supervisor implements Provider {
  readonly name: string
  readonly #tools: Catalogue
  readonly #deps: SupervisorDeps
  #config: ServerConfig
  /** From one start to the next end; nothing of an earlier one counts. */
  #epoch = new AbortController()
  #connection: Connection | undefined
  #connecting: Promise<void> | undefined
  #connected = false
  #proved = false
  #attempts = 0
  #since: number
  #failedAt = -Infinity
  #failure: string | undefined
  #nextTryAt: number | undefined
  #cancelRetry: (() => void) | undefined
  #listedAt = -Infinity
  #cancelList: (() => void) | undefined
  #checking = false
  /** Endings that are under way. */
  readonly #ending = new Set<Promise<unknown>>()
  #closed = false

  constructor(name: string, config: ServerConfig, deps: SupervisorDeps) {
    this.name = name
    this.#config = config
    this.#deps = deps
    this.#since = deps.clock.now()
    this.#tools = new Catalogue(this, deps)
  }

  get enabled(): boolean {
    return !this.#config.disabled
  }
  get connected(): boolean {
    return this.#connected
  }
  /** Whether it has been tried since it was started. */
  get tried(): boolean {
    return this.#connected || this.#failure !== undefined
  }

  view(): McpServerView {
    const { usable, problems } = this.#tools
    const reason = this.#connected ? (problems.length ? problems.join('; ') : undefined) : this.#failure
    return {
      name: this.name,
      transport: this.#connection?.transport ?? (this.#config.command === undefined ? 'http' : 'stdio'),
      connected: this.#connected,
      since: this.#since,
      toolCount: usable.length,
      tools: this.#tools.views(),
      ...(this.enabled ? {} : { disabled: true as const }),
      ...(reason === undefined ? {} : { lastError: reason }),
      ...(this.#nextTryAt === undefined ? {} : { nextTryAt: this.#nextTryAt }),
    }
  }

  /** Begins; whoever wants to know how it went looks at the view. */
  start(): void {
    if (this.enabled) void this.#connect()
  }

  /** Takes another configuration: what has another target begins anew, the rest holds at once. */
  configure(next: ServerConfig): void {
    const before = this.#config
    this.#config = next
    if (JSON.stringify(before) === JSON.stringify(next)) return
    const whom = ({ include: _, exclude: __, timeout: ___, ...rest }: ServerConfig): string => JSON.stringify(rest)
    if (whom(before) !== whom(next)) void this.restart()
    else {
      this.#tools.offer(next)
      this.#listAgain(0)
    }
  }

  /** Ends it and begins anew; whether it is connected then. */
  async restart(): Promise<boolean> {
    await this.#leave('it was restarted')
    if (this.#closed) return false
    this.#attempts = 0
    this.#failure = undefined
    this.#failedAt = -Infinity
    if (!this.enabled) {
      this.#tools.clear(this.#config)
      this.#deps.changed()
      return false
    }
    if (this.#epoch.signal.aborted) this.#epoch = new AbortController()
    await this.#connect()
    return this.#connected
  }

  /** Ends for good: tools are taken back, calls have failed, the process is gone. */
  async close(): Promise<void> {
    this.#closed = true
    this.#tools.clear(this.#config)
    await this.#leave('it was removed')
  }

  /** Accepts the tools as they are listed now; gives the number of those that were held. */
  async accept(): Promise<number> {
    const held = await this.#tools.accept(() => this.#config)
    if (held) this.#deps.changed()
    return held
  }

  async call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    { signal, progress }: McpCallOptions = {},
  ): Promise<McpResult> {
    const stop = signal ?? new AbortController().signal
    stop.throwIfAborted()
    const connection = await this.#ready(stop)
    if (!this.#tools.usable.some(({ name }) => name === tool)) {
      throw new WireError(
        'not_found',
        this.#tools.isHeld(tool)
          ? `${tool} of ${this.name} changed and waits to be accepted (/mcp accept ${this.name})`
          : `${this.name} has no tool ${tool}`,
      )
    }
    try {
      const raw = await within(
        {
          clock: this.#deps.clock,
          signal: stop,
          ms: this.#config.timeout ?? CALL_MS,
          what: `${this.name} did not answer`,
        },
        (bounded) => connection.call(tool, input, { signal: bounded, progress }),
      )
      this.#proved = true
      const result = readResult(raw)
      this.#deps.counters.count(this.name, result.isError ? 'error' : 'ok')
      return result
    } catch (error) {
      this.#deps.counters.count(this.name, stop.aborted ? 'aborted' : 'failed')
      if (stop.aborted) throw error
      const said = this.#told(messageOf(error))
      if (error instanceof Answered)
        throw new WireError('internal', `${this.name} refused the call: ${said}`, { cause: error })
      // It may hang, or its session may be gone: a sign of life decides.
      this.#check()
      throw new WireError('not_ready', `${this.name}: ${said}`, { cause: error })
    }
  }

  /** The connection, made now where there is none. */
  async #ready(signal: AbortSignal): Promise<Connection> {
    const { clock } = this.#deps
    if (
      !this.#connected &&
      this.enabled &&
      !this.#epoch.signal.aborted &&
      (this.#connecting !== undefined || clock.now() - this.#failedAt > JUST_FAILED_MS)
    ) {
      await within({ clock, signal, ms: HANDSHAKE_MS + LIST_MS, what: `${this.name} was not connected` }, () =>
        this.#connect(),
      )
    }
    if (this.#connection && this.#connected) return this.#connection
    throw new WireError(
      'not_ready',
      `${this.name} is not connected${this.#failure === undefined ? '' : `: ${this.#failure}`}`,
    )
  }

  /** One attempt at a time; whoever comes meanwhile waits for the same. Never rejects. */
  #connect(): Promise<void> {
    if (this.#connected) return Promise.resolve()
    return (this.#connecting ??= this.#attempt(this.#epoch.signal).finally(() => {
      this.#connecting = undefined
    }))
  }

  async #attempt(epoch: AbortSignal): Promise<void> {
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    this.#nextTryAt = undefined
    const { clock, root, counters } = this.#deps
    let connection: Connection | undefined
    let lost: string | undefined
    try {
      const mine = (connection = await connect(this.#config, {
        clock,
        root,
        signal: epoch,
        onClosed: (reason) => {
          lost = reason
          this.#lost(mine, reason)
        },
        onToolsChanged: () => {
          if (this.#connection === mine) this.#listAgain(LIST_EVERY_MS)
        },
        ending: (done) => this.#awaitEnd(done),
        onTrouble: () => {
          if (this.#connection === mine && this.#connected) this.#check()
        },
      }))
      this.#connection = mine
      await this.#list(mine, epoch)
      if (lost !== undefined || this.#connection !== mine) throw new Error(lost ?? 'the connection was closed')
      counters.connected(this.name)
      this.#connected = true
      this.#proved = false
      this.#since = clock.now()
      this.#failure = undefined
      this.#deps.log.info(`MCP server ${this.name} is connected, ${this.#tools.usable.length} tools`)
      this.#deps.changed()
    } catch (error) {
      if (connection) this.#end(connection)
      if (!epoch.aborted) this.#failed(lost ?? messageOf(error))
    }
  }

  /** A reason as it may be shown. */
  #told(reason: string): string {
    return tidy(cut(hiding(this.#config)(reason), MAX_REASON))
  }

  #lost(connection: Connection, reason: string): void {
    if (this.#connection !== connection || !this.#connected) return
    const { clock } = this.#deps
    if (this.#proved || clock.now() - this.#since >= PROVED_MS) this.#attempts = 0
    this.#end(connection)
    this.#failed(reason)
  }

  #failed(reason: string): void {
    const { clock, log, random } = this.#deps
    const first = this.#failure === undefined
    const told = this.#told(reason)
    if (this.#connected || first) this.#since = clock.now()
    const was = this.#connected
    this.#connected = false
    this.#failure = told
    this.#failedAt = was ? -Infinity : clock.now()
    const ms = waitBefore(this.#attempts++, random())
    this.#nextTryAt = clock.now() + ms
    this.#cancelRetry = clock.setTimeout(() => void this.#connect(), ms)
    log[first ? 'warn' : 'debug'](
      `MCP server ${this.name} is away and is tried again in ${Math.ceil(ms / 1000)} s: ${told}`,
    )
    if (was || first) this.#deps.changed()
  }

  /** Ends a connection, in whose place another may come at once. */
  #end(connection: Connection): void {
    if (this.#connection === connection) this.#connection = undefined
    this.#cancelList?.()
    this.#cancelList = undefined
    this.#awaitEnd(connection.close())
  }

  #awaitEnd(done: Promise<unknown>): void {
    const ended = done
      .catch((error: unknown) => this.#deps.log.warn(`MCP server ${this.name} did not end well: ${messageOf(error)}`))
      .finally(() => this.#ending.delete(ended))
    this.#ending.add(ended)
  }

  async #leave(reason: string): Promise<void> {
    this.#epoch.abort(new Error(reason))
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    this.#nextTryAt = undefined
    if (this.#connection) this.#end(this.#connection)
    const was = this.#connected
    this.#connected = false
    if (was) {
      this.#since = this.#deps.clock.now()
      this.#deps.changed()
    }
    await this.#connecting
    while (this.#ending.size) await Promise.all(this.#ending)
  }

  #list(connection: Connection, signal: AbortSignal): Promise<void> {
    return this.#tools.take(
      () => {
        this.#listedAt = this.#deps.clock.now()
        return connection.list(signal)
      },
      () => this.#config,
      signal,
    )
  }

  /** Lists again, `gap` ms after the last time at the earliest; more wishes meanwhile are this one. */
  #listAgain(gap: number): void {
    const connection = this.#connection
    if (this.#cancelList || !connection) return
    const { clock } = this.#deps
    const epoch = this.#epoch.signal
    this.#cancelList = clock.setTimeout(
      () => {
        this.#cancelList = undefined
        this.#list(connection, epoch).then(
          () => {
            if (this.#connected) this.#deps.changed()
          },
          (error: unknown) => this.#lost(connection, messageOf(error)),
        )
      },
      Math.max(0, this.#listedAt + gap - clock.now()),
    )
  }

  /** Asks for a sign of life; without one the connection is over. */
  #check(): void {
    const connection = this.#connection
    if (this.#checking || !connection) return
    this.#checking = true
    connection
      .ping(this.#epoch.signal)
      .catch((error: unknown) => this.#lost(connection, messageOf(error)))
      .finally(() => {
        this.#checking = false
      })
  }
}
