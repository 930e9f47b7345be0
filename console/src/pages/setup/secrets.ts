// Saves secrets in the environment file of the host, so that the configuration has only the names of their variables.
import { separateSecrets } from './separate-secrets.js'
import { host } from '../../app/host.js'
import { isVariable, parseEnv } from '../files/model.js'
import type { Json } from '../config/model.js'
import { secretPathsOf } from './model.js'

const ENV_FILE = '.env'

const variablesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    parseEnv(text)
      .filter(isVariable)
      .map(({ name, value }) => [name, value]),
  )

/**
 * Saves a value with its secrets in the environment file.
 *
 * @param owner first part of the names of the variables
 * @param save saves the value itself; when it fails, the file is as it was
 */
export async function saveWithVariables(
  { schema, value, owner }: { readonly schema: Json; readonly value: Json; readonly owner: string },
  save: (value: Json) => Promise<string>,
): Promise<string> {
  const { content } = await host().rpc('env:get', { filename: ENV_FILE })
  const separated = separateSecrets(value, secretPathsOf(schema), owner, variablesIn(content))
  const write = (text: string): Promise<unknown> => host().rpc('env:save', { filename: ENV_FILE, content: text })
  const start = content === '' || content.endsWith('\n') ? content : `${content}\n`
  if (separated.lines) await write(`${start}${separated.lines}`)
  try {
    return await save(separated.value)
  } catch (error) {
    if (separated.lines) await write(content)
    throw error
  }
}
