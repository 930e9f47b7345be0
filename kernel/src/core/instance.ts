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

/** Where a plugin's module comes from. */
export interface Origin {
  /** URL of the module. */
  readonly url: string
  /** Name of the file. */
  readonly filename: string
  /** Path of the file, or the name of its package. */
  readonly filePath: string
  /** Version of its package. */
  readonly version?: string
}

export class Instance implements Owner {
  readonly name: string
  readonly log: Logger
  readonly errors: RecordedError[] = []
  position: number
  readonly definition: AnyPlugin
  config: unknown
  enabled: boolean
  state: PluginState = 'pending'
  since: number
  setupMs: number | undefined
  /** Why it failed, with its cause. */
  error: Error | undefined
  /** Its section was refused, by its schema or by whoever read it. */
  invalid: KernelError | undefined
  /** It can never start beside the others: cycle, double. */
  conflict: KernelError | undefined
  retryAt: number | undefined
  scope: Scope | undefined
  running: Running<unknown> | undefined
  /** Ends a setup that still waits. */
  cancel: (() => void) | undefined
  /** Grows with every stop asked for; a start asked for before it is void. */
  epoch = 0
  /** Values of `ifEnabled` needs are a decision of the configuration: this is the one that the running plugin was given. */
  decisions = ''
  readonly #core: HostCore
  readonly #kept = new Map<string, unknown>()
  readonly #reasons = new Set<{ readonly text: string }>()
  #failure: string | undefined
  #attempts = 0
  #cancelRetry: (() => void) | undefined
  #tail: Promise<void> = Promise.resolve()
  #transitions = 0

  readonly origin: Origin | undefined

  constructor(core: HostCore, definition: AnyPlugin, enabled: boolean, position: number, origin?: Origin) {
    this.#core = core
    this.name = definition.name
    this.definition = definition
    this.enabled = enabled
    this.position = position
    this.origin = origin
    this.since = core.clock.now()
    this.log = logger(this.name, () => core.clock.now(), (record) => core.log(record))
  }

  get isUp(): boolean {
    return this.state === 'active' || this.state === 'degraded'
  }

  /** Why it can never start as things are configured. */
  get refused(): KernelError | undefined {
    return this.invalid ?? this.conflict
  }

  /** The state it has while it does not run and nothing of its own went wrong. */
  get rest(): PluginState {
    return !this.enabled ? 'disabled' : this.refused ? 'failed' : 'pending'
  }

  /** Whether no transition runs or waits. */
  get isIdle(): boolean {
    return this.#transitions === 0
  }

  /** Resolves when the transitions asked for so far have run. */
  idle(): Promise<void> {
    return this.#tail
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
    this.set(this.#sound ? 'active' : 'degraded')
  }

  /** At rest: errors and reasons of the last activation no longer count, only a refusal does. */
  rested(): void {
    const { refused } = this
    const isNew = this.enabled && refused !== undefined && refused !== this.error
    this.error = this.enabled ? refused : undefined
    this.forgetReasons()
    if (isNew) this.report(refused)
    this.set(this.rest)
  }

  /** A new activation: what the last one complained of no longer counts. */
  forgetReasons(): void {
    this.#reasons.clear()
    this.#failure = undefined
  }

  get #sound(): boolean {
    return this.#reasons.size === 0 && this.#failure === undefined
  }

  /** Failed to start; what is {@link NotReady} is tried again. */
  failed(thrown: unknown): void {
    this.error = toError(thrown)
    if (thrown instanceof NotReady || (thrown as Error | undefined)?.name === 'NotReady') {
      const asked = (thrown as NotReady).retryAfter
      const pause = typeof asked === 'number' && asked >= 0 && Number.isFinite(asked) ? asked : this.#backOff()
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

  #backOff(): number {
    const pause = RETRY_FIRST_MS * 2 ** this.#attempts * (0.8 + Math.random() * 0.4)
    return Math.min(Math.max(pause, RETRY_FIRST_MS), RETRY_MAX_MS)
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
    // One slot: what fails every second must not pile up.
    this.#failure = messageOf(thrown)
    if (this.state === 'active') this.set('degraded')
  }

  degrade(text: string): () => void {
    const reason = { text }
    this.#reasons.add(reason)
    if (this.state === 'active') this.set('degraded')
    return () => {
      if (this.#reasons.delete(reason) && this.#sound && this.state === 'degraded') this.set('active')
    }
  }

  /** Why it is degraded. */
  reasons(): string[] {
    const reasons = Array.from(this.#reasons, (reason) => reason.text)
    return this.#failure === undefined ? reasons : [...reasons, this.#failure]
  }

  keep<T>(key: string, init: () => T): T {
    if (!this.#kept.has(key)) this.#kept.set(key, init())
    return this.#kept.get(key) as T
  }

  keptKeys(): string[] {
    return Array.from(this.#kept.keys())
  }

  /** A service was taken back while the plugin runs on: its consumers must go. */
  providesNoLonger(key: string): Promise<void> {
    return this.#core.serviceGone(key)
  }
}
