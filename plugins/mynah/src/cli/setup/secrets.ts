// Secrets go into .env, which is no part of a repository. The configuration names their variables.
import { parseEnvironment } from '@mynah/kernel/loader'
import type { HostClient } from './host-client.js'
import type { Field, Json } from './fields.js'

const ENV_FILE = '.env'

/** An item whose secrets are names of variables, and the text of `.env` with these variables. */
interface Split {
  readonly item: Record<string, unknown>
  readonly lines: string
}

/** Returns the name of the variable for a secret: `IRC_PASSWORD`. */
export const variableFor = (owner: string, field: string): string =>
  `${owner}_${field.replace(/(?<=[a-z])(?=[A-Z])/g, '_')}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')

const quoted = (value: string): string =>
  /^[\w.:/@+=-]*$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`

/** Replaces the secrets of an item by variables that `.env` does not have yet. */
export function withVariables(item: Json, fields: readonly Field[], owner: string, env: string): Split {
  const known = parseEnvironment(env)
  const result: Record<string, unknown> = { ...item }
  let lines = ''
  for (const { name, secret } of fields) {
    const value = item[name]
    if (!secret || typeof value !== 'string' || value.includes('${')) continue
    const base = variableFor(owner, name)
    let variable = base
    for (let count = 2; known[variable] !== undefined && known[variable] !== value; count++)
      variable = `${base}_${count}`
    if (known[variable] === undefined) lines += `${variable}=${quoted(value)}\n`
    result[name] = `\${${variable}}`
  }
  return { item: result, lines }
}

/**
 * Saves an item with its secrets in `.env`.
 *
 * @param save saves the item itself; when it fails, `.env` is as it was
 */
export async function saveWithSecrets(
  client: HostClient,
  { item: given, fields, owner }: { readonly item: Json; readonly fields: readonly Field[]; readonly owner: string },
  save: (item: Json) => Promise<unknown>,
): Promise<void> {
  const { content } = await client.call<{ content: string }>('env:get', { filename: ENV_FILE })
  const { item, lines } = withVariables(given, fields, owner, content)
  if (lines)
    await client.call('env:save', {
      filename: ENV_FILE,
      content: `${content}${content === '' || content.endsWith('\n') ? '' : '\n'}${lines}`,
    })
  try {
    await save(item)
  } catch (error) {
    if (lines) await client.call('env:save', { filename: ENV_FILE, content })
    throw error
  }
}
