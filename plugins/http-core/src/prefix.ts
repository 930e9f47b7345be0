const MAX_DECODINGS = 4

const isBelow = (path: string, prefix: string): boolean =>
  path === prefix || (path.startsWith(prefix) && path.charCodeAt(prefix.length) === 47)

/** Decodes percent sequences byte by byte, which is enough because the prefix is ASCII. */
const decode = (path: string): string =>
  path.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Collapses slashes, resolves dot segments, and removes parameters after semicolons. */
function normalize(path: string): string {
  const segments: string[] = []
  for (const segment of path.replaceAll('\\', '/').split('/')) {
    const name = segment.split(';', 1)[0] as string
    if (name === '' || name === '.') continue
    if (name === '..') segments.pop()
    else segments.push(name)
  }
  return `/${segments.join('/')}`
}

/**
 * Returns whether `path` lies below `prefix`, as written or after any decoding that a proxy or a later reader might apply.
 * Such a path requires a bearer token even if no route matches it.
 */
export function couldResolveUnder(path: string, prefix: string): boolean {
  if (isBelow(path, prefix)) return true
  if (!/[%\\;]|\/\/|\/\./.test(path)) return false
  let form = path
  for (let round = 0; round <= MAX_DECODINGS; round++) {
    if (isBelow(form, prefix) || isBelow(normalize(form), prefix)) return true
    const decoded = decode(form)
    if (decoded === form) return false
    form = decoded
  }
  return true
}
