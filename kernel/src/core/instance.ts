// One plugin in one host: its state, its serial queue of transitions, what it keeps, and what went wrong.
import type { HostCore } from './core.js'
import { KernelError, messageOf, NotReady, toError } from './errors.js'
import { logger, type Logger, type Owner } from './owner.js'
import type { AnyPlugin, Running } from './plugin.js'
import type { Scope } from './scope.js'

/** Where a plugin stands. */
export type PluginState = 'pending' | 'starting' | 'active' | 'degraded' | 'stopping' | 'failed' | 'disabled'

/** A failure that is remembered for the plugin's page. */
export interface RecordedError { readonly time: number; readonly code?: string; readonly message: string }

const REMEMBERED_ERRORS = 10
const RETRY_FIRST_MS = 5_000
const RETRY_MAX_MS = 600_000

export class Instance implements Owner {
  readonly name: string
  readonly log: Logger
  readonly errors: RecordedError[] = []
  position: number
  definition: AnyPlugin
  config: unknown
  enabled: boolean
  state: PluginState = 'pending'
  since: number
  setupMs: number | undefined
  /** Why it failed, with its cause. */
  error: Error | undefined
  /** It can never start as things are configured: invalid section, cycle, double. */
  refused: KernelError | undefined
  retryAt: number | undefined
  scope: Scope | undefined
  running: Running<unknown> | undefined
  /** Ends a setup that still waits. */
  cancel: (() => void) | undefined
  /** Values of `ifEnabled` needs are a decision of the configuration: this is the one that the running plugin was given. */
  decisions = ''
  readonly #core: HostCore
  readonly #kept = new Map<string, unknown>()
  readonly #reasons = new Set<{ readonly text: string }>()
  #attempts = 0
  #cancelRetry: (() => void) | undefined
  #tail: Promise<void> = Promise.resolve()
  #transitions = 0

  constructor(core: HostCore, definition: AnyPlugin, config: unknown, enabled: boolean, position: number) {
    this.#core = core
    this.name = definition.name
    this.definition = definition
    this.config = config
    this.enabled = enabled
    this.position = position
    this.since = core.clock.now()
    this.log = logger(this.name, () => core.clock.now(), (record) => core.log(record))
    if (!enabled) this.state = 'disabled'
  }

  get isUp(): boolean {
    return this.state === 'active' || this.state === 'degraded'
  }

  /** Whether no transition runs or waits. */
  get isIdle(): boolean {
    return this.#transitions === 0
  }

  /** Runs transitions one after the other, in the order asked for. */
  queue(transition: () => void | Promise<void>): Promise<void> {
    this.#core.began()
    this.#transitions++
    const run = async (): Promise<void> => {
      try {
        await transition()
      } catch (error) {
        this.report(toError(error))
      } finally {
        this.#transitions--
        this.#core.ended()
      }
    }
    return (this.#tail = this.#tail.then(run))
  }

  set(state: PluginState): void {
    if (this.state === state) return
    this.state = state
    this.since = this.#core.clock.now()
    this.#core.stateChanged(this)
  }

  /** Became active: earlier attempts and reasons no longer count. */
  started(setupMs: number): void {
    this.setupMs = setupMs
    this.error = undefined
    this.#attempts = 0
    this.#reasons.clear()
    this.set('active')
  }

  /** Failed to start; what is {@link NotReady} is tried again. */
  failed(thrown: unknown): void {
    this.error = toError(thrown)
    if (thrown instanceof NotReady || (thrown as Error | undefined)?.name === 'NotReady') {
      const pause = (thrown as NotReady).retryAfter ?? Math.min(RETRY_FIRST_MS * 2 ** this.#attempts, RETRY_MAX_MS) * (0.8 + Math.random() * 0.4)
      this.#attempts++
      this.retryAt = this.#core.clock.now() + pause
      this.#cancelRetry = this.#core.clock.setTimeout(() => {
        this.clearRetry()
        this.#core.retry(this)
      }, pause)
      this.log.warn(`not ready: ${this.error.message}; next attempt in ${Math.round(pause / 1000)} s`)
      this.remember(this.error)
    } else {
      this.report(new KernelError('plugin/setup-failed', `${this.name} failed to start: ${messageOf(thrown)}`, { cause: thrown }))
    }
    this.set('failed')
  }

  clearRetry(): void {
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    this.retryAt = undefined
  }

  report(error: Error): void {
    this.remember(error)
    const cause = error.cause instanceof Error ? error.cause : undefined
    this.log.error(error.message, { code: (error as { code?: string }).code, stack: (cause ?? error).stack })
  }

  remember(error: Error): void {
    const code = (error as { code?: unknown }).code
    this.errors.push({ time: this.#core.clock.now(), ...(typeof code === 'string' ? { code } : {}), message: error.message })
    if (this.errors.length > REMEMBERED_ERRORS) this.errors.shift()
  }

  /** Something of this plugin failed outside any call into it. It keeps running, visibly degraded. */
  failedLater(thrown: unknown): void {
    this.report(new KernelError('plugin/failed-later', `${this.name}: ${messageOf(thrown)}`, { cause: thrown }))
    if (this.isUp) this.degrade(messageOf(thrown))
  }

  degrade(text: string): () => void {
    const reason = { text }
    this.#reasons.add(reason)
    if (this.state === 'active') this.set('degraded')
    return () => {
      if (this.#reasons.delete(reason) && this.#reasons.size === 0 && this.state === 'degraded') this.set('active')
    }
  }

  /** Why it is degraded. */
  reasons(): string[] {
    return Array.from(this.#reasons, (reason) => reason.text)
  }

  keep<T>(key: string, init: () => T): T {
    if (!this.#kept.has(key)) this.#kept.set(key, init())
    return this.#kept.get(key) as T
  }

  keptKeys(): string[] {
    return Array.from(this.#kept.keys())
  }

  /** A service was taken back while the plugin runs on: its consumers must go. */
  providesNoLonger(key: string): void {
    this.#core.serviceGone(key)
  }
}
