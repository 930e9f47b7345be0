import { hook } from './token.js'

/** The level of a log line. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** One line of the log. */
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

/** Emitted for every record of the log. */
export const logged = hook<LogRecord>('kernel.log')

/** Creates a logger that passes records to `sink`. */
export function logger(name: string, now: () => number, sink: (record: LogRecord) => void): Logger {
  const write = (level: LogLevel) => (message: string, fields?: Readonly<Record<string, unknown>>) =>
    sink(fields ? { time: now(), level, name, message, fields } : { time: now(), level, name, message })
  return Object.freeze({ debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') })
}
