// Paths and queries: patterns with `:name`, and addresses put together again.

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

/** The parameters of `path` under `pattern`, or nothing; a part that is not valid percent encoding never matches. */
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

/** First route whose pattern matches; routes without parameters win over those with. */
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

/** `path` with its query: empty values and those equal to their default are left out, so that addresses stay short. */
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

/** Whether a place to return to after signing in is one of ours. */
export function isLocalTarget(target: string): boolean {
  return /^\/(?![/\\])/.test(target) && !target.startsWith('/login')
}
