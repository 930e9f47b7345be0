// One plugin in one host: what the configuration says of it, where it stands, what it keeps, and what went wrong.
import type { Clock } from '../base/clock.js'
import { KernelError } from '../base/errors.js'
import { messageOf, stackOf } from '../base/to-error.js'
import { logger, type Logger, type LogRecord } from '../base/log.js'
import type { Owner } from '../base/guard.js'
import type { Service } from '../base/token.js'
import type { AnyPlugin, PluginHandle } from './plugin.js'
import type { Scope } from './scope.js'

/** Where a plugin stands. */
export type PluginState = 'pending' | 'starting' | 'active' | 'degraded' | 'stopping' | 'failed' | 'disabled'

/** A failure that is remembered for the plugin's page. */
export interface RecordedError {
  readonly time: number
  readonly code?: string
  readonly message: string
}

const REMEMBERED_ERRORS = 10

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

/** A service that is provided now. Its identity is what consumers depend on: the same value provided again is another. */
export interface Provided {
  readonly service: Service<unknown>
  readonly value: unknown
  /** The host itself where it is undefined. */
  readonly by: Instance | undefined
  /** Set up has succeeded: others may receive it. */
  published: boolean
  /** Its provider is going: those who hold it may still use it, nobody new receives it. */
  leaving: boolean
  /** Who was given it and has not stopped yet. */
  readonly holders: Set<Instance>
  /** Called when the last holder lets go. */
  released: (() => void) | undefined
}

/** What a plugin should run with: its section, and the service behind each need in their order. */
export interface Target {
  readonly section: unknown
  /** Undefined where the configuration decides that an `ifEnabled` need is not there. */
  readonly resolvedNeeds: readonly (Provided | undefined)[]
}
/** A need that is waited for. */
export interface HardNeed {
  readonly name: string
  readonly service: Service<unknown>
  /** Only where an enabled plugin declares the service. */
  readonly optional: boolean
}

function hardNeeds({ needs = {} }: AnyPlugin): HardNeed[] {
  return Object.entries(needs).flatMap(([name, need]): HardNeed[] => {
    if (need.kind === 'ref') return []
    return [
      need.kind === 'service'
        ? { name, service: need, optional: false }
        : { name, service: need.service, optional: true },
    ]
  })
}

/** What an instance knows of its host. */
export interface InstanceHost {
  readonly clock: Clock
  log(record: LogRecord): void
  stateChanged(instance: Instance): void
}

export class Instance implements Owner {
  readonly name: string
  readonly definition: AnyPlugin
  readonly origin: Origin | undefined
  /** The needs that it waits for, should somebody declare them. */
  readonly needs: readonly HardNeed[]
  readonly log: Logger
  readonly errors: RecordedError[] = []

  // What the configuration says of it: assigned by edits, all at once.
  enabled: boolean
  position: number
  /** Its section, resolved and frozen. */
  section: unknown
  /** Its section was refused, by its schema or by whoever read it. */
  invalid: KernelError | undefined
  /** It can never start beside the others: cycle, double. */
  conflict: KernelError | undefined
  /** It has left the configuration, and goes when it has stopped. */
  removed = false
  /** The one of the same name that has to go first. */
  predecessor: Instance | undefined
  successor: Instance | undefined
  /** Grows towards those who need others: providers come before their consumers. */
  rank = Infinity

  // Where it stands: moved by its loop alone.
  state: PluginState = 'pending'
  since: number
  /** What it runs with. */
  current: Target | undefined
  /** What its running setup was begun for. */
  pendingTarget: Target | undefined
  /** Ends the wait for a setup whose target has changed. */
  abortSetup: (() => void) | undefined
  /** The target that it failed to reach: not tried again until there is another. */
  failedAt: Target | undefined
  /** What it ran with last, to go back to where a changed section does not start. */
  lastGood: { readonly section: unknown } | undefined
  /** The section that was given up for `good`, and why. */
  rolledBack: { readonly section: unknown; readonly error: Error } | undefined
  /** Settles when it has come to rest; undefined while it rests. */
  loop: Promise<void> | undefined
  setupMs: number | undefined
  /** Why it failed, with its cause. */
  error: Error | undefined
  retryAt: number | undefined
  /** Attempts in a row that found something not ready. */
  attempts = 0
  scope: Scope | undefined
  running: PluginHandle<unknown> | undefined

  readonly #host: InstanceHost
  readonly #kept = new Map<string, unknown>()
  readonly #reasons = new Set<{ readonly text: string }>()
  #failure: string | undefined
  #cancelRetry: (() => void) | undefined

  constructor(host: InstanceHost, definition: AnyPlugin, enabled: boolean, position: number, origin?: Origin) {
    this.#host = host
    this.name = definition.name
    this.definition = definition
    this.enabled = enabled
    this.position = position
    this.origin = origin
    this.needs = hardNeeds(definition)
    this.since = host.clock.now()
    this.log = logger(
      this.name,
      () => host.clock.now(),
      (record) => host.log(record),
    )
  }

  get isUp(): boolean {
    return this.state === 'active' || this.state === 'degraded'
  }

  /** Why it can never start as things are configured. */
  get refused(): KernelError | undefined {
    return this.invalid ?? this.conflict
  }

  /** The state it has while it does not run and nothing of its own went wrong. */
  get idleState(): PluginState {
    return !this.enabled ? 'disabled' : this.refused ? 'failed' : 'pending'
  }

  /** It is down and shows nothing but what the configuration says. */
  get isDown(): boolean {
    return (
      !this.current &&
      !this.failedAt &&
      this.state === this.idleState &&
      this.error === (this.enabled ? this.refused : undefined)
    )
  }

  set(state: PluginState): void {
    if (this.state === state) return
    this.state = state
    this.since = this.#host.clock.now()
    this.#host.stateChanged(this)
  }

  /** Became active: earlier attempts and reasons no longer count. */
  started(at: Target, running: PluginHandle<unknown>, setupMs: number): void {
    this.current = at
    this.running = running
    this.lastGood = { section: at.section }
    this.setupMs = setupMs
    this.error = undefined
    this.attempts = 0
    this.set(this.#sound ? 'active' : 'degraded')
  }

  /** At rest: errors and reasons of the last activation no longer count, only a refusal does. */
  rested(): void {
    const { refused } = this
    const isNew = this.enabled && refused !== undefined && refused !== this.error
    this.error = this.enabled ? refused : undefined
    this.forgetFailure()
    this.forgetReasons()
    if (isNew) this.report(refused)
    this.set(this.idleState)
  }

  /** A new activation: what the last one complained of no longer counts. */
  forgetReasons(): void {
    this.#reasons.clear()
    this.#failure = undefined
  }

  /** Whatever it failed at may be tried again. */
  forgetFailure(): void {
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    this.retryAt = undefined
    this.failedAt = undefined
  }

  /** Forgets the failure after a pause and calls `again`. */
  retryAfter(pause: number, again: () => void): void {
    this.retryAt = this.#host.clock.now() + pause
    this.#cancelRetry = this.#host.clock.setTimeout(() => {
      this.forgetFailure()
      again()
    }, pause)
  }

  get #sound(): boolean {
    return this.#reasons.size === 0 && this.#failure === undefined
  }

  report(error: Error): void {
    this.remember(error)
    const cause = error.cause instanceof Error ? error.cause : undefined
    this.log.error(error.message, { code: (error as { code?: string }).code, stack: stackOf(cause ?? error) })
  }

  remember(error: Error): void {
    const code = (error as { code?: unknown }).code
    this.errors.push({
      time: this.#host.clock.now(),
      ...(typeof code === 'string' ? { code } : {}),
      message: error.message,
    })
    if (this.errors.length > REMEMBERED_ERRORS) this.errors.shift()
  }

  /** Something of this plugin failed outside any call into it. It keeps running, visibly degraded. */
  failedLater(error: Error): void {
    this.report(new KernelError('plugin/failed-later', `${this.name}: ${messageOf(error)}`, { cause: error }))
    // One slot: what fails every second must not pile up.
    this.#failure = messageOf(error)
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
}
