import { dirname, join, resolve } from 'node:path'
import type { Arguments } from '../arguments.js'
import { readCatalogue } from '../backup/catalogue.js'
import { restoreRows } from '../backup/restore-rows.js'
import { restoreInto } from '../backup/restore.js'
import { ask } from '../control.js'
import { EXIT } from '../exit-codes.js'
import { displayPath } from '../tokens.js'
import { runInterruptible } from '../run-interruptible.js'
import { UserError } from '../user-error.js'
import { visible } from '../visible.js'

export async function restore({ config, rest, options }: Arguments): Promise<number> {
  const [from] = rest
  if (!from)
    throw new UserError('the folder of the backup is missing', {
      exitCode: EXIT.usage,
      remedy: 'mynah restore <folder>',
    })
  const root = dirname(resolve(config))
  const content = await readCatalogue(resolve(from), from)
  if (await ask(join(root, 'data'), { do: 'ping' }))
    throw new UserError('the host is running', { exitCode: EXIT.failure, remedy: 'Stop it first' })
  if (options.has('database')) {
    await restoreRows(root, resolve(from), content)
    process.stdout.write(
      'Next: mynah start. It moves the rows into the database of the configuration, which must be empty\n',
    )
    return EXIT.ok
  }
  const { aside } = await runInterruptible((step) =>
    restoreInto(root, resolve(from), content, options.has('yes'), step),
  )
  const previous = aside ? `; the previous files are in ${aside}` : ''
  process.stdout.write(
    `restored ${content.files.length} files of ${content.made} to ${displayPath(root) || '.'}${previous}.\n`,
  )
  for (const sentence of content.elsewhere) process.stdout.write(`not in the backup: ${visible(sentence)}\n`)
  process.stdout.write('Next: npm ci, mynah doctor, mynah start\n')
  return EXIT.ok
}
