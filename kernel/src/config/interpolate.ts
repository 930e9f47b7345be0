import type { ConfigDocument, Section } from './document.js'
import { joinPath } from './key-path.js'
import type { Environment } from './environment.js'
import { problem, type Problem } from './problem.js'

const REFERENCE = /\$\$\{|\$\{([^}]*)(\}|$)/g
const NAMED = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/

export interface Interpolated {
  readonly values: Section
  /** Paths of the strings that contain values of variables. */
  readonly touched: ReadonlySet<string>
  /** Paths of the strings that name a missing variable. */
  readonly unset: ReadonlySet<string>
  readonly problems: readonly Problem[]
}

/**
 * Replaces `${NAME}`, `${NAME:-default}` and `$${` in strings. Changes a copy; there are no other expressions.
 *
 * @param mayBeUnset returns whether the key at a path counts as absent when its variable is not set
 */
export function interpolate(
  document: ConfigDocument,
  env: Environment,
  mayBeUnset: (path: string) => boolean = () => false,
): Interpolated {
  const touched = new Set<string>()
  const unset = new Set<string>()
  const missing = new Map<string, Set<string>>()
  const problems: Problem[] = []

  const text = (value: string, path: string): string | undefined => {
    let absent = false
    const result = value.replace(REFERENCE, (whole, inside: string | undefined, end: string) => {
      if (whole === '$${') return '${'
      const named = end ? NAMED.exec(inside as string) : null
      if (!named) {
        const forms = 'neither ${NAME} nor ${NAME:-default}; write $${ for a literal ${'
        const message = `${path}: "${whole.slice(0, 40)}" is ${forms}`
        problems.push(problem('fatal', 'config/syntax', message, document.place(path)))
        return whole
      }
      const [, name, fallback] = named as unknown as [string, string, string | undefined]
      const set = Object.hasOwn(env, name) ? env[name] : undefined
      touched.add(path)
      if (fallback !== undefined) return set || fallback
      if (set !== undefined) return set
      absent = true
      if (!mayBeUnset(path)) missing.set(name, (missing.get(name) ?? new Set()).add(path))
      return whole
    })
    if (absent) unset.add(path)
    return absent && mayBeUnset(path) ? undefined : result
  }
  const walk = (value: unknown, path: string): unknown => {
    if (typeof value === 'string') return value.includes('${') ? text(value, path) : value
    if (Array.isArray(value))
      return value.map((item, index) => walk(item, joinPath(path, index))).filter((item) => item !== undefined)
    if (typeof value !== 'object' || value === null) return value
    const result: Section = {}
    for (const [key, inner] of Object.entries(value)) {
      const walked = walk(inner, joinPath(path, key))
      if (walked !== undefined) result[key] = walked
    }
    return result
  }
  const values = walk(document.source, '') as Section
  for (const [name, paths] of missing) {
    const places = Array.from(paths, (path) => {
      const { line } = document.place(path)
      return line === undefined ? path : `${path} (line ${line})`
    })
    problems.push(
      problem(
        'fatal',
        'config/missing-variable',
        `the variable ${name} is not set; used by ${places.join(', ')}`,
        document.place(Array.from(paths)[0] as string),
      ),
    )
  }
  return { values, touched, unset, problems }
}
