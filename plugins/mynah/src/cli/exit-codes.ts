// Exit codes of the command line. The README has the same list.
export const EXIT = {
  ok: 0,
  /** An unexpected error, or a problem that `doctor` found. */
  failure: 1,
  /** The configuration does not allow a start. */
  configuration: 2,
  /** The port or the data directory is in use. */
  port: 3,
  /** A plan of packages or a push of the configuration was refused or not confirmed. Nothing has changed. */
  refused: 4,
  /** The command line is invalid. */
  usage: 64,
  /** The host process asks its supervisor for a restart. Never the exit code of `mynah`. */
  restart: 75,
  /** Ended by a second Ctrl-C or SIGTERM before the host had stopped. */
  interrupted: 130,
} as const
