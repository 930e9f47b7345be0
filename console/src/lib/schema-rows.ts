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

/**
 * The keys of a JSON Schema, nested ones by their path; `[]` stands for each item of a list, `*` for any further key.
 */
export function schemaRows(schema: unknown): SchemaRow[] {
  const rows: SchemaRow[] = []
  const walk = (node: Json, path: string, depth: number): void => {
    if (depth > MAX_DEPTH) return
    const required = Array.isArray(node['required']) ? node['required'] : []
    const extra = isRecord(node['additionalProperties']) ? { '*': node['additionalProperties'] } : {}
    const patterns = isRecord(node['patternProperties']) ? { '*': Object.values(node['patternProperties'])[0] } : {}
    for (const [key, value] of Object.entries({
      ...(isRecord(node['properties']) ? node['properties'] : {}),
      ...patterns,
      ...extra,
    })) {
      if (!isRecord(value) || rows.length >= MAX_ROWS) continue
      const own = path ? `${path}.${key}` : key
      rows.push({
        path: own,
        type: typeOf(value),
        required: required.includes(key),
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
