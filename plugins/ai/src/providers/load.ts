// Importing an optional package, with an error that says how to get it.
import { messageOf } from '@mynah/kernel'
import { ModelError } from '../api/errors.js'

/**
 * Returns the module that `load` imports.
 *
 * @throws {@link ModelError} of class `not-installed` that names the package when it is missing
 */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (
      (error as NodeJS.ErrnoException | null)?.code === 'ERR_MODULE_NOT_FOUND' &&
      messageOf(error).includes(`'${name}'`)
    ) {
      throw new ModelError('not-installed', `The package ${name} is not installed; add it with: npm install ${name}`)
    }
    throw new ModelError(
      'not-installed',
      `The package ${name} could not be loaded; install it again: npm install ${name}`,
      { cause: error },
    )
  }
}
