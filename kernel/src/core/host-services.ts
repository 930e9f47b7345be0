// Services of whoever runs the host: where it lives on disk, and who can start the process again.
import { service, type Service } from './token.js'

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
