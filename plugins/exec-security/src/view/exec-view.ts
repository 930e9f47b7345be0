/** A folder that a command works in. */
export interface Root {
  /** Its real path. */
  readonly path: string
  readonly writable: boolean
  /** Whether it is part of another root that commands change. */
  readonly isInner?: boolean | undefined
}

/** A file or folder of the host that is shown at another path. */
export interface Shown {
  readonly source: string
  readonly at: string
}

/** A file or folder of the host that must be at its place when the command starts: names may lead elsewhere. */
export interface Mount extends Shown {
  readonly writable: boolean
  /** The same file or folder by a descriptor of this process. */
  readonly descriptor: number
  /**
   * Whether it lies in a folder that other commands change, and is mounted from within the view. bwrap would look its
   * place up by name, and make one where a link leads.
   */
  readonly isInner?: boolean | undefined
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
  /** The folder that is shown as the home folder, at {@link HOME}. */
  readonly home: string
  /** Files shown read-only, such as those of the home folder of the host's user. */
  readonly files: readonly Shown[]
  /** Folders of programs outside `/usr`, shown read-only. */
  readonly tools: readonly string[]
  /** Folders that are empty where a system folder holds them. */
  readonly covered: readonly string[]
  /** The socket of the host's proxy. Without one there is no network. */
  readonly socket?: string | undefined
  /** The program that stands for git, and the socket at which it asks the host. */
  readonly door?: { readonly shim: string; readonly socket: string } | undefined
  /** Whether links lead nowhere, and no program runs, in the folders that commands change. */
  readonly isInert?: boolean | undefined
  /** The mounts that take the place of the roots, in this order. */
  readonly mounts?: readonly Mount[] | undefined
}

/**
 * The home folder of commands. No other path of a view lies below it or below `/tmp`, since a command could have made a
 * link there that leads the place of a mount out of the view.
 */
export const HOME = '/run/home'
/** Where the files of the home folder of the host's user are. Links in {@link HOME} lead to them. */
export const HOME_FILES = '/run/files'
/** Where a command finds the socket of {@link ExecView.socket}. */
export const SOCKET = '/run/mynah.sock'
/** The descriptor from which bwrap reads its filter. */
export const FILTER_DESCRIPTOR = 9
/** The first descriptor of {@link ExecView.mounts}. */
export const FIRST_DESCRIPTOR = 11
