import { messageOf } from '@mynah/kernel'
import { WireError } from '@mynah/contract'

/**
 * Imports an optional package.
 *
 * @throws WireError `unsupported` that names the package to install
 */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const missing =
      (error as NodeJS.ErrnoException | null)?.code === 'ERR_MODULE_NOT_FOUND' && messageOf(error).includes(`'${name}'`)
    throw new WireError(
      'unsupported',
      `The package ${name} ${missing ? 'is not installed' : 'could not be loaded'}; install it with: npm install satori @resvg/resvg-js`,
      { cause: error },
    )
  }
}
