import { isRecord, WireError } from '@mynah/contract'
import { valueAt, parseYaml } from './values.js'

/** Returns whether a name in `plugins` (short, package or path) is the HTTP server, which the console needs. */
const isServer = (name: string): boolean =>
  name === 'http-core' || name.endsWith('/plugin-http-core') || name.endsWith('/http-core')

/** Returns the names of the enabled plugins. */
function enabledIn(values: unknown): string[] {
  const list = valueAt(values, ['plugins'])
  if (!Array.isArray(list)) return []
  return list.flatMap((item: unknown) => {
    if (typeof item === 'string') return [item]
    return isRecord(item) && typeof item.name === 'string' && item.enabled !== false ? [item.name] : []
  })
}

/** Returns the allowed origins, or `undefined` if they depend on variables. */
function originsIn(values: unknown): string[] | undefined {
  const list = valueAt(values, ['http', 'corsOrigins']) ?? []
  if (!Array.isArray(list) || list.some((origin) => typeof origin !== 'string' || origin.includes('${')))
    return undefined
  return list.map((origin) => (origin as string).toLowerCase())
}

const lockoutError = (path: string, message: string): WireError =>
  new WireError('invalid_request:config', `${path} ${message}: the console could not log in after this`, {
    details: [{ path, message }],
  })

/**
 * Checks that a console that can log in with `running` can also log in with `text`. The check of the section `http` finds
 * tokens that no header can carry.
 *
 * @param origin origin of the page that requests the change, if there is one
 * @throws WireError `invalid_request:config`
 */
export function assertNotLockedOut(text: string, running: string, origin: string | undefined): void {
  const [before, after] = [parseYaml(running), parseYaml(text)]
  if (enabledIn(before).some(isServer) && !enabledIn(after).some(isServer))
    throw lockoutError('plugins', 'must have http-core enabled')
  if (origin === undefined) return
  const [allowed, allowedAfter] = [originsIn(before), originsIn(after)]
  if (allowed?.includes(origin) && allowedAfter && !allowedAfter.includes(origin))
    throw lockoutError('http.corsOrigins', `must keep ${origin}, the origin of this page`)
}
