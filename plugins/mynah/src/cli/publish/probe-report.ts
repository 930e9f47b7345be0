/** The question of the command line to the process that loads and runs a package. */
export interface ProbeTask {
  /** Addresses of the entry in two unpacked copies of the package. */
  readonly entries: readonly [string, string]
  /** Folders of the copies. */
  readonly folders: readonly [string, string]
  /** The packages that are loaded first, since a host has loaded them already. */
  readonly loaded: readonly string[]
  /**
   * The host of the plugin with others in it, and the values of the project's configuration. Absent where the package
   * is only loaded.
   */
  readonly host?: { readonly file: string; readonly bases: readonly string[]; readonly values: unknown }
}

/** How one copy of a plugin ran. */
export interface RunReport {
  readonly state: string
  readonly reason?: string
  /** Effects, listeners and the like that were left after it was removed, in words. */
  readonly left: readonly string[]
}

/** The contributions of a running plugin to its host. */
export interface Contributions {
  readonly commands: readonly string[]
  readonly tools: readonly string[]
  readonly adapters: readonly string[]
  readonly pages: readonly string[]
  readonly sections: readonly string[]
  readonly needs: readonly string[]
}

/** The answer of the process. */
export interface ProbeReport {
  /** Processor time of the first load. */
  readonly loadMs?: number
  /** Why the entry cannot be loaded, or is no plugin. */
  readonly loadFault?: string
  /** Timers that two loads have left. */
  readonly timers?: number
  readonly runs?: readonly RunReport[]
  /** Timers of the package that still ran when the host had stopped. */
  readonly timersAfter?: number
  /** Why there was no host. */
  readonly hostFault?: string
  readonly contributes?: Contributions
  /** Options with their paths, such as `dice.sides`. Those of an endpoint have no section. */
  readonly options?: readonly string[]
}
