// Schemas as components: those that the contract exports keep their names and are referred to.
import * as contract from '@mynah/contract'

type Json = Record<string, unknown>

const isSchema = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && ['type', 'anyOf', 'enum'].some((keyword) => keyword in value)

// By identity: equal shapes of different meaning stay apart.
const names = new Map<object, string>()
for (const [name, value] of Object.entries(contract)) if (isSchema(value) && !names.has(value)) names.set(value, name)

/** What every failure looks like. */
export const FAILURE = {
  type: 'object',
  required: ['success', 'error', 'code'],
  properties: {
    success: { type: 'boolean', const: false },
    error: { type: 'string', description: 'What went wrong, in English' },
    code: { type: 'string', description: 'Stable code, refined after a colon or not' },
    details: {
      type: 'array',
      description: 'The mistakes of a request',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
    data: { description: 'What stands in for the answer, where there is something' },
    requestId: { type: 'number', description: 'The correlation id of an RPC request' },
  },
  examples: [{ success: false, error: 'Nothing is at this address', code: 'not_found' }],
}

/** Collects the components that a document refers to. */
export class Components {
  readonly schemas: Record<string, unknown> = { Failure: FAILURE }

  /** The schema as it stands in the document: named ones by reference. */
  schema(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.schema(item))
    if (typeof value !== 'object' || value === null) return value
    const name = names.get(value)
    if (name === undefined) return this.#copy(value as Json)
    if (!(name in this.schemas)) {
      this.schemas[name] = {}
      this.schemas[name] = this.#copy(value as Json)
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  /** Own keywords have their say in forms, not here. Examples and defaults are values, whatever they look like. */
  #copy(schema: Json): Json {
    const copy: Json = {}
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword.startsWith('~') || keyword === 'secret' || keyword === 'restart' || keyword === 'widget') continue
      copy[keyword] = ['examples', 'default', 'const', 'enum', 'example'].includes(keyword) ? value : this.schema(value)
    }
    return copy
  }
}
