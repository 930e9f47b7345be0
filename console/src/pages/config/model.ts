export type Json = Readonly<Record<string, unknown>>
export type Path = readonly (string | number)[]

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export interface Section {
  /** Path of the claim, as `http` or `ai.agent`. */
  readonly key: string
  readonly plugin: string | undefined
  readonly schema: Json | undefined
}

const last = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/** Returns one section per claim, sorted by name, then unclaimed keys. */
export function sectionsOf(
  config: Json,
  aliases: Readonly<Record<string, string>>,
  schemas: Readonly<Record<string, unknown>>,
): { readonly claimed: Section[]; readonly unclaimed: Section[] } {
  const claimed: Section[] = []
  for (const [plugin, path] of Object.entries(aliases)) {
    const schema = isRecord(schemas[plugin]) ? schemas[plugin] : undefined
    const properties = isRecord(schema?.['properties']) ? schema['properties'] : {}
    // A plugin with several claims has one schema of which each property is a claim.
    const claimsProperties =
      Object.hasOwn(properties, path) ||
      (Object.hasOwn(properties, last(path)) && schema?.['additionalProperties'] !== false)
    const parts = claimsProperties ? Object.keys(properties) : undefined
    if (!parts) claimed.push({ key: path, plugin, schema })
    else
      for (const part of parts)
        claimed.push({ key: part, plugin, schema: isRecord(properties[part]) ? properties[part] : undefined })
  }
  const known = new Set(claimed.map((section) => section.key.split('.', 1)[0]))
  const unclaimed = Object.keys(config)
    .filter((key) => !known.has(key))
    .map((key) => ({ key, plugin: undefined, schema: undefined }))
  return { claimed: claimed.sort((a, b) => a.key.localeCompare(b.key)), unclaimed }
}

/** The path of the one setting of a section, below its key, or undefined if it has several. */
function onlySetting(schema: Json | undefined): Path | undefined {
  if (schema === undefined || schema['type'] === 'array') return undefined
  const properties = isRecord(schema['properties']) ? Object.entries(schema['properties']) : []
  // A map has as many settings as keys.
  if (properties.length === 0) return schema['type'] === 'object' || 'patternProperties' in schema ? undefined : []
  const [name, inner] = properties[0] ?? ['', undefined]
  const rest = properties.length === 1 && isRecord(inner) ? onlySetting(inner) : undefined
  return rest && [name, ...rest]
}

/** A section of one setting, shown in the section above it. */
export interface Folded extends Section {
  /** Below the key of the section. */
  readonly path: Path
}

export interface ShownSection extends Section {
  readonly folded: readonly Folded[]
}

/** Returns the sections with those of one setting folded into the nearest one above. */
export function foldSections(claimed: readonly Section[]): ShownSection[] {
  const above = (key: string): Section | undefined =>
    claimed
      .filter((section) => key.startsWith(`${section.key}.`) && onlySetting(section.schema) === undefined)
      .sort((a, b) => b.key.length - a.key.length)[0]
  const folded = new Map<string, Folded[]>()
  const own = claimed.filter((section) => {
    const path = onlySetting(section.schema)
    const parent = path && above(section.key)
    if (!parent) return true
    folded.set(parent.key, [...(folded.get(parent.key) ?? []), { ...section, path }])
    return false
  })
  return own.map((section) => ({ ...section, folded: folded.get(section.key) ?? [] }))
}

/** The sections whose values a shown section has: its own and the folded ones. */
export const keysOf = ({ key, folded }: ShownSection): string[] => [key, ...folded.map((section) => section.key)]

/** Finds the section that an address names: by key, by plugin, else the first one below that key. */
export const namedSection = (all: readonly ShownSection[], name: string): ShownSection | undefined =>
  name === ''
    ? undefined
    : (all.find((section) => keysOf(section).includes(name)) ??
      all.find((section) => section.plugin === name) ??
      all.find((section) => section.key.startsWith(`${name}.`)))

export const keyPath = (key: string): Path => key.split('.')

export function getIn(value: unknown, path: Path): unknown {
  let current = value
  for (const part of path) {
    if (Array.isArray(current) && typeof part === 'number') current = current[part]
    else if (isRecord(current) && Object.hasOwn(current, String(part))) current = current[String(part)]
    else return undefined
  }
  return current
}

/** Returns `value` with the value at `path` replaced, or removed if undefined. */
export function setIn(value: unknown, path: Path, next: unknown): unknown {
  const [head, ...rest] = path
  if (head === undefined) return next
  if (typeof head === 'number') {
    const list = Array.isArray(value) ? [...(value as unknown[])] : []
    if (rest.length === 0 && next === undefined) list.splice(head, 1)
    else list[head] = setIn(list[head], rest, next)
    return list
  }
  const record: Record<string, unknown> = isRecord(value) ? { ...value } : {}
  const inner = setIn(Object.hasOwn(record, head) ? record[head] : undefined, rest, next)
  if (inner === undefined) delete record[head]
  else record[head] = inner
  return record
}

export function equal(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => equal(item, b[index]))
  if (!isRecord(a) || !isRecord(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]))
}

export interface Change {
  readonly path: Path
  readonly before: unknown
  readonly after: unknown
}

/** Returns the differences of two values. Records are compared deeply, lists as a whole. */
export function changesOf(before: unknown, after: unknown, path: Path = []): Change[] {
  if (equal(before, after)) return []
  if (isRecord(before) && isRecord(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      changesOf(before[key], after[key], [...path, key]),
    )
  }
  return [{ path, before, after }]
}

/** Returns a value in one line, as a hint shows it. */
export function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** Returns the names of the variables that a text takes from the environment. */
export function variablesOf(value: unknown): string[] {
  return typeof value === 'string' && value.length < 4096
    ? [...value.matchAll(/(?<!\$)\$\{([A-Za-z_]\w*)[^}]*\}/g)].map((match) => match[1] ?? '')
    : []
}
