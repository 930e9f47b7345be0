// The supervisor's own lines, in the form of the host's.
import type { LogLevel } from '@mynah/kernel'
import { logWriter, standardOutput } from './log-format.js'

export interface Logger {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

/** A logger of the name `supervisor`. */
export function logger(): Logger {
  const write = logWriter(standardOutput())
  const line = (level: LogLevel) => (message: string) => write({ time: Date.now(), level, name: 'supervisor', message })
  return { info: line('info'), warn: line('warn'), error: line('error') }
}
