import type { Clock } from '../base/clock.js'
import { KernelError } from '../base/errors.js'
import { call, type Owner } from '../base/guard.js'
import { logger, type Logger, type LogRecord } from '../base/log.js'
import { messageOf, stackOf } from '../base/to-error.js'
import { ConfiguredPlugin } from './configured-plugin.js'
import { ErrorHistory, type RecordedError } from './error-history.js'
import { Health } from './health.js'
import { Kept, type KeptStore } from './kept.js'
import type { Origin } from './origin.js'
import type { Phase, RunningSetup } from './phase.js'
import type { AnyPlugin, PluginHandle } from './plugin.js'
import type { Scope } from './scope.js'
import { sameNeeds, sameTarget, type Target } from './target.js'
import type { Version } from './version.js'

/** The state of a plugin as views show it. */
export type PluginState = 'pending' | 'starting' | 'active' | 'degraded' | 'stopping' | 'failed' | 'disabled'

/** The parts of the host that an instance uses. */
export interface InstanceHost {
  readonly clock: Clock
  readonly keptStore: KeptStore | undefined
  log(record: LogRecord): void
  stateChanged(instance: Instance): void
}

/** One plugin in one host: its configuration, its phase, the state that it keeps, and its failures. */
export class Instance extends ConfiguredPlugin implements Owner {
  readonly name: string
  readonly log: Logger
  readonly #host: InstanceHost

  #predecessor: Instance | undefined
  #successor: Instance | undefined

  #phase: Phase = { kind: 'idle', state: 'pending' }
  #since: number
  #loop: Promise<void> | undefined
  #isUpdating = false
  /** The version that it last started with or took in place, to which it rolls back. */
  #lastGood: Version | undefined
  #rolledBack: { readonly failed: Target; readonly error: Error } | undefined
  #error: Error | undefined
  #setupMs: number | undefined
  #attempts = 0

  readonly #health = new Health()
  readonly #errors = new ErrorHistory()
  /** The state that it keeps. */
  readonly kept: Kept

  constructor(host: InstanceHost, definition: AnyPlugin, enabled: boolean, position: number, origin?: Origin) {
    super(definition, enabled, position, origin)
    this.#host = host
    this.name = definition.name
    this.#since = host.clock.now()
    this.log = logger(
      this.name,
      () => host.clock.now(),
      (record) => host.log(record),
    )
    this.kept = new Kept(this.name, host.keptStore, (message) => this.log.warn(message))
  }

  /** Disabling also forgets the last section that started: enabling it again is a new beginning. */
  override setEnabled(enabled: boolean): void {
    super.setEnabled(enabled)
    if (!enabled) this.#lastGood = undefined
  }

  /** Gives it other code, which takes over the state that it keeps. */
  override setDefinition(definition: AnyPlugin, origin: Origin | undefined): void {
    super.setDefinition(definition, origin)
    this.kept.renew()
  }

  /** A removed plugin of the same name, which has to stop first. */
  get predecessor(): Instance | undefined {
    return this.#predecessor
  }

  /** Lets this instance wait until `predecessor`, of the same name, has stopped. */
  replace(predecessor: Instance): void {
    predecessor.#successor = this
    this.#predecessor = predecessor
  }

  /** Ends the wait of the instance that replaces this one, and returns it. */
  detachSuccessor(): Instance | undefined {
    const successor = this.#successor
    this.#successor = undefined
    if (successor) successor.#predecessor = undefined
    return successor
  }

  get state(): PluginState {
    const phase = this.#phase
    switch (phase.kind) {
      case 'idle':
        return phase.state
      case 'starting':
      case 'unwinding':
        return 'starting'
      case 'running':
        return this.#health.isSound ? 'active' : 'degraded'
      default:
        return phase.kind
    }
  }

  /** When it came to its state, in milliseconds since the epoch. */
  get since(): number {
    return this.#since
  }

  get isUp(): boolean {
    return this.#phase.kind === 'running'
  }

  get scope(): Scope | undefined {
    const phase = this.#phase
    return phase.kind === 'idle' || phase.kind === 'failed' ? undefined : phase.scope
  }

  /** The section that it runs with, if it runs. */
  get currentSection(): unknown {
    return this.#phase.kind === 'running' ? this.#phase.target.section : undefined
  }

  /** Why it failed, with its cause. */
  get error(): Error | undefined {
    return this.#error
  }

  /** When it is started again after it was not ready, in milliseconds since the epoch. */
  get retryAt(): number | undefined {
    return this.#phase.kind === 'failed' ? this.#phase.retry?.at : undefined
  }

  /** How long the last successful setup took. */
  get setupMs(): number | undefined {
    return this.#setupMs
  }

  /** Attempts in a row that ended with `NotReady`. */
  get attempts(): number {
    return this.#attempts
  }

  /** Returns whether the loop has nothing to do: the plugin runs with `target`, or failed to start with it. */
  isSettledAt(target: Target | undefined): boolean {
    const phase = this.#phase
    if (!target) return phase.kind === 'idle' && phase.state === this.#idleState && this.#error === this.#idleError
    return (phase.kind === 'running' || phase.kind === 'failed') && sameTarget(phase.target, target)
  }

  get #idleState(): 'pending' | 'failed' | 'disabled' {
    if (!this.enabled) return 'disabled'
    return this.refused ? 'failed' : 'pending'
  }

  get #idleError(): KernelError | undefined {
    return this.enabled ? this.refused : undefined
  }

  /** Returns whether a setup for exactly this target is under way. */
  isStartingWith(target: Target | undefined): boolean {
    return this.#phase.kind === 'starting' && sameTarget(this.#phase.target, target)
  }

  /** Aborts a setup that is under way for another target. */
  abortSetupUnless(target: Target | undefined): void {
    if (this.#phase.kind === 'starting' && !sameTarget(this.#phase.target, target)) this.#phase.setup.abort()
  }

  /** True while the loop of the plugin runs, or while the plugin decides on a new section. */
  get isMoving(): boolean {
    return this.#loop !== undefined || this.#isUpdating
  }

  /** Marks the plugin as moving, until the returned function is called. */
  beginMove(): () => void {
    let resolve!: () => void
    this.#loop = new Promise((settled) => {
      resolve = settled
    })
    return () => {
      this.#loop = undefined
      resolve()
    }
  }

  async whenSettled(): Promise<void> {
    while (this.isMoving) await this.#loop
  }

  start(setup: RunningSetup, target: Target, scope: Scope): void {
    this.#health.clear()
    this.#enter({ kind: 'starting', setup, target, scope })
  }

  /** Notes that its setup has succeeded: earlier errors and attempts no longer count. */
  started(target: Target, scope: Scope, handle: PluginHandle<unknown>, setupMs: number): void {
    this.#lastGood = this.#versionOf(target)
    this.kept.started()
    this.#setupMs = setupMs
    this.#error = undefined
    this.#attempts = 0
    this.#enter({ kind: 'running', target, scope, handle })
  }

  unwind(scope: Scope): void {
    this.#enter({ kind: 'unwinding', scope })
  }

  /** Offers a changed section to the running plugin. Returns whether the plugin took it. */
  updateInPlace(target: Target): boolean {
    const phase = this.#phase
    if (phase.kind !== 'running') return false
    const { target: current, scope, handle } = phase
    if (current.definition !== target.definition) return false
    if (current.section === target.section || !sameNeeds(current, target)) return false
    let taken: unknown
    this.#isUpdating = true
    // An `update` that returns a promise has not taken the section, but its failure is still reported.
    void call(this, () => (taken = handle.update?.(target.section, current.section)))
    this.#isUpdating = false
    if (taken !== true) return false
    this.#phase = { kind: 'running', target, scope, handle }
    this.#lastGood = this.#versionOf(target)
    return true
  }

  #versionOf({ definition, section }: Target): Version {
    return { definition, origin: this.origin, section }
  }

  /** Begins to stop the running plugin. Returns what it ran with, or undefined when it did not run. */
  stop(): { readonly target: Target; readonly scope: Scope } | undefined {
    if (this.#phase.kind !== 'running') return undefined
    const { target, scope } = this.#phase
    this.#enter({ kind: 'stopping', scope })
    return { target, scope }
  }

  /** Comes to rest: errors and reasons of the last activation no longer count, only a refusal does. */
  rest(): void {
    const { refused } = this
    const isNewRefusal = this.enabled && refused !== undefined && refused !== this.#error
    this.#error = this.#idleError
    this.#cancelRetry()
    this.#health.clear()
    if (isNewRefusal) this.report(refused)
    this.#enter({ kind: 'idle', state: this.#idleState })
  }

  /** Notes that it could not start with `target`. It stays failed until it has another target. */
  fail(target: Target, error: Error): void {
    this.#error = error
    this.report(
      new KernelError('plugin/setup-failed', `${this.name} failed to start: ${messageOf(error)}`, { cause: error }),
    )
    this.#enter({ kind: 'failed', target, retry: undefined })
  }

  /** Notes that it was not ready for `target`. Calls `again` after `delayMs` unless its target changes before. */
  failUntil(target: Target, error: Error, delayMs: number, again: () => void): void {
    const { clock } = this.#host
    const isSaid = this.#error?.message === error.message
    this.#error = error
    this.#attempts++
    const at = clock.now() + delayMs
    const cancel = clock.setTimeout(() => {
      this.#enter({ kind: 'idle', state: this.#idleState })
      again()
    }, delayMs)
    // A plugin that waits for long says why once.
    const text = `not ready: ${error.message}; next attempt in ${Math.round(delayMs / 1000)} s`
    if (isSaid) this.log.debug(text)
    else {
      this.log.warn(text)
      this.#errors.record(error, clock.now())
    }
    this.#enter({ kind: 'failed', target, retry: { at, cancel } })
  }

  #cancelRetry(): void {
    if (this.#phase.kind === 'failed') this.#phase.retry?.cancel()
  }

  get hasFailed(): boolean {
    return this.#phase.kind === 'failed'
  }

  /** Returns what it last started with, if that differs from what has failed and nothing else was asked for since. */
  rollBack(failed: Target, error: Error): Version | undefined {
    const lastGood = this.#lastGood
    if (!lastGood || (lastGood.section === failed.section && lastGood.definition === failed.definition)) {
      // A version that no longer starts is no rollback target.
      this.#lastGood = undefined
      return undefined
    }
    if (this.section !== failed.section || this.definition !== failed.definition) return undefined
    this.#rolledBack = { failed, error }
    return lastGood
  }

  /** Returns why this section, with this code, was rolled back, if it was the last one to be. */
  rollbackErrorOf(section: unknown, definition: AnyPlugin = this.definition): Error | undefined {
    const { failed, error } = this.#rolledBack ?? {}
    return failed?.section === section && failed?.definition === definition ? error : undefined
  }

  #enter(phase: Phase): void {
    const before = this.state
    this.#phase = phase
    this.#announce(before)
  }

  #announce(before: PluginState): void {
    if (this.state === before) return
    this.#since = this.#host.clock.now()
    this.#host.stateChanged(this)
  }

  report(error: Error): void {
    this.#errors.record(error, this.#host.clock.now())
    const cause = error.cause instanceof Error ? error.cause : undefined
    this.log.error(error.message, { code: (error as { code?: string }).code, stack: stackOf(cause ?? error) })
  }

  /** Returns the last failures, the oldest first. */
  errors(): RecordedError[] {
    return this.#errors.toArray()
  }

  /** Reports a failure of its code outside any call. It keeps running, visibly degraded. */
  failedLater(error: Error): void {
    this.report(new KernelError('plugin/failed-later', `${this.name}: ${messageOf(error)}`, { cause: error }))
    const before = this.state
    this.#health.setFailure(messageOf(error))
    this.#announce(before)
  }

  /** Marks it as degraded until the returned function is called. */
  degrade(reason: string): () => void {
    const before = this.state
    const remove = this.#health.add(reason)
    this.#announce(before)
    return () => {
      const degraded = this.state
      if (remove()) this.#announce(degraded)
    }
  }

  /** Returns why it is degraded. */
  reasons(): string[] {
    return this.#health.reasons()
  }
}
