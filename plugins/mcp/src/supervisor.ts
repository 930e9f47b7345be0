import { messageOf, type Clock } from '@mynah/kernel'
import { omitUndefined } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import type { McpCallOptions, McpResult, McpServerView } from './api.js'
import { retryDelay } from './retry-delay.js'
import { Catalogue, type CatalogueParts } from './catalogue.js'
import type { ServerConfig } from './config.js'
import { ErrorResponse, RequestRefused, connect, type Connection } from './connection/connect.js'
import { CALL_MS, HANDSHAKE_MS, LIST_MS } from './connection/limits.js'
import type { Counters } from './counters.js'
import { summaryOf } from './listing.js'
import type { Provider } from './offered.js'
import { readResult } from './result.js'
import { secretRedactor } from './secrets.js'
import { cut, withoutControls } from './text.js'
import { within } from './within.js'

/** The parts that a supervisor works with. */
export interface SupervisorParts extends CatalogueParts {
  readonly clock: Clock
  readonly root: string | undefined
  readonly counters: Counters
  /** Returns a number between 0 and 1. */
  random(): number
  /** Called when the connection state or the tools have changed. */
  changed(): void
}

/** A connection that lasted this long, or answered a call, resets the retry delay. */
const STABLE_MS = 30_000
/** Shortest time between two lists, in milliseconds. */
const LIST_INTERVAL_MS = 1_000
/** Calls do not reconnect for this time after a failure, in milliseconds. */
const RECONNECT_PAUSE_MS = 5_000
const MAX_REASON = 1_000
/** How often the time for a start is doubled at most. */
const MAX_DOUBLINGS = 3
/** Time after which a start is reported to go on, in milliseconds. */
const SLOW_START_MS = 15_000

/** Keeps one server connected: connects, lists and offers its tools, and retries after failures. */
export class Supervisor implements Provider {
  readonly name: string
  readonly #tools: Catalogue
  readonly #parts: SupervisorParts
  #config: ServerConfig
  /** Aborts when the server is stopped or restarted. Results of an earlier epoch are ignored. */
  #epoch = new AbortController()
  #connection: Connection | undefined
  #connecting: Promise<void> | undefined
  #connected = false
  #isStable = false
  #attempts = 0
  #since: number
  #failedAt = -Infinity
  #failure: string | undefined
  #nextTryAt: number | undefined
  #cancelRetry: (() => void) | undefined
  #listedAt = -Infinity
  #cancelList: (() => void) | undefined
  #isChecking = false
  /** Connections that are being closed. */
  readonly #closing = new Set<Promise<unknown>>()
  #closed = false

  constructor(name: string, config: ServerConfig, parts: SupervisorParts) {
    this.name = name
    this.#config = config
    this.#parts = parts
    this.#since = parts.clock.now()
    this.#tools = new Catalogue(this, parts)
  }

  get enabled(): boolean {
    return !this.#config.disabled
  }
  get connected(): boolean {
    return this.#connected
  }
  /** Whether a connection has been attempted since the start. */
  get tried(): boolean {
    return this.#connected || this.#failure !== undefined
  }

  view(): McpServerView {
    const { usable, leftOut } = this.#tools
    return omitUndefined({
      name: this.name,
      transport: this.#connection?.transport ?? (this.#config.command === undefined ? 'http' : 'stdio'),
      connected: this.#connected,
      since: this.#since,
      toolCount: usable.length,
      tools: this.#tools.views(),
      leftOut: leftOut.length ? leftOut : undefined,
      disabled: this.enabled ? undefined : (true as const),
      lastError: this.#connected ? summaryOf(leftOut) : this.#failure,
      nextTryAt: this.#nextTryAt,
    })
  }

  /** Starts to connect in the background. */
  start(): void {
    if (this.enabled) void this.#connect()
  }

  /** Applies a configuration. Changes of the connection restart the server, others apply at once. */
  configure(next: ServerConfig): void {
    const before = this.#config
    this.#config = next
    if (JSON.stringify(before) === JSON.stringify(next)) return
    const connectionKey = ({ include: _, exclude: __, timeout: ___, roles: ____, ...rest }: ServerConfig): string =>
      JSON.stringify(rest)
    if (connectionKey(before) !== connectionKey(next)) void this.restart()
    else {
      this.#tools.offer(next)
      this.#scheduleList(0)
    }
  }

  /** Restarts the server. Returns whether it is connected. */
  async restart(): Promise<boolean> {
    await this.#disconnect('it was restarted')
    if (this.#closed) return false
    this.#attempts = 0
    this.#failure = undefined
    this.#failedAt = -Infinity
    if (!this.enabled) {
      this.#tools.clear(this.#config)
      this.#parts.changed()
      return false
    }
    if (this.#epoch.signal.aborted) this.#epoch = new AbortController()
    await this.#connect()
    return this.#connected
  }

  /** Withdraws the tools and closes the connection for good. */
  async close(): Promise<void> {
    this.#closed = true
    this.#tools.clear(this.#config)
    await this.#disconnect('it was removed')
  }

  /** Accepts all listed tools. Returns the number of tools that were held back. */
  async accept(): Promise<number> {
    const held = await this.#tools.accept(() => this.#config)
    if (held) this.#parts.changed()
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
      const raw = await this.#ask(connection, tool, input, stop, progress).catch(async (error: unknown) => {
        if (!(error instanceof RequestRefused) || (await this.#lives(connection, stop))) throw error
        this.#onLost(connection, messageOf(error))
        return this.#ask(await this.#ready(stop), tool, input, stop, progress)
      })
      this.#isStable = true
      const result = readResult(raw)
      this.#parts.counters.count(this.name, result.isError ? 'error' : 'ok')
      return result
    } catch (error) {
      this.#parts.counters.count(this.name, stop.aborted ? 'aborted' : 'failed')
      if (stop.aborted) throw error
      const message = this.#displayable(messageOf(error))
      if (error instanceof ErrorResponse)
        throw new WireError('internal', `${this.name} refused the call: ${message}`, { cause: error })
      // The server may hang or may have lost the session. A ping decides.
      this.#checkAlive()
      throw new WireError('not_ready', `${this.name}: ${message}`, { cause: error })
    }
  }

  #ask(
    connection: Connection,
    tool: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    progress: McpCallOptions['progress'],
  ): Promise<unknown> {
    const { clock } = this.#parts
    const ms = this.#config.timeout ?? CALL_MS
    return within({ clock, signal, ms, what: `${this.name} did not answer` }, (bounded) =>
      connection.call(tool, input, { signal: bounded, progress }),
    )
  }

  /** Returns whether a session goes on, in which the server refuses just one request. */
  #lives(connection: Connection, signal: AbortSignal): Promise<boolean> {
    return connection.ping(signal).then(
      () => true,
      () => signal.aborted,
    )
  }

  /** Time for the next start, in milliseconds: more each time, since a server may download much before its first. */
  get #startMs(): number {
    return this.#config.startTimeout ?? HANDSHAKE_MS * 2 ** Math.min(this.#attempts, MAX_DOUBLINGS)
  }

  /** Returns the connection, after connecting if needed. */
  async #ready(signal: AbortSignal): Promise<Connection> {
    const { clock } = this.#parts
    if (
      !this.#connected &&
      this.enabled &&
      !this.#epoch.signal.aborted &&
      (this.#connecting !== undefined || clock.now() - this.#failedAt > RECONNECT_PAUSE_MS)
    ) {
      await within({ clock, signal, ms: this.#startMs + LIST_MS, what: `${this.name} was not connected` }, () =>
        this.#connect(),
      )
    }
    if (this.#connection && this.#connected) return this.#connection
    throw new WireError(
      'not_ready',
      `${this.name} is not connected${this.#failure === undefined ? '' : `: ${this.#failure}`}`,
    )
  }

  /** Connects once at a time. Concurrent callers share the attempt. Never rejects. */
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
    const { clock, root, counters } = this.#parts
    let connection: Connection | undefined
    let lost: string | undefined
    const cancelReport = clock.setTimeout(
      () => this.#parts.log.info(`MCP server ${this.name} is still starting, for up to ${this.#startMs / 1_000} s`),
      SLOW_START_MS,
    )
    try {
      const mine = (connection = await connect(this.#config, {
        clock,
        root,
        signal: epoch,
        startMs: this.#startMs,
        onClosed: (reason) => {
          lost = reason
          this.#onLost(mine, reason)
        },
        onToolsChanged: () => {
          if (this.#connection === mine) this.#scheduleList(LIST_INTERVAL_MS)
        },
        ending: (done) => this.#trackClosing(done),
        onTrouble: () => {
          if (this.#connection === mine && this.#connected) this.#checkAlive()
        },
      }))
      this.#connection = mine
      await this.#list(mine, epoch)
      if (lost !== undefined || this.#connection !== mine) throw new Error(lost ?? 'the connection was closed')
      counters.connected(this.name)
      this.#connected = true
      this.#isStable = false
      this.#since = clock.now()
      this.#failure = undefined
      this.#parts.log.info(`MCP server ${this.name} is connected, tools: ${this.#tools.usable.length}`)
      this.#parts.changed()
    } catch (error) {
      if (connection) this.#close(connection)
      if (!epoch.aborted) this.#scheduleRetry(lost ?? messageOf(error))
    } finally {
      cancelReport()
    }
  }

  /** Returns a reason without secrets and control characters. */
  #displayable(reason: string): string {
    return withoutControls(cut(secretRedactor(this.#config)(reason), MAX_REASON))
  }

  #onLost(connection: Connection, reason: string): void {
    if (this.#connection !== connection || !this.#connected) return
    const { clock } = this.#parts
    if (this.#isStable || clock.now() - this.#since >= STABLE_MS) this.#attempts = 0
    this.#close(connection)
    this.#scheduleRetry(reason)
  }

  #scheduleRetry(reason: string): void {
    const { clock, log, random } = this.#parts
    const first = this.#failure === undefined
    const shown = this.#displayable(reason)
    if (this.#connected || first) this.#since = clock.now()
    const was = this.#connected
    this.#connected = false
    this.#failure = shown
    this.#failedAt = was ? -Infinity : clock.now()
    const ms = retryDelay(this.#attempts++, random())
    this.#nextTryAt = clock.now() + ms
    this.#cancelRetry = clock.setTimeout(() => void this.#connect(), ms)
    log[first ? 'warn' : 'debug'](
      `MCP server ${this.name} is unavailable, retrying in ${Math.ceil(ms / 1000)} s: ${shown}`,
    )
    if (was || first) this.#parts.changed()
  }

  /** Closes a connection in the background. Another one may be opened at once. */
  #close(connection: Connection): void {
    if (this.#connection === connection) this.#connection = undefined
    this.#cancelList?.()
    this.#cancelList = undefined
    this.#trackClosing(connection.close())
  }

  #trackClosing(done: Promise<unknown>): void {
    const ended = done
      .catch((error: unknown) => this.#parts.log.warn(`failed to close MCP server ${this.name}: ${messageOf(error)}`))
      .finally(() => this.#closing.delete(ended))
    this.#closing.add(ended)
  }

  async #disconnect(reason: string): Promise<void> {
    this.#epoch.abort(new Error(reason))
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    this.#nextTryAt = undefined
    if (this.#connection) this.#close(this.#connection)
    const was = this.#connected
    this.#connected = false
    if (was) {
      this.#since = this.#parts.clock.now()
      this.#parts.changed()
    }
    await this.#connecting
    while (this.#closing.size) await Promise.all(this.#closing)
  }

  #list(connection: Connection, signal: AbortSignal): Promise<void> {
    return this.#tools.update(
      () => {
        this.#listedAt = this.#parts.clock.now()
        return connection.list(signal)
      },
      () => this.#config,
      signal,
    )
  }

  /** Schedules a list, at least `gap` ms after the last one. Further requests until then are merged. */
  #scheduleList(gap: number): void {
    const connection = this.#connection
    if (this.#cancelList || !connection) return
    const { clock } = this.#parts
    const epoch = this.#epoch.signal
    this.#cancelList = clock.setTimeout(
      () => {
        this.#cancelList = undefined
        this.#list(connection, epoch).then(
          () => {
            if (this.#connected) this.#parts.changed()
          },
          (error: unknown) => this.#onLost(connection, messageOf(error)),
        )
      },
      Math.max(0, this.#listedAt + gap - clock.now()),
    )
  }

  /** Pings the server, and drops the connection without an answer. */
  #checkAlive(): void {
    const connection = this.#connection
    if (this.#isChecking || !connection) return
    this.#isChecking = true
    connection
      .ping(this.#epoch.signal)
      .catch((error: unknown) => this.#onLost(connection, messageOf(error)))
      .finally(() => {
        this.#isChecking = false
      })
  }
}
