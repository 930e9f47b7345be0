import type { PluginHandle } from './plugin.js'
import type { Scope } from './scope.js'
import type { Target } from './target.js'

/** A setup that is under way. */
export interface RunningSetup {
  /** Tells the setup that its result is not wanted any more. */
  abort(): void
}

/** The phase of a plugin, with its data. Only the reconcile loop moves a plugin from one phase to the next. */
export type Phase =
  /** It does not run. `state` is what the configuration said when it came to rest. */
  | { readonly kind: 'idle'; readonly state: 'pending' | 'failed' | 'disabled' }
  | { readonly kind: 'starting'; readonly target: Target; readonly scope: Scope; readonly setup: RunningSetup }
  /** Its setup has failed or was aborted, and its effects are being disposed. */
  | { readonly kind: 'unwinding'; readonly scope: Scope }
  | { readonly kind: 'running'; readonly target: Target; readonly scope: Scope; readonly handle: PluginHandle<unknown> }
  | { readonly kind: 'stopping'; readonly scope: Scope }
  /** It failed to start with `target`, and is not started again until it has another target or `retry` is due. */
  | { readonly kind: 'failed'; readonly target: Target; readonly retry: Retry | undefined }

interface Retry {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly cancel: () => void
}
