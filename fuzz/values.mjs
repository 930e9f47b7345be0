// Creates values for a schema: valid, nearly valid, and random ones.
import { mutate, randomJson } from '@mynah/plugin-chat/testing'

const WORDS = [
  'a',
  'sandbox',
  'alice',
  'general',
  'notes',
  'settings',
  'message',
  'log',
  'http',
  'chat',
  'mynah.config.yml',
  '.env',
  '../x',
  'notes.txt',
  'id',
  '2026-01-01',
  '0 8 * * *',
  '__proto__',
  'constructor',
  '',
  ' ',
  '\u0000',
  '\ud800',
  '%',
  '%00',
  '${HTTP_TOKEN}',
  '<script>',
  "'; DROP TABLE log; --",
  '/help',
  '-1',
  '1e9',
  'x'.repeat(300),
]
/** Returns text of a length that patterns and parsers may fail on. */
const LONG = [
  (length) => 'a'.repeat(length),
  (length) => ' '.repeat(length),
  (length) => '\n'.repeat(length),
  (length) => 'a:\n'.repeat(length / 3),
  (length) => '['.repeat(length),
  (length) => '&a [*a,'.repeat(length / 7),
  (length) => '![](http://'.repeat(length / 11),
  (length) => '🐦'.repeat(length / 2),
  (length) => '"\\'.repeat(length / 2),
  (length) => '- '.repeat(length / 2),
  (length) => '/'.repeat(length),
  (length) => '\u0301'.repeat(length),
  (length) => 'https://x:'.repeat(length / 10),
  (length) => '{'.repeat(length),
  (length) => '#'.repeat(length),
]

/** Creates values from one random source, with the components of a document. */
export class Values {
  #chance
  #components

  constructor(chance, components = {}) {
    this.#chance = chance
    this.#components = components
  }

  /** Returns a value for `schema`, mostly a valid one. */
  of(schema, depth = 4) {
    const chance = this.#chance
    const value = this.#fitting(schema ?? {}, depth)
    return chance.below(8) ? value : mutate(chance, value)
  }

  long() {
    const chance = this.#chance
    return chance.pick(LONG)(chance.pick([1_000, 20_000, 60_000, 250_000, 900_000]))
  }

  text(schema = {}) {
    const chance = this.#chance
    const { minLength = 0, maxLength = Infinity, pattern } = schema
    if (chance.below(60) === 0) return this.long().slice(0, chance.below(2) ? maxLength : Infinity)
    const text = pattern && chance.below(2) ? 'abc' : chance.pick(WORDS)
    return text.slice(0, maxLength).padEnd(minLength, 'x')
  }

  #fitting(schema, depth) {
    const chance = this.#chance
    if (schema.$ref) return this.#fitting(this.#components[schema.$ref.split('/').at(-1)] ?? {}, depth)
    if ('const' in schema) return schema.const
    if (schema.enum) return chance.pick(schema.enum)
    const branches = schema.anyOf ?? schema.oneOf
    if (branches) return this.#fitting(chance.pick(branches), depth)
    if (schema.examples?.length && chance.below(3) === 0) return structuredClone(chance.pick(schema.examples))
    const make = this.#byType[schema.type]
    if (make) return make(schema, depth)
    return depth > 0 ? randomJson(chance) : null
  }

  #byType = {
    string: (schema) => this.text(schema),
    integer: (schema) => this.#number(schema),
    number: (schema) => this.#number(schema),
    boolean: () => this.#chance.below(2) === 0,
    null: () => null,
    array: ({ items, maxItems = Infinity }, depth) => {
      const length = Math.min(this.#chance.below(this.#chance.below(100) ? 4 : 3_000), maxItems)
      return Array.from({ length }, () => this.of(items, depth - 1))
    },
    object: (schema, depth) => this.#object(schema, depth),
  }

  #number({ minimum = -10, maximum = 1_000, type }) {
    const chance = this.#chance
    const value = chance.pick([minimum, Math.min(maximum, minimum + chance.below(100)), maximum])
    return type === 'integer' ? Math.trunc(value) : value
  }

  #object({ properties = {}, required = [], patternProperties, additionalProperties }, depth) {
    const chance = this.#chance
    const out = {}
    for (const [name, inner] of Object.entries(properties))
      if (required.includes(name) || chance.below(2)) out[name] = this.of(inner, depth - 1)
    const other =
      Object.values(patternProperties ?? {})[0] ??
      (typeof additionalProperties === 'object' ? additionalProperties : undefined)
    if (other && depth > 0)
      for (let count = chance.below(chance.below(200) ? 3 : 12_000); count > 0; count--)
        out[`${chance.pick(WORDS)}${count}`] = this.of(other, depth - 2)
    if (chance.below(30) === 0) out[this.text()] = randomJson(chance)
    return out
  }
}
