// Plugins as rows, their states as shapes, their schema as a table.
import type { PluginDetail, PluginItem } from '@mynah/contract/types'
import type { EntryState } from '@mynah/sdk'
import { pageNumber, pageOf, type ListPage } from '../../lib/page-of.js'
import type { Tone } from '../../ui/badge.js'

export const PAGE_SIZE = 50

/** How many things a plugin contributes. */
export const featureCount = (plugin: PluginItem): number => plugin.features.reduce((sum, feature) => sum + feature.count, 0)

/** Plugins of a query. */
export function pluginPage(all: readonly PluginItem[], query: Readonly<Record<string, string>>): ListPage<PluginItem> {
  const { status = '', filter = '', page = '1', sort = '' } = query
  return pageOf(status ? all.filter((plugin) => plugin.status === status) : all, {
    filter, page: pageNumber(page), pageSize: PAGE_SIZE, sort,
    text: (plugin) => [plugin.name, plugin.description, ...plugin.features.map((feature) => feature.name)].join('\n'),
    by: { name: (plugin) => plugin.name, status: (plugin) => plugin.status, features: featureCount },
  })
}

type Shape = 'full' | 'half' | 'ring'

/** A state of the kernel as tone and shape. */
export function stateBadge(state: PluginDetail['state']): { readonly tone: Tone; readonly shape: Shape } {
  switch (state) {
    case 'active': return { tone: 'ok', shape: 'full' }
    case 'degraded': return { tone: 'warn', shape: 'full' }
    case 'failed': return { tone: 'err', shape: 'ring' }
    case 'disabled': return { tone: 'plain', shape: 'ring' }
    default: return { tone: 'warn', shape: 'half' }
  }
}

export interface SchemaRow {
  readonly path: string
  readonly type: string
  readonly required: boolean
  readonly fallback?: string
  readonly description?: string
}

type Json = Record<string, unknown>
const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const MAX_ROWS = 500
const MAX_DEPTH = 8

function typeOf(schema: Json): string {
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ')
  if ('const' in schema) return JSON.stringify(schema['const'])
  const union = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(union)) return [...new Set(union.filter(isRecord).map(typeOf))].join(' | ')
  if (schema['type'] === 'array') return `${isRecord(schema['items']) ? typeOf(schema['items']) : 'unknown'}[]`
  if (Array.isArray(schema['type'])) return schema['type'].join(' | ')
  return typeof schema['type'] === 'string' ? schema['type'] : 'unknown'
}

/** The keys of a JSON Schema, nested ones by their path; `[]` stands for each item of a list, `*` for any further key. */
export function schemaRows(schema: unknown): SchemaRow[] {
  const rows: SchemaRow[] = []
  const walk = (node: Json, path: string, depth: number): void => {
    if (depth > MAX_DEPTH) return
    const required = Array.isArray(node['required']) ? node['required'] : []
    const extra = isRecord(node['additionalProperties']) ? { '*': node['additionalProperties'] } : {}
    const patterns = isRecord(node['patternProperties']) ? { '*': Object.values(node['patternProperties'])[0] } : {}
    for (const [key, value] of Object.entries({ ...(isRecord(node['properties']) ? node['properties'] : {}), ...patterns, ...extra })) {
      if (!isRecord(value) || rows.length >= MAX_ROWS) continue
      const own = path ? `${path}.${key}` : key
      rows.push({
        path: own, type: typeOf(value), required: required.includes(key),
        ...('default' in value ? { fallback: JSON.stringify(value['default']) } : {}),
        ...(typeof value['description'] === 'string' ? { description: value['description'] } : {}),
      })
      descend(value, own, depth)
    }
  }
  const descend = (value: Json, path: string, depth: number): void => {
    walk(value, path, depth + 1)
    if (isRecord(value['items'])) descend(value['items'], `${path}[]`, depth + 1)
  }
  if (isRecord(schema)) descend(schema, '', 0)
  return rows
}

/** Console entries that a plugin brought: those named after it. */
export function entriesOf(plugin: string, states: readonly EntryState[]): EntryState[] {
  return states.filter((state) => state.id === plugin || state.entry.meta.name === plugin || `adapter-${state.id}` === plugin || `plugin-${state.id}` === plugin)
}
