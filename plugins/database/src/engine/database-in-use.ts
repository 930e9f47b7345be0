import { FatalError } from '@mynah/kernel'

/** Same exit code as for a port in use: a restart would not help. */
const EXIT_CODE = 3

/** Thrown when another host uses this database. */
export class DatabaseInUse extends FatalError {
  readonly code = 'database/in-use'

  constructor(message: string, hint: string, cause: unknown) {
    super(message, { exitCode: EXIT_CODE, hint, cause })
  }
}
