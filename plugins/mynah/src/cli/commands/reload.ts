import { dirname, join, resolve } from 'node:path'
import type { Arguments } from '../arguments.js'
import { ask } from '../control.js'
import { EXIT } from '../exit-codes.js'
import { UserError } from '../user-error.js'
import { visibleLines } from '../visible.js'

export async function reload({ config }: Arguments): Promise<number> {
  const data = join(dirname(resolve(config)), 'data')
  const answer = await ask(data, { do: 'reload' })
  if (!answer)
    throw new UserError(`no host of ${config} is running`, {
      exitCode: EXIT.failure,
      remedy: 'Start it with: mynah start',
    })
  if ('error' in answer) throw new UserError(answer.error, { exitCode: EXIT.failure })
  const { accepted, failed, lines } = answer.result ?? { accepted: true, lines: [] }
  for (const line of lines) process.stdout.write(`${visibleLines(line)}\n`)
  if (!accepted) return EXIT.configuration
  return failed ? EXIT.failure : EXIT.ok
}
