import type { Logger, LogRecord } from '../base/log.js'
import { service, type Service } from '../base/token.js'
import type { PluginView } from './inspect.js'

/** The host as plugins see it. Always provided. */
export interface HostControl {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly status: 'starting' | 'running' | 'stopping'
  /** Returns a view of every plugin. */
  inspect(): PluginView[]
  /** Returns why a plugin does not run, one reason a line. */
  why(plugin: string): string
  /** Records and logs a failure in the name of a plugin whose contribution was being used. */
  report(plugin: string, error: unknown): void
  /** Returns the last 200 log records, the oldest first, for a plugin that stores the log and started later. */
  earlier(): readonly LogRecord[]
  /** Returns the logger of a plugin, for code that calls it, such as the server that runs its routes. */
  loggerOf(plugin: string): Logger
  /** Returns a text without secrets of the configuration and file paths, for readers outside the host. */
  redact(text: string): string
}
export const HostControl: Service<HostControl> = service<HostControl>('host')

/** Absolute directories of the host. */
export interface HostPaths {
  /** Folder of the configuration file. The host owns nothing outside of it. */
  readonly root: string
  /** Folder for the files that plugins keep. */
  readonly data: string
}
/** Provided by the loader. A host built from code may have none. */
export const HostPaths: Service<HostPaths> = service<HostPaths>('paths')

/** The parent that started the process. */
export interface Supervisor {
  /** Stops the host and starts a new process in its place. */
  restart(): Promise<void>
  /** Ends the process at once, without stopping plugins, and starts a new one: for a host that may do nothing more. */
  abandon(): void
}
/** Provided when the process is supervised. Without it a restart is not possible. */
export const Supervisor: Service<Supervisor> = service<Supervisor>('supervisor')
