// One host a database: what the second one is told.
import { FatalError } from '@mynah/kernel'

/** As for a taken port: what this host needs is in use, and starting it again would not help. */
const EXIT_CODE = 3

/** Another host works with this database. */
export class DatabaseInUse extends FatalError {
  readonly code = 'database/in-use'

  constructor(message: string, hint: string, cause: unknown) {
    super(message, { exitCode: EXIT_CODE, hint, cause })
  }
}
