// What the supervisor and the host process say to each other.

/** What a host process is started with. */
export interface HostOrder {
  /** Absolute path of the configuration file. */
  readonly file: string
  /** The file as the user named it. */
  readonly shown: string
  /** Origin of a console beside the host. */
  readonly console?: string
}

/** From the supervisor: stop cleanly. */
export interface StopMessage { readonly type: 'stop' }

/** From the host process. */
export type HostMessage =
  /** All plugins have come to rest; the files that make up the host. */
  | { readonly type: 'started'; readonly modules: readonly string[] }
  /** The host writes a file itself. */
  | { readonly type: 'wrote'; readonly file: string; readonly hash: string }
