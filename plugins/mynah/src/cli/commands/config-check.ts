import { dirname, resolve } from 'node:path'
import { checkFile, ConfigurationError, describeProblem, readValues, type Problem } from '@mynah/kernel/loader'
import type { Arguments } from '../arguments.js'
import { EXIT } from '../exit-codes.js'
import { HOST_KEYS } from '../host-keys.js'
import { pluginImporter } from '../modules/import-plugin.js'
import { checkShellFolders } from '../shell-sandbox.js'
import { visibleLines } from '../visible.js'

const env = (): NodeJS.ProcessEnv => ({ ...process.env })

export async function configCheck({ config }: Arguments): Promise<number> {
  const root = dirname(resolve(config))
  const problems = await problemsOf(config, root)
  const isWarning = ({ severity }: Problem): boolean => severity === 'warning'
  const errors = problems.filter((found) => !isWarning(found))
  const warnings = [...problems.filter(isWarning).map(describeProblem), ...(await folderWarnings(config, root))]
  for (const text of errors.map(describeProblem)) process.stdout.write(`error: ${visibleLines(text)}\n`)
  for (const text of warnings) process.stdout.write(`warning: ${visibleLines(text)}\n`)
  process.stdout.write(
    problems.length + warnings.length > 0
      ? `${countOf(errors.length, 'error')}, ${countOf(warnings.length, 'warning')}\n`
      : `${config} is in order\n`,
  )
  return errors.length > 0 ? EXIT.configuration : EXIT.ok
}

async function problemsOf(config: string, root: string): Promise<readonly Problem[]> {
  try {
    return await checkFile(config, { env: env(), keys: HOST_KEYS, importModule: pluginImporter(root) })
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
}

/** Names folders of the configuration that commands do not get. The plugin passes over them. */
async function folderWarnings(config: string, root: string): Promise<readonly string[]> {
  // The problems say why it cannot be read.
  const read = await readValues(config, { env: env() }).catch(() => undefined)
  const found = read ? await checkShellFolders(root, read.values) : []
  return found
    .filter(({ state }) => state === 'mend')
    .map(({ text, remedy }) => (remedy === undefined ? text : `${text}\n    ${remedy}`))
}

const countOf = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
