import { join, resolve } from 'node:path'
import { ConfigurationError, problemError } from '@mynah/kernel/loader'
import type { Arguments } from '../arguments.js'
import { writeBackup } from '../backup/write.js'
import { EXIT } from '../exit-codes.js'
import { displayPath } from '../tokens.js'
import { runInterruptible } from '../run-interruptible.js'
import { UserError } from '../user-error.js'
import { visible } from '../visible.js'
import { ownVersion } from './help.js'

export async function backup({ config, rest }: Arguments): Promise<number> {
  const file = resolve(config)
  const target = rest[0]
    ? resolve(rest[0])
    : join(file, '..', 'data', 'backups', new Date().toISOString().slice(0, 19).replaceAll(':', '-'))
  try {
    const { files, elsewhere } = await runInterruptible((step) => writeBackup(file, target, ownVersion(), step))
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    process.stdout.write(
      `${displayPath(target)}: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB. ` +
        'It contains secrets: keep it where only you can read it.\n',
    )
    for (const sentence of elsewhere) process.stdout.write(`not included: ${visible(sentence)}\n`)
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    const [problem] = error.problems
    throw new UserError(problem ? problemError(problem).message : 'the configuration cannot be read', {
      exitCode: EXIT.configuration,
      remedy: problem?.hint ?? 'Name the file with -c',
      cause: error,
    })
  }
}
