import type { PackagePlan } from '@mynah/contract/types'

/** The part of the configuration that limits installing. */
export interface InstallPolicy {
  readonly install: 'off' | 'ask'
  /** Names of packages, with `*` for any part. Without it, all may be installed. */
  readonly allow?: readonly string[] | undefined
  readonly scripts: 'never' | 'ask'
}

/** Returns why the configuration refuses a plan. */
export function refusalsOf({ changes, action }: PackagePlan, { allow, scripts }: InstallPolicy): string[] {
  if (action === 'remove' || action === 'rollback') return []
  const named = changes.filter(({ asked, to }) => asked && to !== undefined)
  const strangers = allow ? named.filter(({ name }) => !allow.some((pattern) => matches(pattern, name))) : []
  const built = scripts === 'never' ? changes.filter(({ script }) => script === true) : []
  return [
    ...strangers.map(({ name }) => `marketplace.allow does not name ${name}`),
    ...built.map(({ name }) => `${name} has an install script, and marketplace.scripts is "never"`),
  ]
}

/** Returns whether a name is a pattern, in which `*` stands for any characters. Takes linear time. */
function matches(pattern: string, name: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  if (parts.length === 0) return pattern === name
  if (!name.startsWith(first)) return false
  const last = parts.pop() ?? ''
  let at = first.length
  for (const part of parts) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
