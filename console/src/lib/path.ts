export interface Match<T> {
  readonly route: T
  readonly params: Readonly<Record<string, string>>
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/**
 * Returns the parameters of `path`, or undefined if `pattern` does not match. Invalid percent encoding never matches.
 */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/').filter(Boolean)
  const given = path.split('/').filter(Boolean)
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = decode(given[index] ?? '')
    if (value === undefined) return undefined
    if (part.startsWith(':')) params[part.slice(1)] = value
    else if (part !== value) return undefined
  }
  return params
}

/** Returns the first route whose pattern matches; routes without parameters win over those with. */
export function findRoute<T extends { readonly path: string }>(
  routes: readonly T[],
  path: string,
): Match<T> | undefined {
  const fixedFirst = [...routes].sort((a, b) => Number(a.path.includes(':')) - Number(b.path.includes(':')))
  for (const route of fixedFirst) {
    const params = matchPath(route.path, path)
    if (params) return { route, params }
  }
  return undefined
}

/** Returns `path` with its query, without empty and default values. */
export function address(
  path: string,
  query: Readonly<Record<string, string>>,
  defaults: Readonly<Record<string, string>> = {},
): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== '' && value !== (defaults[name] ?? '')) search.set(name, value)
  }
  const text = search.toString()
  return text ? `${path}?${text}` : path
}

/** Returns whether a return path after signing in is a page of the console. */
export function isLocalTarget(target: string): boolean {
  return /^\/(?![/\\])/.test(target) && !target.startsWith('/login')
}
