import { hook } from './token.js'

/** Emitted after a plugin changed its state, or a contribution was added or removed. */
export const changed = hook<{ readonly plugin: string; readonly what: 'state' | 'contributions' }>('kernel.changed')

/** Emitted when a plugin did not start with a changed section and was rolled back to the one before. */
export const configRolledBack = hook<{ readonly plugin: string; readonly reason: string }>('kernel.config-rolled-back')

/** Emitted once, when all plugins of the start are settled, or 10 s after it. */
export const started = hook<void>('kernel.started')

/**
 * Run by `host.stop()` while all plugins are still up. A listener accepts no new work and resolves when its work in
 * progress has ended. All listeners run at once. After 30 s `signal` aborts, and the host stops without waiting longer.
 */
export const draining = hook<{ readonly signal: AbortSignal }>('kernel.draining')
