// Messages between the supervisor and the host process.
import type { ClusterHostView, FileComparison, LogRecord } from '@mynah/kernel'
import type { DevFailure, DevStatus } from '@mynah/contract'
import type { Sample } from '@mynah/plugin-management/api'
import type { ReloadedPlugin } from './modules/code-reloader.js'
import type { LiveUpdate } from './packages/live-packages.js'

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
  /** Whether `mynah dev` runs the host. */
  readonly dev?: boolean
}

/** From the supervisor. */
export type SupervisorMessage =
  /** Stop cleanly. */
  | { readonly type: 'stop' }
  /** Read the configuration and the tokens again. */
  | { readonly type: 'reload'; readonly id: number }
  /** Say how the host is. */
  | { readonly type: 'status'; readonly id: number }
  /** Tell the token. */
  | { readonly type: 'token'; readonly id: number }
  /** Say what a report about the host needs. */
  | { readonly type: 'support'; readonly id: number }
  /** Load the code of the plugins that these files belong to. */
  | { readonly type: 'code'; readonly id: number; readonly files: readonly string[] }
  /** Use packages that have changed. */
  | { readonly type: 'packages'; readonly id: number }
  /** The state of the code that `mynah dev` watches. */
  | { readonly type: 'author'; readonly status: DevStatus }
  /** Compare the configuration file with what all hosts run, or push it. */
  | { readonly type: 'configuration'; readonly id: number; readonly push?: PushOrder | undefined }

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
  /** Address of its API, where it has a server. */
  readonly api?: string | undefined
  /** Plugins that do not run, and those that run with a fault, with the reason. */
  readonly troubled: readonly { readonly name: string; readonly state: string; readonly reason: string }[]
  readonly running: number
  /** Results of the checks behind `GET /ready`. */
  readonly checks: readonly { readonly name: string; readonly status: string; readonly reason?: string | undefined }[]
  /** The hosts that share the database, where the plugin cluster runs. */
  readonly hosts?: readonly (ClusterHostView & { readonly self: boolean })[] | undefined
}

/** The state of a running host for a report, with its secrets and texts of people. */
export interface HostFacts {
  readonly status: StatusReport
  /** The last warnings and errors with their stacks, the oldest first. */
  readonly lines: readonly LogRecord[]
  readonly figures: readonly { readonly name: string; readonly samples: readonly Sample[] }[]
  /** In bytes. */
  readonly memory: { readonly rss: number; readonly heapUsed: number }
}

/** The comparison after which a person has agreed to a push. */
export type PushOrder = Pick<FileComparison, 'revision' | 'sha'>

/** The answer about the shared configuration: a comparison, the pushed revision, or a refusal. */
export type ConfigurationResult =
  | { readonly comparison: FileComparison }
  | { readonly pushed: number }
  | { readonly refused: { readonly code: string; readonly message: string; readonly details: readonly string[] } }

/** The part of a started host that `mynah dev` works with. */
export interface AuthorView {
  /** The plugins that are not installed packages, with the paths of their modules. */
  readonly plugins: readonly { readonly name: string; readonly module: string }[]
  readonly failures: readonly DevFailure[]
  /** Origin of the host, where it has a server. */
  readonly origin?: string | undefined
  /** The token, where a link to this machine may have it. */
  readonly token?: string | undefined
}

/** From the host process. */
export type HostMessage =
  /** The start is complete; lists the modules of the plugins. */
  | { readonly type: 'started'; readonly modules: readonly string[]; readonly author?: AuthorView | undefined }
  /** The host has loaded packages that have changed. */
  | { readonly type: 'updated' }
  /** The host writes a file itself. */
  | { readonly type: 'wrote'; readonly file: string; readonly hash: string }
  | { readonly type: 'answer'; readonly id: number; readonly answer: HostAnswer }

/** The answer to a message of the supervisor; undefined before the host has started. */
export type HostAnswer =
  | ReloadResult
  | StatusReport
  | string
  | HostFacts
  | readonly ReloadedPlugin[]
  | ConfigurationResult
  | LiveUpdate
  | undefined
