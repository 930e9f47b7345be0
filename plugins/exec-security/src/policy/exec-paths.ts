// Where a command runs and what decides over it: the folders and files of the host that no command may touch.

/** Absolute places of the host. What is not given is taken from the usual layout, relative to the working directory. */
export interface ExecPaths {
  /** The working directory of the command. */
  readonly cwd: string
  /** The home directory. */
  readonly home?: string | undefined
  /** Neither read nor written: the data directory, the configuration file with its copies. */
  readonly protected: readonly string[]
  /** Read but not written: folders of plugins. */
  readonly readOnly: readonly string[]
}

/** Above the working directory, as far as a path may climb without leaving what is not known. */
const UNKNOWN = '/…/…/…/…'

/**
 * The layout that is assumed where none is given: the working directory is the folder of the configuration, or lies in it.
 * The names begin with a character that no path of the host has.
 */
export const ASSUMED_PATHS: ExecPaths = {
  cwd: `${UNKNOWN}/….`,
  home: '/…home',
  protected: [`${UNKNOWN}/….`, UNKNOWN].flatMap((base) =>
    ['data', 'mynah.config.yml', 'mynah.config.yaml', 'mynah.config.yml.bak'].map((name) => `${base}/${name}`),
  ),
  readOnly: [`${UNKNOWN}/….`, UNKNOWN].map((base) => `${base}/plugins`),
}
