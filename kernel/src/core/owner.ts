// Who is to blame: every listener, contribution and effect has an owner that failures are reported to.
import { toError } from './errors.js'
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

/** Something that failures are attributed to. */
export interface Owner {
  readonly name: string
  /** Place in the configuration; decides order among equals. */
  readonly position: number
  /** Records and logs a failure; never throws. */
  report(error: Error): void
}

/** Calls into what belongs to `owner`; a failure, also a later one, is reported to it. */
export function call(owner: Owner, callback: () => unknown): void {
  try {
    const result = callback()
    if (result instanceof Promise) result.catch((error: unknown) => owner.report(toError(error)))
  } catch (error) {
    owner.report(toError(error))
  }
}

/** A logger that hands records to `sink`. */
export function logger(name: string, now: () => number, sink: (record: LogRecord) => void): Logger {
  const write = (level: LogLevel) => (message: string, fields?: Readonly<Record<string, unknown>>) =>
    sink(fields ? { time: now(), level, name, message, fields } : { time: now(), level, name, message })
  return Object.freeze({ debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') })
}
