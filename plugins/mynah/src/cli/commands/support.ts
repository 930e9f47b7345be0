import { dirname, join, resolve } from 'node:path'
import { existsSync } from 'node:fs'
import { writeFileAtomically } from '@mynah/kernel/files'
import type { Arguments } from '../arguments.js'
import { giveToOwner } from '../backup/owner.js'
import { EXIT } from '../exit-codes.js'
import { Prompt, say } from '../setup/terminal.js'
import { supportReport } from '../support/report.js'
import { displayPath } from '../tokens.js'
import { UserError } from '../user-error.js'
import { visibleJson } from '../visible.js'

/** Makes one file for a bug report. Shows it before it is written. */
export async function support(args: Arguments): Promise<number> {
  const { config, options, values } = args
  const named = values['output']
  if (options.has('output') && named === undefined)
    throw new UserError('--output requires the name of a file', { exitCode: EXIT.usage })
  const report = visibleJson(JSON.stringify(await supportReport(config), undefined, 2))
  if (options.has('json') && named === undefined) {
    process.stdout.write(`${report}\n`)
    return EXIT.ok
  }
  const target = resolve(
    named ??
      join(
        dirname(resolve(config)),
        `mynah-support-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.json`,
      ),
  )
  if (!options.has('json')) process.stdout.write(`${report}\n`)
  await confirm(args, target)
  await writeFileAtomically(target, `${report}\n`, { mode: 0o600, exact: true })
  await giveToOwner(dirname(resolve(config)), target)
  if (options.has('json')) process.stdout.write(`${JSON.stringify({ file: target })}\n`)
  else say(`${displayPath(target)} is written. Read it once more before you publish it`)
  return EXIT.ok
}

/** A named file is the consent of a script. An existing one is replaced only after a question or with `--yes`. */
async function confirm({ options, values }: Arguments, target: string): Promise<void> {
  const replaces = existsSync(target)
  if (options.has('yes') || (options.has('json') && values['output'] !== undefined && !replaces)) return
  const question = `${replaces ? 'Replace' : 'Write this to'} ${displayPath(target)}?`
  const prompt = options.has('json') ? undefined : Prompt.open()
  try {
    if ((await prompt?.choose(question, ['no', 'yes'])) !== 'yes')
      throw new UserError(replaces ? `${displayPath(target)} is there already` : 'nothing was written', {
        exitCode: EXIT.refused,
        remedy: 'Confirm it with --yes, or name a file with --output',
      })
  } finally {
    prompt?.close()
  }
}
