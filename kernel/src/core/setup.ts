// The call of a plugin's setup: bounded in time, and given up where it is no longer wanted.
import { KernelError } from '../base/errors.js'
import { messageOf } from '../base/to-error.js'
import { call } from '../base/guard.js'
import type { HostCore } from './core.js'
import { createContext } from './create-context.js'
import type { Instance } from './instance.js'
import type { PluginHandle } from './plugin.js'
import type { Scope } from './scope.js'
import { sameTarget, targetOf } from './target.js'

const WARNING_MS = 10_000
const TIMEOUT_MS = 60_000
/** Time that a setup has to end by itself once it was given up, ms: what it uses stays until then. */
export const GRACE_MS = 500

/** How a setup ended: what runs, or why not; neither where it was given up. */
export interface SetupEnd {
  readonly running?: PluginHandle<unknown>
  readonly error?: Error
}

/** Calls the setup of `instance`. Never rejects. */
export async function setUp(core: HostCore, instance: Instance, scope: Scope): Promise<SetupEnd> {
  let error: Error | undefined
  let result: unknown
  const ended = call(
    instance,
    () => (result = instance.definition.setup?.(createContext(core, instance, scope) as never)),
    (failure) => {
      error = failure
    },
  )
  const endOf = (value: unknown): SetupEnd => (error ? { error } : { running: (value ?? {}) as PluginHandle<unknown> })
  if (!ended) return endOf(result)
  return bounded(core, instance, scope, ended.then(endOf))
}

/** Waits for a setup, warns when it is slow, and ends the wait when it takes too long or is no longer wanted. */
function bounded(core: HostCore, instance: Instance, scope: Scope, setup: Promise<SetupEnd>): Promise<SetupEnd> {
  return new Promise((resolve) => {
    const limit = instance.definition.setupTimeout ?? TIMEOUT_MS
    let isWanted = true
    let waits = true
    const finish = (end: SetupEnd): void => {
      waits = false
      instance.abortSetup = undefined
      for (const cancel of timers) cancel()
      resolve(end)
    }
    const timers = [
      core.clock.setTimeout(() => instance.log.warn(`setup has been running for ${WARNING_MS / 1000} s`), WARNING_MS),
      core.clock.setTimeout(
        () =>
          finish({
            error: new KernelError(
              'plugin/setup-timeout',
              `${instance.name}: setup did not finish within ${limit / 1000} s`,
            ),
          }),
        limit,
      ),
    ]
    instance.abortSetup = () => {
      instance.abortSetup = undefined
      isWanted = false
      // Real time, whatever the host's clock says: what the setup waits for is outside.
      const timer = setTimeout(() => finish({}), GRACE_MS)
      for (const cancel of timers.splice(0, timers.length, () => clearTimeout(timer))) cancel()
      scope.abort()
    }
    if (instance.pendingTarget && !sameTarget(instance.pendingTarget, targetOf(core, instance))) instance.abortSetup()
    void setup.then((end) => {
      if (end.error && !(isWanted && waits))
        instance.log.debug(`the setup that was given up has ended: ${messageOf(end.error)}`)
      if (waits) finish(isWanted ? end : {})
    })
  })
}
