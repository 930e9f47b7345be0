import type { LogLevel } from '@mynah/kernel'
import { logWriter, standardOutput } from './log-format.js'

export interface Logger {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

/** Returns a logger with the name `supervisor`, in the format of the host's log. */
export function logger(): Logger {
  const write = logWriter(standardOutput())
  const line = (level: LogLevel) => (message: string) => write({ time: Date.now(), level, name: 'supervisor', message })
  return { info: line('info'), warn: line('warn'), error: line('error') }
}
