// Reads the schema of a tool as servers, files and plugins send it. Keywords with a plain meaning are repaired: those
// of drafts before 2020 and of OpenAPI, and empty values of PHP. Others make the tool unusable, with the path to the
// mistake. The result is one schema of draft 2020 for the model and for the check of its input.
import { isRecord, isShallow } from '@mynah/contract'
import { assertBounded } from './bounds.js'
import { asDraft2020 } from './drafts.js'
import { booleanOf, listOf, mapOf, quoted, readKeyword, typesOf } from './keywords.js'
import { join } from './path.js'
import { assertPossible } from './possible.js'
import { References } from './references.js'
import type { Schema } from './schema.js'
import { flattenTopLevel } from './top-level.js'
import { agreed } from './types.js'
import { UnusableSchema } from './unusable-schema.js'

const MAX_CHARS = 131_072
const MAX_DEPTH = 64
/** Schemas in a result, which has those that are referred to twice: at their place and among the definitions. */
const MAX_SCHEMAS = 20_000
/** The check of a definition is compiled within that of another one, as far as the stack goes. */
const MAX_DEFINITIONS = 200
/** The compiled checks of the schemas of one keyword are nested, too. */
const MAX_MEMBERS = 1_000
/** References from one to the next at the top. */
const MAX_HOPS = 16

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const SCHEMAS = words(
  'items additionalProperties unevaluatedProperties unevaluatedItems propertyNames contains not if then else',
)
const LISTS = words('allOf anyOf prefixItems')
const MAPS = words('properties patternProperties dependentSchemas')
/** Keywords that are checked with fewer values than their author means, or not at all. */
const INEXACT = /"(?:\$ref|format|pattern|patternProperties|contentEncoding|contentMediaType)":/

const finished = new WeakSet<object>()

/**
 * Returns the schema of a tool in the form in which models get it and input is checked against it. A result of this
 * function is returned as it is.
 *
 * @throws UnusableSchema
 */
export function readToolSchema(raw: unknown): Schema {
  if (isRecord(raw) && finished.has(raw)) return raw
  if (!isShallow(raw, MAX_DEPTH)) throw new UnusableSchema('', `is nested deeper than ${MAX_DEPTH} levels`)
  const document: unknown = JSON.parse(bounded(JSON.stringify(raw) ?? 'null'))
  // PHP writes an empty object as an empty list.
  if (!isRecord(document) && !(Array.isArray(document) && document.length === 0))
    throw new UnusableSchema('', 'must be the JSON Schema of an object')
  const schema = new Reading({ ...document }).whole()
  bounded(JSON.stringify(schema))
  finished.add(schema)
  return schema
}

function bounded(text: string): string {
  if (text.length > MAX_CHARS)
    throw new UnusableSchema('', `is ${text.length} characters long; at most ${MAX_CHARS} are taken`)
  return text
}

/** One reading of one document. */
class Reading {
  readonly #document: Schema
  readonly #references: References
  /** Names of the schemas that are referred to. */
  readonly #names = new Map<Schema | boolean, string>()
  #schemas = 0

  constructor(document: Schema) {
    this.#document = document
    this.#references = new References(document)
  }

  whole(): Schema {
    const { type, nullable: _, 'x-nullable': __, ...top } = this.#top()
    const types = typesOf(type, 'type')
    if (types && !types.includes('object')) throw new UnusableSchema('', 'must be the JSON Schema of an object')
    const { properties = {}, ...read } = this.#object(top, '')
    const definitions = new Map<string, Schema | boolean>()
    // Reading a definition may find more.
    for (const [target, name] of this.#names) definitions.set(name, this.#schema(target, `$defs.${name}`))
    const schema = {
      type: 'object',
      properties,
      ...read,
      ...(definitions.size ? { $defs: Object.fromEntries(definitions) } : {}),
    }
    assertBounded(schema)
    const flat = flattenTopLevel(schema)
    assertPossible(flat)
    return flat
  }

  /** Returns the top of the document, or the definition that it refers to. */
  #top(): Schema {
    let node = this.#document
    let top = node
    for (let hops = 0; typeof node['$ref'] === 'string'; hops++) {
      const target = this.#references.find(node['$ref'], node)
      if (target === node || hops >= MAX_HOPS) throw new UnusableSchema('', 'refers to itself without end')
      if (!isRecord(target)) throw missing('$ref', node['$ref'])
      const { $ref: _, ...rest } = top
      top = { ...target, ...rest }
      node = target
    }
    return top
  }

  #schema(raw: unknown, path: string): Schema | boolean {
    if (++this.#schemas > MAX_SCHEMAS) throw new UnusableSchema('', `has more than ${MAX_SCHEMAS} parts`)
    if (isRecord(raw)) return this.#object(raw, path)
    if (raw === null || (Array.isArray(raw) && raw.length === 0)) return {}
    const flag = booleanOf(raw)
    if (flag === undefined && typeof raw !== 'string') throw new UnusableSchema(path, 'is not a schema')
    return flag ?? this.#object({ type: raw }, path)
  }

  #object(raw: Schema, path: string): Schema {
    const read = new Map<string, unknown>()
    for (const [keyword, value] of Object.entries(asDraft2020(raw, path))) {
      if (value === null && keyword !== 'const' && keyword !== 'default') continue
      const result =
        keyword === '$ref' ? this.#reference(value, join(path, '$ref'), raw) : this.#keyword(keyword, value, path)
      if (result !== undefined) read.set(keyword, result)
    }
    const required = [...((read.get('required') ?? []) as readonly string[]), ...flaggedIn(raw['properties'])]
    if (required.length) read.set('required', [...new Set(required)])
    else read.delete('required')
    // Both are right only where nothing in them was left out.
    if (read.has('not') && !isExact(raw['not'], read.get('not'))) read.delete('not')
    if (!read.has('if') || !isExact(raw['if'], read.get('if')))
      for (const keyword of ['if', 'then', 'else']) read.delete(keyword)
    return agreed(Object.fromEntries(read), booleanOf(raw['nullable'] ?? raw['x-nullable']) === true)
  }

  #keyword(keyword: string, value: unknown, around: string): unknown {
    const path = join(around, keyword)
    if (SCHEMAS.has(keyword)) return this.#schema(value, path)
    if (LISTS.has(keyword)) return this.#list(value, path)
    return MAPS.has(keyword) ? this.#map(value, path) : readKeyword(keyword, value, path)
  }

  #list(value: unknown, path: string): unknown {
    const schemas = isRecord(value) && ('type' in value || '$ref' in value) ? [value] : listOf(value, path)
    assertFew(schemas, path)
    return schemas.length ? schemas.map((schema, index) => this.#schema(schema, join(path, String(index)))) : undefined
  }

  #map(value: unknown, path: string): Schema {
    const schemas = Object.entries(mapOf(value, path))
    assertFew(schemas, path)
    return Object.fromEntries(schemas.map(([name, schema]) => [name, this.#schema(schema, join(path, name))]))
  }

  #reference(reference: unknown, path: string, node: Schema): string {
    const target = typeof reference === 'string' ? this.#references.find(reference, node) : undefined
    if (target === undefined) throw missing(path, reference)
    if (target === this.#document) return '#'
    let name = this.#names.get(target)
    if (name === undefined) {
      if (this.#names.size >= MAX_DEFINITIONS)
        throw new UnusableSchema('', `refers to more than ${MAX_DEFINITIONS} schemas`)
      const written = String(reference).split(/[/#]/).at(-1) ?? ''
      const plain = written.replace(/[^\w.-]/g, '_').slice(0, 64) || 'schema'
      name = Array.from(this.#names.values()).includes(plain) ? `${plain}_${this.#names.size}` : plain
      this.#names.set(target, name)
    }
    return `#/$defs/${name}`
  }
}

/** Returns the properties that say of themselves that they are required, as in draft 3. */
const flaggedIn = (properties: unknown): string[] =>
  isRecord(properties) || Array.isArray(properties)
    ? Object.entries(mapOf(properties, 'properties')).flatMap(([name, property]) =>
        isRecord(property) && booleanOf(property['required']) ? [name] : [],
      )
    : []

const isExact = (written: unknown, read: unknown): boolean => {
  const text = JSON.stringify(read)
  return text === JSON.stringify(written) && !INEXACT.test(text)
}

function assertFew(schemas: readonly unknown[], path: string): void {
  if (schemas.length > MAX_MEMBERS) throw new UnusableSchema(path, `has more than ${MAX_MEMBERS} schemas`)
}

const missing = (path: string, reference: unknown): UnusableSchema =>
  new UnusableSchema(path, `is ${quoted(reference)}, which is not in the schema`)
