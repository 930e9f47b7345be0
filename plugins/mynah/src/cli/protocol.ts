// Messages between the supervisor and the host process.
import type { ClusterHostView } from '@mynah/kernel'

/** Options of a host process. */
export interface HostOrder {
  /** Absolute path of the configuration file. */
  readonly file: string
  /** The file as the user named it. */
  readonly shown: string
  /** Whether errors are shown with their stack. */
  readonly verbose: boolean
  /** Origin of the console that the command line serves. */
  readonly console?: string
}

/** From the supervisor. */
export type SupervisorMessage =
  /** Stop cleanly. */
  | { readonly type: 'stop' }
  /** Read the configuration and the tokens again. */
  | { readonly type: 'reload'; readonly id: number }
  /** Say how the host is. */
  | { readonly type: 'status'; readonly id: number }

/** The result of a reload, in lines for people. */
export interface ReloadResult {
  readonly accepted: boolean
  /** Whether a plugin that was started by an accepted configuration has failed. */
  readonly failed?: boolean
  readonly lines: readonly string[]
}

/** How a host is, for people and programs. */
export interface StatusReport {
  readonly version: string
  /** In milliseconds since the epoch. */
  readonly startedAt: number
  /** Plugins that do not run, and those that run with a fault, with the reason. */
  readonly troubled: readonly { readonly name: string; readonly state: string; readonly reason: string }[]
  readonly running: number
  /** Results of the checks behind `GET /ready`. */
  readonly checks: readonly { readonly name: string; readonly status: string; readonly reason?: string | undefined }[]
  /** The hosts that share the database, where the plugin cluster runs. */
  readonly hosts?: readonly (ClusterHostView & { readonly self: boolean })[] | undefined
}

/** From the host process. */
export type HostMessage =
  /** The start is complete; lists the modules of the plugins. */
  | { readonly type: 'started'; readonly modules: readonly string[] }
  /** The host writes a file itself. */
  | { readonly type: 'wrote'; readonly file: string; readonly hash: string }
  | { readonly type: 'reloaded'; readonly id: number; readonly result: ReloadResult }
  | { readonly type: 'status'; readonly id: number; readonly report: StatusReport }
