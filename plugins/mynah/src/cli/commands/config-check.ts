import { dirname, resolve } from 'node:path'
import { checkFile, ConfigurationError, describeProblem, type Problem } from '@mynah/kernel/loader'
import type { Arguments } from '../arguments.js'
import { EXIT } from '../exit-codes.js'
import { HOST_KEYS } from '../host-keys.js'
import { pluginImporter } from '../modules/import-plugin.js'
import { visibleLines } from '../visible.js'

export async function configCheck({ config }: Arguments): Promise<number> {
  let problems: readonly Problem[]
  try {
    problems = await checkFile(config, {
      env: { ...process.env },
      keys: HOST_KEYS,
      importModule: pluginImporter(dirname(resolve(config))),
    })
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    problems = error.problems
  }
  for (const found of problems)
    process.stdout.write(
      `${found.severity === 'warning' ? 'warning' : 'error'}: ${visibleLines(describeProblem(found))}\n`,
    )
  const errors = problems.filter(({ severity }) => severity !== 'warning').length
  const warnings = problems.length - errors
  process.stdout.write(
    problems.length ? `${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}\n` : `${config} is in order\n`,
  )
  return errors ? EXIT.configuration : EXIT.ok
}

const countOf = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
