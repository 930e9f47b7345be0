// Secrets go into an environment file, which is no part of a repository. `mynah setup` names variables in the same way.
import { isRecord } from '../config/model.js'

/** A value whose secrets are references to variables, and the lines of an environment file that set them. */
export interface SeparatedSecrets {
  readonly value: Record<string, unknown>
  /** Lines to add, each with its end. Empty where nothing is to be added. */
  readonly lines: string
  /** Names of the variables in `lines`. */
  readonly added: readonly string[]
}

/** Returns the name of the variable for a secret: `IRC_PASSWORD`. */
const variableFor = (owner: string, path: readonly string[]): string =>
  [owner, ...path]
    .join('_')
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    // A name cannot begin with a digit.
    .replace(/^(?=\d)/, '_')

const quoted = (value: string): string =>
  /^[\w.:/@+=-]*$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value)
}

function withValueAt(value: unknown, [key, ...rest]: readonly string[], next: unknown): unknown {
  if (key === undefined) return next
  return isRecord(value) ? { ...value, [key]: withValueAt(value[key], rest, next) } : value
}

/**
 * Replaces the secrets of a value by variables that the environment file does not have yet. Texts with a reference, and
 * empty ones, stay.
 *
 * @param paths the keys that lead to each secret
 * @param owner first part of the names of the variables
 * @param known the variables of the file. One with the same name and value is used again
 */
export function separateSecrets(
  value: Readonly<Record<string, unknown>>,
  paths: readonly (readonly string[])[],
  owner: string,
  known: Readonly<Record<string, string>>,
): SeparatedSecrets {
  const variables = new Map(Object.entries(known))
  const added: string[] = []
  let result: unknown = { ...value }
  let lines = ''
  for (const path of paths) {
    const secret = valueAt(value, path)
    if (typeof secret !== 'string' || secret === '' || secret.includes('${')) continue
    const base = variableFor(owner, path)
    let name = base
    for (let count = 2; variables.has(name) && variables.get(name) !== secret; count++) name = `${base}_${count}`
    if (!variables.has(name)) {
      lines += `${name}=${quoted(secret)}\n`
      added.push(name)
      variables.set(name, secret)
    }
    result = withValueAt(result, path, `\${${name}}`)
  }
  return { value: result as Record<string, unknown>, lines, added }
}
