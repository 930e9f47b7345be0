// Who is to blame: every listener, contribution and effect has an owner that failures are reported to.
import { asError } from './foreign.js'
import { hook } from './token.js'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** A line of the log as the kernel hands it on. */
export interface LogRecord {
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly level: LogLevel
  /** The plugin that wrote it, or `host`. */
  readonly name: string
  readonly message: string
  readonly fields?: Readonly<Record<string, unknown>>
}

/** Writes lines in the name of one plugin. */
export interface Logger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** Emitted for every line of the log. */
export const logged = hook<LogRecord>('kernel.log')

/** Emitted after a plugin changed state, a contribution came or went, or the set of plugins changed. */
export const changed = hook<{ readonly plugin: string; readonly what: 'state' | 'contributions' }>('kernel.changed')

/** Emitted when a plugin did not start with a changed section and gets the one back that it ran with before. */
export const putBack = hook<{ readonly plugin: string; readonly reason: string }>('kernel.put-back')

/**
 * Run by `host.stop()` while everything is still up: a listener takes in nothing new and resolves when what it had begun
 * has ended. All run at once; after 30 s `signal` aborts and the host stops without waiting for the rest.
 */
export const draining = hook<{ readonly signal: AbortSignal }>('kernel.draining')

/** Something that failures are attributed to. */
export interface Owner {
  readonly name: string
  /** Place in the configuration; decides order among equals. */
  readonly position: number
  /** Records and logs a failure; never throws. */
  report(error: Error): void
}

/** What becomes of a failure; by default its owner is told. */
type Failed = (error: Error) => void

/**
 * Takes what code of `owner` returned: the only place that looks for a `then`. Undefined where there is nothing to wait
 * for; else a promise that never rejects, of the value, or of `undefined` after `failed` was told why.
 */
export function settle(
  owner: Owner,
  value: unknown,
  failed: Failed = (error) => owner.report(error),
): Promise<unknown> | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  try {
    if (typeof (value as { then?: unknown }).then !== 'function') return undefined
  } catch (thrown) {
    failed(asError(thrown))
    return undefined
  }
  return end(value, failed)
}

async function end(value: unknown, failed: Failed): Promise<unknown> {
  try {
    return await value
  } catch (thrown) {
    failed(asError(thrown))
    return undefined
  }
}

/** Calls into what belongs to `owner`: the border at which its failures, also later ones, become ours. As of {@link settle}. */
export function call(
  owner: Owner,
  callback: () => unknown,
  failed: Failed = (error) => owner.report(error),
): Promise<unknown> | undefined {
  try {
    return settle(owner, callback(), failed)
  } catch (thrown) {
    failed(asError(thrown))
    return undefined
  }
}

/** A logger that hands records to `sink`. */
export function logger(name: string, now: () => number, sink: (record: LogRecord) => void): Logger {
  const write = (level: LogLevel) => (message: string, fields?: Readonly<Record<string, unknown>>) =>
    sink(fields ? { time: now(), level, name, message, fields } : { time: now(), level, name, message })
  return Object.freeze({ debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') })
}
