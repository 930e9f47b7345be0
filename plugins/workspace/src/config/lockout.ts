// One question before every write of the configuration: could the console log in after it?
import { isRecord, WireError } from '@mynah/contract'
import { at, valuesOf } from './values.js'

/** The plugin that the console reaches the host by, as `plugins` names it: short, as a package, or by a path. */
const isServer = (name: string): boolean =>
  name === 'http-core' || name.endsWith('/plugin-http-core') || name.endsWith('/http-core')

/** Names of the plugins that a document enables. */
function enabledIn(values: unknown): string[] {
  const list = at(values, ['plugins'])
  if (!Array.isArray(list)) return []
  return list.flatMap((item: unknown) => {
    if (typeof item === 'string') return [item]
    return isRecord(item) && typeof item.name === 'string' && item.enabled !== false ? [item.name] : []
  })
}

/** Exact origins that a document allows; `undefined` where that depends on variables. */
function originsIn(values: unknown): string[] | undefined {
  const list = at(values, ['http', 'corsOrigins']) ?? []
  if (!Array.isArray(list) || list.some((origin) => typeof origin !== 'string' || origin.includes('${')))
    return undefined
  return list.map((origin) => (origin as string).toLowerCase())
}

const refused = (path: string, message: string): WireError =>
  new WireError('invalid_request:config', `${path} ${message}: the console could not log in after this`, {
    details: [{ path, message }],
  })

/**
 * Throws where a console that can log in with `running` could not with `text`. A token that no header can carry is a mistake of
 * the section `http` itself and found by its check.
 *
 * @param origin Origin of the page that asks for the change, where it is one.
 */
export function assertOpen(text: string, running: string, origin: string | undefined): void {
  const [before, after] = [valuesOf(running), valuesOf(text)]
  if (enabledIn(before).some(isServer) && !enabledIn(after).some(isServer))
    throw refused('plugins', 'must have http-core enabled')
  if (origin === undefined) return
  const [allowed, allowedAfter] = [originsIn(before), originsIn(after)]
  if (allowed?.includes(origin) && allowedAfter && !allowedAfter.includes(origin))
    throw refused('http.corsOrigins', `must keep ${origin}, where this page comes from`)
}
