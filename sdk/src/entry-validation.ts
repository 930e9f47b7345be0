// Entries and what they register come from plugins: each is checked and copied field by field before the console uses it.
import type { ConsoleEntry, EntryManifest } from '@mynah/contract/types'
import { withoutSlashes } from './address.js'
import type { RouteMeta, RouteRegistration, ToolRegistration } from './entry-types.js'
import { isRecord } from './errors.js'

const MAX_TEXT = 256
const MAX_PLACES = 100

/** Whether a value can be rendered by the console: a component, or an element made by the console's own runtime. */
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

/** The route that an entry registers, checked; what it leaves out is what `declared` says of that path. */
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
    throw new TypeError(
      `${what}: element must be a component or an element of the console's own react; an entry must not bundle a copy of react or preact`,
    )
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

/** The tool that an entry registers, checked. */
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

/** What stands in a manifest, with nothing in it but what may; `undefined` where any of it is not what it should be: the module is then loaded and asked. */
function checkManifest(value: unknown): EntryManifest | undefined {
  if (!isRecord(value) || !Array.isArray(value['routes']) || !Array.isArray(value['tools'])) return undefined
  const place = (item: unknown): { item: Record<string, unknown>; name: EntryManifest['routes'][number]['name'] } => {
    if (!isRecord(item)) throw new TypeError('manifest: a place is an object')
    return { item, name: textOrBoth('manifest: name', item['name']) }
  }
  const named = (item: Record<string, unknown>) => ({
    ...optional('icon', item['icon'], (icon) => text('manifest: icon', icon)),
    ...optional('parent', item['parent'], (parent) => text('manifest: parent', parent)),
  })
  try {
    return {
      routes: value['routes'].slice(0, MAX_PLACES).map((route: unknown) => {
        const { item, name } = place(route)
        return {
          path: path('manifest: path', item['path']),
          name,
          ...named(item),
          ...optional('meta', item['meta'], (meta) => metaOf('manifest: meta', meta)),
        }
      }),
      tools: value['tools'].slice(0, MAX_PLACES).map((tool: unknown) => {
        const { item, name } = place(tool)
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

/** The entries of a list, checked; one that is none is left out, since without an id nothing can be said of it. */
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

/** The address of an entry's module. Only paths of the host itself are: what an entry loads may not be chosen elsewhere. */
export function moduleUrl(assetOrigin: string, resolvedModule: string): string {
  if (!/^\/(?![/\\])[^\\\s#]*$/.test(resolvedModule))
    throw new TypeError(
      `resolvedModule must be a path of the host, not ${JSON.stringify(resolvedModule.slice(0, MAX_TEXT))}`,
    )
  const url = new URL(withoutSlashes(assetOrigin) + resolvedModule)
  if (url.origin !== new URL(assetOrigin).origin) throw new TypeError('resolvedModule leaves the origin of the host')
  return url.href
}
