// What the exit codes of the command line mean. The README shows the same list.

export const EXIT = {
  ok: 0,
  /** Something unexpected, or something that `doctor` says must be mended. */
  failure: 1,
  /** The configuration does not allow a start. */
  configuration: 2,
  /** The port is taken. */
  port: 3,
  /** The command line itself is wrong. */
  usage: 64,
  /** The host process asks its supervisor to start it again; never the exit code of `mynah`. */
  restart: 75,
  /** Ended by a second Ctrl-C or terminate signal, before the host had stopped. */
  interrupted: 130,
} as const
