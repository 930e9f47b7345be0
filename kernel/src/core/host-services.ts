// Services of the host itself and of whoever runs it: its state, where it lives on disk, who can start the process again.
import type { Logger, LogRecord } from '../base/log.js'
import { service, type Service } from '../base/token.js'
import type { PluginView } from './inspect.js'

/** The host as plugins see it, always provided. */
export interface HostControl {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly status: 'starting' | 'running' | 'stopping'
  inspect(): PluginView[]
  why(plugin: string): string
  /** Records and logs a failure in the name of a plugin whose contribution was being used. */
  report(plugin: string, error: unknown): void
  /** The last lines of the log, at most 200, oldest first: for whoever keeps the log and began to listen after they were written. */
  earlier(): readonly LogRecord[]
  /** Writes lines in the name of a plugin, for whoever runs its code: the server that calls its routes. */
  loggerOf(plugin: string): Logger
  /** A text of whatever origin without secrets of the configuration and paths of the machine: for what leaves the host. */
  redact(text: string): string
}
export const HostControl: Service<HostControl> = service<HostControl>('host')

/** Absolute directories of the host. */
export interface HostPaths {
  /** Where the configuration file stands; nothing outside belongs to the host. */
  readonly root: string
  /** What plugins keep on disk. */
  readonly data: string
}
/** Provided by the loader; a host built from code may have none. */
export const HostPaths: Service<HostPaths> = service<HostPaths>('paths')

/** Whoever started the process. */
export interface Supervisor {
  /** Stops the host and starts a new process in its place. */
  restart(): Promise<void>
}
/** Provided where the process is supervised; without it a restart is not possible. */
export const Supervisor: Service<Supervisor> = service<Supervisor>('supervisor')
