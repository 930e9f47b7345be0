/**
 * Normalizes the base address of a host to scheme, host, port and path, without a slash at the end.
 *
 * @throws TypeError that explains why the text is no base address
 */
export function normalizeBase(text: string): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new TypeError('The address must begin with http:// or https://')
  if (url.username || url.password) throw new TypeError('The address must not contain a user name or password')
  if (url.search || url.hash) throw new TypeError('The address must not contain ? or #')
  return url.origin + withoutSlashes(url.pathname)
}

/** Removes slashes at the end of a text. */
export function withoutSlashes(text: string): string {
  while (text.endsWith('/')) text = text.slice(0, -1)
  return text
}

/** Returns whether {@link normalizeBase} accepts the text. */
export function isBase(text: string): boolean {
  try {
    return normalizeBase(text) !== ''
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** Splits the key of an operation, such as `'GET /plugins/:name'`. */
export function splitOperation(operation: string): { method: string; path: string } {
  const space = operation.indexOf(' ')
  return { method: operation.slice(0, space), path: operation.slice(space + 1) }
}

/** Fills parameters into a path: `:name` is one segment, `*name` may be several. */
export function fillPath(path: string, params: Readonly<Record<string, unknown>> = {}): string {
  return path.replace(/([:*])(\w+)/g, (_, kind: string, name: string) => {
    const value = params[name]
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new TypeError(`${path}: the parameter "${name}" is missing`)
    const segments = kind === '*' ? String(value).split('/') : [String(value)]
    // URLs resolve these, encoded or not, so that another operation would be called.
    if (segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
      throw new TypeError(`${path}: "${value}" cannot be the parameter "${name}"`)
    return segments.map(encodeURIComponent).join('/')
  })
}

/** Returns `?a=1&b=2`, or an empty string. Omits undefined values. */
export function queryString(query: Readonly<Record<string, unknown>> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.append(name, String(value))
  return search.size ? `?${search}` : ''
}
