// Hooks that the host itself emits.
import { hook } from './token.js'

/** Emitted after a plugin changed state, a contribution came or went, or the set of plugins changed. */
export const changed = hook<{ readonly plugin: string; readonly what: 'state' | 'contributions' }>('kernel.changed')

/** Emitted when a plugin did not start with a changed section and gets the one back that it ran with before. */
export const configRolledBack = hook<{ readonly plugin: string; readonly reason: string }>('kernel.config-rolled-back')

/**
 * Run by `host.stop()` while everything is still up: a listener takes in nothing new and resolves when what it had begun
 * has ended. All run at once; after 30 s `signal` aborts and the host stops without waiting for the rest.
 */
export const draining = hook<{ readonly signal: AbortSignal }>('kernel.draining')
