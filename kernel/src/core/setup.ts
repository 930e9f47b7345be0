import { KernelError } from '../base/errors.js'
import { call } from '../base/guard.js'
import { messageOf } from '../base/to-error.js'
import type { HostCore } from './core.js'
import { createContext } from './create-context.js'
import type { Instance } from './instance.js'
import type { RunningSetup } from './phase.js'
import type { PluginHandle } from './plugin.js'
import type { Scope } from './scope.js'
import { targetOf } from './resolve-target.js'
import { sameTarget, type Target } from './target.js'

const WARNING_MS = 10_000
const TIMEOUT_MS = 60_000
/** Time that an aborted setup has to end by itself. The services that it uses stay available until then. */
const GRACE_MS = 500

/** How a setup ended: its handle, or its error; neither when it was aborted. */
export interface SetupResult {
  readonly handle?: PluginHandle<unknown>
  readonly error?: Error
}

/** One run of a plugin's setup for one target: bounded in time, and aborted when the target changes. */
export class SetupRun implements RunningSetup {
  readonly #core: HostCore
  readonly #instance: Instance
  readonly #target: Target
  readonly #scope: Scope
  #onAbort: (() => void) | undefined

  constructor(core: HostCore, instance: Instance, target: Target, scope: Scope) {
    this.#core = core
    this.#instance = instance
    this.#target = target
    this.#scope = scope
  }

  /** Calls the setup. Never rejects. */
  async run(): Promise<SetupResult> {
    let error: Error | undefined
    let result: unknown
    const instance = this.#instance
    const ended = call(
      instance,
      () =>
        (result = instance.definition.setup?.(createContext(this.#core, instance, this.#target, this.#scope) as never)),
      (failure) => {
        error = failure
      },
    )
    const resultOf = (value: unknown): SetupResult =>
      error ? { error } : { handle: (value ?? {}) as PluginHandle<unknown> }
    if (!ended) return resultOf(result)
    return this.#bounded(ended.then(resultOf))
  }

  /** Tells the setup that its result is not wanted any more, and stops waiting for it after a grace period. */
  abort(): void {
    this.#onAbort?.()
  }

  /** Waits for the setup, warns when it is slow, and stops waiting when it takes too long or is aborted. */
  #bounded(setup: Promise<SetupResult>): Promise<SetupResult> {
    const { clock } = this.#core
    const { log, name, definition } = this.#instance
    const limit = definition.setupTimeout ?? TIMEOUT_MS
    return new Promise((resolve) => {
      let isWanted = true
      let isWaiting = true
      const finish = (result: SetupResult): void => {
        isWaiting = false
        this.#onAbort = undefined
        for (const cancel of timers) cancel()
        resolve(result)
      }
      const timeout = (): void => {
        const message = `${name}: setup did not finish within ${limit / 1000} s`
        finish({ error: new KernelError('plugin/setup-timeout', message) })
      }
      const timers = [
        clock.setTimeout(() => log.warn(`setup has been running for ${WARNING_MS / 1000} s`), WARNING_MS),
        clock.setTimeout(timeout, limit),
      ]
      this.#onAbort = () => {
        this.#onAbort = undefined
        isWanted = false
        // In real time whatever the clock of the host says, since the setup waits for something outside.
        const timer = setTimeout(() => finish({}), GRACE_MS)
        for (const cancel of timers.splice(0, timers.length, () => clearTimeout(timer))) cancel()
        this.#scope.abort()
      }
      // The target may have changed while the synchronous part of the setup ran.
      if (!sameTarget(this.#target, targetOf(this.#core, this.#instance))) this.abort()
      void setup.then((result) => {
        if (result.error && !(isWanted && isWaiting))
          log.debug(`the aborted setup failed afterwards: ${messageOf(result.error)}`)
        if (isWaiting) finish(isWanted ? result : {})
      })
    })
  }
}
