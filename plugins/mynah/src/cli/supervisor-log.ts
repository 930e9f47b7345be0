import type { LogLevel, LogRecord } from '@mynah/kernel'
import { RingBuffer } from '@mynah/kernel/util'
import { logWriter, standardOutput } from './log-format.js'

const KEPT = 50

export interface Logger {
  /** The last warnings and errors, the oldest first. */
  readonly failures: RingBuffer<LogRecord>
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

/** Returns a logger with the name `supervisor`, in the format of the host's log. */
export function logger(): Logger {
  const write = logWriter(standardOutput())
  const failures = new RingBuffer<LogRecord>(KEPT)
  const line = (level: LogLevel) => (message: string) => {
    const record: LogRecord = { time: Date.now(), level, name: 'supervisor', message }
    if (level !== 'info') failures.push(record)
    write(record)
  }
  return { failures, info: line('info'), warn: line('warn'), error: line('error') }
}
