/** A folder that a command works in. */
export interface Root {
  /** Its real path. */
  readonly path: string
  readonly writable: boolean
  /** Files and folders in it that cannot be changed. */
  readonly readOnly?: readonly string[] | undefined
}

/** A file or folder of the host by a descriptor of this process. */
export interface Opened {
  readonly path: string
  readonly descriptor: number
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
  /** Folders that are empty where a system folder holds them. */
  readonly covered: readonly string[]
  /** The socket of the host's proxy. Without one there is no network. */
  readonly socket?: string | undefined
  /** The program that stands for git, and the socket at which it asks the host. */
  readonly door?: { readonly shim: string; readonly socket: string } | undefined
  /** Files and folders that must be at their paths when the command starts: names may lead elsewhere meanwhile. */
  readonly opened?: readonly Opened[] | undefined
}

/** Where a command finds the socket of {@link ExecView.socket}. */
export const SOCKET = '/run/mynah.sock'
/** The descriptor from which bwrap reads its filter. */
export const FILTER_DESCRIPTOR = 9
/** The first descriptor of {@link ExecView.opened}. */
export const FIRST_DESCRIPTOR = 11
