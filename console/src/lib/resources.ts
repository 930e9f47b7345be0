// The one set of resources of the console.
import type { Failure } from './failure.js'
import { Resources } from './resource.js'
import { createStore } from './store.js'

/** The last failure of a load whose former data stays on the screen. */
export const staleFailure = createStore<Failure | undefined>(undefined)

export const resources = new Resources({
  now: () => Date.now(),
  setTimer: (run, ms) => setTimeout(run, ms),
  clearTimer: (timer) => clearTimeout(timer as number | undefined),
  visible: () => document.visibilityState === 'visible',
  onStaleFailure: (failure) => staleFailure.set(failure),
})
