import * as contract from '@mynah/contract'

type Json = Record<string, unknown>

const isSchema = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && ['type', 'anyOf', 'enum'].some((keyword) => keyword in value)

// Keyed by identity, so that equal shapes of different meaning stay separate components.
const names = new Map<object, string>()
for (const [name, value] of Object.entries(contract)) if (isSchema(value) && !names.has(value)) names.set(value, name)

/** Schema of every failure. */
const FAILURE = {
  type: 'object',
  required: ['success', 'error', 'code'],
  properties: {
    success: { type: 'boolean', const: false },
    error: { type: 'string', description: 'Error message in English' },
    code: { type: 'string', description: 'Stable code, optionally refined after a colon' },
    details: {
      type: 'array',
      description: 'The invalid fields of a request',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
    data: { description: 'Additional data of the failure' },
    requestId: { type: 'number', description: 'The correlation id of an RPC request' },
  },
  examples: [{ success: false, error: 'Not found', code: 'not_found' }],
}

/** Collects the components that a document refers to. */
export class Components {
  readonly schemas: Record<string, unknown> = { Failure: FAILURE }

  /** Returns the schema as it appears in the document. Schemas with a name become references. */
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

  /**
   * Copies a schema without the keywords that only forms use. Examples and defaults are values, even if they look like
   * schemas.
   */
  #copy(schema: Json): Json {
    const copy: Json = {}
    for (const [keyword, value] of Object.entries(schema)) {
      if (
        keyword.startsWith('~') ||
        keyword === 'secret' ||
        keyword === 'restart' ||
        keyword === 'widget' ||
        keyword === 'basic'
      )
        continue
      copy[keyword] = ['examples', 'default', 'const', 'enum', 'example'].includes(keyword) ? value : this.schema(value)
    }
    return copy
  }
}
