// Entries and their registrations come from plugins, so each field is checked and copied before the console uses it.
import type { ConsoleEntry, EntryManifest } from '@mynah/contract/types'
import { withoutSlashes } from './address.js'
import type { RouteMeta, RouteRegistration, ToolRegistration } from './entry-types.js'
import { isRecord } from './errors.js'

const MAX_TEXT = 256
const MAX_DECLARATIONS = 100

/** Returns whether the console can render a value: a component, or an element of the console's own runtime. */
export type IsElement = (value: unknown) => boolean

const text = (what: string, value: unknown): string => {
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_TEXT)
    throw new TypeError(`${what} must be a text of 1 to ${MAX_TEXT} characters`)
  return value
}

function path(what: string, value: unknown): string {
  const route = text(what, value)
  if (!/^\/(?!\/)[^\s\\?#]*$/.test(route))
    throw new TypeError(`${what} must be a path that starts with one "/", not ${JSON.stringify(route)}`)
  return route
}

const optional = <T>(name: string, value: unknown, check: (value: unknown) => T): Record<string, T> =>
  value === undefined || value === null ? {} : { [name]: check(value) }

function typed<T>(what: string, type: 'boolean' | 'number' | 'string') {
  return (value: unknown): T => {
    if (typeof value !== type || (type === 'number' && !Number.isFinite(value)))
      throw new TypeError(`${what} must be a ${type}`)
    return value as T
  }
}

function metaOf(what: string, value: unknown): RouteMeta {
  if (!isRecord(value)) throw new TypeError(`${what} must be an object`)
  return {
    ...optional('hideInMenu', value['hideInMenu'], typed<boolean>(`${what}.hideInMenu`, 'boolean')),
    ...optional('order', value['order'], typed<number>(`${what}.order`, 'number')),
    ...optional('group', value['group'], typed<string>(`${what}.group`, 'string')),
    ...optional('fullWidth', value['fullWidth'], typed<boolean>(`${what}.fullWidth`, 'boolean')),
  }
}

function iconOf(what: string, value: unknown, isElement: IsElement): unknown {
  if (typeof value !== 'string' && !isElement(value))
    throw new TypeError(`${what} must be the name of an icon or an element`)
  return value
}

/**
 * Checks a route that an entry registers.
 *
 * @param declared returns the defaults of the route at a path
 * @throws TypeError that names the invalid field
 */
export function checkRoute(
  given: unknown,
  isElement: IsElement,
  declared: (path: string) => object | undefined = () => undefined,
): RouteRegistration {
  if (!isRecord(given)) throw new TypeError('addRoute takes an object')
  const route = path('addRoute: path', given['path'])
  const value: Record<string, unknown> = {
    ...declared(route),
    ...Object.fromEntries(Object.entries(given).filter(([, field]) => field !== undefined)),
  }
  const what = `addRoute ${route}`
  if (!isElement(value['element'])) {
    const rule = 'an entry must not bundle a copy of react or preact'
    throw new TypeError(`${what}: element must be a component or an element of the console's own react; ${rule}`)
  }
  return {
    path: route,
    name: text(`${what}: name`, value['name']),
    element: value['element'],
    ...optional('icon', value['icon'], (icon) => iconOf(`${what}: icon`, icon, isElement)),
    ...optional('parent', value['parent'], (parent) => text(`${what}: parent`, parent)),
    ...optional('meta', value['meta'], (meta) => metaOf(`${what}: meta`, meta)),
  }
}

/** Checks a tool that an entry registers.
 *
 * @throws TypeError that names the invalid field
 */
export function checkTool(value: unknown, isElement: IsElement): ToolRegistration {
  if (!isRecord(value)) throw new TypeError('addTool takes an object')
  const name = text('addTool: name', value['name'])
  const what = `addTool ${name}`
  return {
    name,
    ...optional('id', value['id'], (id) => text(`${what}: id`, id)),
    ...optional('icon', value['icon'], (icon) => iconOf(`${what}: icon`, icon, isElement)),
    ...optional('parent', value['parent'], (parent) => text(`${what}: parent`, parent)),
    ...optional('path', value['path'], (target) => path(`${what}: path`, target)),
  }
}

const textOrBoth = (what: string, value: unknown): EntryManifest['routes'][number]['name'] =>
  isRecord(value)
    ? { en: text(what, value['en']), ...optional('zh-CN', value['zh-CN'], (other) => text(what, other)) }
    : text(what, value)

/**
 * Returns the known fields of a manifest, or undefined when one of them is invalid. The module is loaded instead then.
 */
function checkManifest(value: unknown): EntryManifest | undefined {
  if (!isRecord(value) || !Array.isArray(value['routes']) || !Array.isArray(value['tools'])) return undefined
  const declaration = (
    item: unknown,
  ): { item: Record<string, unknown>; name: EntryManifest['routes'][number]['name'] } => {
    if (!isRecord(item)) throw new TypeError('manifest: a declaration is an object')
    return { item, name: textOrBoth('manifest: name', item['name']) }
  }
  const named = (item: Record<string, unknown>) => ({
    ...optional('icon', item['icon'], (icon) => text('manifest: icon', icon)),
    ...optional('parent', item['parent'], (parent) => text('manifest: parent', parent)),
  })
  try {
    return {
      routes: value['routes'].slice(0, MAX_DECLARATIONS).map((route: unknown) => {
        const { item, name } = declaration(route)
        return {
          path: path('manifest: path', item['path']),
          name,
          ...named(item),
          ...optional('meta', item['meta'], (meta) => metaOf('manifest: meta', meta)),
        }
      }),
      tools: value['tools'].slice(0, MAX_DECLARATIONS).map((tool: unknown) => {
        const { item, name } = declaration(tool)
        return {
          name,
          ...named(item),
          ...optional('id', item['id'], (id) => text('manifest: id', id)),
          ...optional('path', item['path'], (target) => path('manifest: path', target)),
        }
      }),
    }
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** Checks a list of entries. Drops items without an id, since there is no entry to report an error for. */
export function checkEntries(value: unknown): ConsoleEntry[] {
  const entries = new Map<string, ConsoleEntry>()
  for (const item of Array.isArray(value) ? value : []) {
    if (!isRecord(item) || typeof item['id'] !== 'string' || item['id'] === '') continue
    const { id, resolvedModule, order, enabled, meta } = item
    const { name, version, plugin, manifest } = isRecord(meta) ? meta : {}
    const known = checkManifest(manifest)
    entries.set(id, {
      id,
      resolvedModule: typeof resolvedModule === 'string' ? resolvedModule : '',
      order: typeof order === 'number' && Number.isFinite(order) ? order : 100,
      enabled: enabled !== false,
      meta: {
        name: typeof name === 'string' ? name : id,
        version: typeof version === 'string' ? version : '',
        ...(typeof plugin === 'string' ? { plugin } : {}),
        ...(known ? { manifest: known } : {}),
      },
    })
  }
  return [...entries.values()].sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1))
}

/** Returns the URL of an entry's module. Only paths of the host itself are allowed.
 *
 * @throws TypeError for any other one
 */
export function moduleUrl(assetOrigin: string, resolvedModule: string): string {
  if (!/^\/(?![/\\])[^\\\s#]*$/.test(resolvedModule))
    throw new TypeError(
      `resolvedModule must be a path of the host, not ${JSON.stringify(resolvedModule.slice(0, MAX_TEXT))}`,
    )
  const url = new URL(withoutSlashes(assetOrigin) + resolvedModule)
  if (url.origin !== new URL(assetOrigin).origin) throw new TypeError('resolvedModule leaves the origin of the host')
  return url.href
}
