// The one set of resources of the console.
import type { Failure } from './failure.js'
import { ResourceCache } from './resource-cache.js'
import { createStore } from './store.js'

/** The last failure of a load whose former data stays on the screen, where the host itself has said so. */
export const staleFailure = createStore<Failure | undefined>(undefined)

/** Since when the host answers nothing, epoch milliseconds: one fact, however many calls meet it. */
export const hostDown = createStore<{ readonly since: number; readonly text: string } | undefined>(undefined)

export const resources = new ResourceCache({
  now: () => Date.now(),
  setTimer: (run, ms) => setTimeout(run, ms),
  clearTimer: (timer) => clearTimeout(timer as number | undefined),
  visible: () => document.visibilityState === 'visible',
  onFailure: (failure, stale) => {
    if (failure.kind === 'network') hostDown.set(hostDown.get() ?? { since: Date.now(), text: failure.text })
    else if (stale) staleFailure.set(failure)
  },
  onAnswer: () => hostDown.set(undefined),
})
