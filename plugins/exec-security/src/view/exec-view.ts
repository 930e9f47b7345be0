/** A folder that a command works in. */
export interface Root {
  /** Its real path. */
  readonly path: string
  readonly writable: boolean
}

/** A file or folder of the host that is shown at another path. */
export interface Shown {
  readonly source: string
  readonly at: string
}

/** The files of the machine that a command sees at level `wall`. All others are absent. */
export interface ExecView {
  /** The working directory, a real path in one of the roots. */
  readonly cwd: string
  readonly roots: readonly Root[]
  /** The prepared folder that is shown as `/etc`. */
  readonly etc: string
  /** The folder that is shown as `/tmp`. */
  readonly tmp: string
  /** The folder that is shown as the home folder. */
  readonly home: Shown
  /** Files shown read-only in the home folder. */
  readonly homeFiles: readonly Shown[]
  /** Folders of programs outside `/usr`, shown read-only. */
  readonly tools: readonly string[]
  /** Paths that are hidden where a root holds them. */
  readonly hidden: readonly string[]
  /** Paths that are read-only where a root holds them. */
  readonly readOnly: readonly string[]
  /** The socket of the host's proxy. Without one there is no network. */
  readonly socket?: string | undefined
}

/** Where a command finds the socket of {@link ExecView.socket}. */
export const SOCKET = '/run/mynah.sock'
/** The descriptor from which bwrap reads its filter. */
export const FILTER_DESCRIPTOR = 9
