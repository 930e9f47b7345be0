import { dirname, resolve } from 'node:path'
import { ConfigurationError } from '@mynah/kernel/loader'
import type { Arguments } from '../arguments.js'
import { EXIT } from '../exit-codes.js'
import { findToken } from '../tokens.js'

export async function token({ config, options }: Arguments): Promise<number> {
  const file = resolve(config)
  try {
    const found = await findToken(file, dirname(file))
    if (!options.has('show')) {
      process.stdout.write(`The token is ${found.where}.\n`)
      return EXIT.ok
    }
    if (found.value === undefined) {
      process.stderr.write(`mynah: there is no token yet; it will be ${found.where}\n`)
      return EXIT.failure
    }
    process.stdout.write(`${found.value}\n`)
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    process.stderr.write(`${error.message}\n`)
    return EXIT.configuration
  }
}
