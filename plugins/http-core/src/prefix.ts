// Whether a path could be read as standing below the management prefix, whatever way it is spelled.

const MAX_DECODINGS = 4

const isBelow = (path: string, prefix: string): boolean =>
  path === prefix || (path.startsWith(prefix) && path.charCodeAt(prefix.length) === 47)

/** Percent sequences byte by byte: the prefix is ASCII, so nothing else matters. */
const decode = (path: string): string =>
  path.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Slashes made one and forward, dot segments walked, what follows a semicolon dropped. */
function walk(path: string): string {
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
 * Whether `path` stands below `prefix` as it is written, or would after any decoding that a proxy or a later reader might do.
 * Such a path needs a bearer even where no route answers it.
 */
export function couldResolveUnder(path: string, prefix: string): boolean {
  if (isBelow(path, prefix)) return true
  if (!/[%\\;]|\/\/|\/\./.test(path)) return false
  let form = path
  for (let round = 0; round <= MAX_DECODINGS; round++) {
    if (isBelow(form, prefix) || isBelow(walk(form), prefix)) return true
    const decoded = decode(form)
    if (decoded === form) return false
    form = decoded
  }
  return true
}
