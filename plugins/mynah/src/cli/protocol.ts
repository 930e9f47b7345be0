// What the supervisor and the host process say to each other.

/** What a host process is started with. */
export interface HostOrder {
  /** Absolute path of the configuration file. */
  readonly file: string
  /** The file as the user named it. */
  readonly shown: string
  /** Whether failures are told with their stack. */
  readonly verbose: boolean
  /** Origin of a console beside the host. */
  readonly console?: string
}

/** From the supervisor. */
export type SupervisorMessage =
  /** Stop cleanly. */
  | { readonly type: 'stop' }
  /** Read the configuration and the tokens again. */
  | { readonly type: 'reload'; readonly id: number }

/** What became of a reload, in lines for people. */
export interface Reloaded {
  readonly accepted: boolean
  readonly lines: readonly string[]
}

/** From the host process. */
export type HostMessage =
  /** All plugins have come to rest; the files that make up the host. */
  | { readonly type: 'started'; readonly modules: readonly string[] }
  /** The host writes a file itself. */
  | { readonly type: 'wrote'; readonly file: string; readonly hash: string }
  | { readonly type: 'reloaded'; readonly id: number; readonly result: Reloaded }
