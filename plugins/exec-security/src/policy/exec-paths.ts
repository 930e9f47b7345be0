/** The absolute paths of the host that decide where a command runs and what it may touch. */
export interface ExecPaths {
  /** The working directory of the command. */
  readonly cwd: string
  /** The home directory. */
  readonly home?: string | undefined
  /** Paths that are neither read nor written: the data directory, the configuration file with its copies. */
  readonly protected: readonly string[]
  /** Paths that are read but not written: the folders of plugins. */
  readonly readOnly: readonly string[]
  /** The files with credentials in the working directory. Absent where that cannot be looked at. */
  readonly secrets?: { readonly all: readonly string[] | undefined } | undefined
}

/** The folders above the assumed working directory, as deep as a path may climb. */
const UNKNOWN = '/…/…/…/…'

/**
 * The default layout: the working directory is the folder of the configuration, or is in it.
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
