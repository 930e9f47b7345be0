// Importing an optional package, with an error that says how to get it.
import { messageOf } from '@mynah/kernel'
import { WireError } from '@mynah/contract'

/** What `load` imports; `unsupported` where the package is missing. */
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
