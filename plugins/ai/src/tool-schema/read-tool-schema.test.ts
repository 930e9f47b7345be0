import { expect } from 'chai'
import fc from 'fast-check'
import { checkOf } from '../loop/schemas.js'
import { readToolSchema } from './read-tool-schema.js'
import { UnusableSchema } from './unusable-schema.js'

const text = { type: 'string' }
const nothing = { type: 'null' }
/** Returns the schema of a tool with one parameter `a`. */
const of = (a: unknown, more: object = {}): object => ({ type: 'object', properties: { a }, ...more })
const check = async (schema: object, input: unknown): Promise<string | undefined> =>
  (await checkOf(readToolSchema(schema)))(input)

/** Returns the reason for which a schema is refused. */
function reasonOf(schema: unknown): string {
  try {
    readToolSchema(schema)
  } catch (error) {
    if (error instanceof UnusableSchema) return error.message
    throw error
  }
  throw new Error(`${JSON.stringify(schema)} should be refused`)
}

type Row = readonly [what: string, before: unknown, after: object, valid: object, mistake?: string]

describe('readToolSchema', () => {
  const rows: Record<string, readonly Row[]> = {
    'keywords that say nothing': [
      ['required: null', of(text, { required: null }), of(text), { a: 'x' }],
      [
        'required as a list with null',
        of(text, { required: ['a', null, 'a'] }),
        of(text, { required: ['a'] }),
        { a: 'x' },
      ],
      ['enum: null', of({ ...text, enum: null }), of(text), { a: 'x' }],
      ['an empty enum', of({ ...text, enum: [] }), of(text), { a: 'x' }],
      ['empty alternatives', of({ ...text, anyOf: [], allOf: [], oneOf: null }), of(text), { a: 'x' }],
      ['properties: null', { type: 'object', properties: null }, { type: 'object', properties: {} }, { b: 1 }],
      ['additionalProperties: null', of(text, { additionalProperties: null }), of(text), { a: 'x', b: 1 }],
      [
        'texts that are none',
        of({ ...text, description: null, title: 5, format: null, pattern: {} }),
        of(text),
        { a: 'x' },
      ],
      ['default: null of a text', of({ ...text, default: null }), of(text), {}],
      ['a length of -1', of({ ...text, maxLength: -1 }), of(text), { a: 'x' }],
      ['a multiple of nothing', of({ type: 'number', multipleOf: 0 }), of({ type: 'number' }), { a: 3 }],
      ['type: null', of({ type: null }), of({}), { a: 'x' }],
      ['a property that is null', of(null), of({}), { a: 1 }],
      ['if without then', of({ ...text, then: { minLength: 9 } }), of(text), { a: 'x' }],
      ['no schema of items', of({ type: 'array' }), of({ type: 'array', items: {} }), { a: [1, 'x'] }],
      ['formats that are not known', of({ ...text, format: 'uuid4' }), of({ ...text, format: 'uuid4' }), { a: 'x' }],
    ],
    'the types of other languages': [
      ['upper case', { type: 'OBJECT', properties: { a: { type: 'STRING' } } }, of(text), { a: 'x' }, '{"a":1}'],
      ['any', of({ type: 'any' }), of({}), { a: [1] }],
      [
        'Python',
        of({ type: 'list', items: { type: 'int' } }),
        of({ type: 'array', items: { type: 'integer' } }),
        { a: [1] },
      ],
      ['a union as text', of({ type: 'string | null' }), of({ type: ['string', 'null'] }), { a: null }, '{"a":1}'],
      ['null as itself', of({ type: ['float', null] }), of({ type: ['number', 'null'] }), { a: null }, '{"a":""}'],
      ['a list of texts', of({ type: 'string[]' }), of({ type: 'array', items: text }), { a: ['x'] }, '{"a":[1]}'],
      ['a type as a whole schema', of('string'), of(text), { a: 'x' }, '{"a":1}'],
      ['no type at the top', { properties: { a: text } }, of(text), { a: 'x' }, '{"a":1}'],
      [
        'a choice that is no text',
        of({ ...text, enum: [1, 2] }),
        of({ type: 'integer', enum: [1, 2] }),
        { a: 2 },
        '{"a":3}',
      ],
      ['a constant that is no text', of({ ...text, const: 1 }), of({ type: 'integer', const: 1 }), { a: 1 }, '{"a":2}'],
    ],
    nullable: [
      ['of a type', of({ ...text, nullable: true }), of({ type: ['string', 'null'] }), { a: null }, '{"a":1}'],
      [
        'of choices',
        of({ ...text, nullable: 'true', enum: ['b'] }),
        of({ type: ['string', 'null'], enum: ['b', null] }),
        { a: null },
      ],
      [
        'of alternatives',
        of({ nullable: true, anyOf: [text, { type: 'number' }] }),
        of({ anyOf: [text, { type: 'number' }, nothing] }),
        { a: null },
        '{"a":{}}',
      ],
      [
        'of a reference',
        of({ nullable: true, description: 'A', allOf: [{ $ref: '#/$defs/A' }] }, { $defs: { A: text } }),
        of({ description: 'A', anyOf: [{ allOf: [{ $ref: '#/$defs/A' }] }, nothing] }, { $defs: { A: text } }),
        { a: null },
        '{"a":1}',
      ],
      ['in the words of Swagger', of({ ...text, 'x-nullable': true }), of({ type: ['string', 'null'] }), { a: null }],
      ['that is not', of({ ...text, nullable: false }), of(text), { a: 'x' }, '{"a":null}'],
    ],
    'older drafts': [
      [
        'draft 3: required of a property',
        of({ ...text, required: true }),
        of(text, { required: ['a'] }),
        { a: 'x' },
        '{}',
      ],
      [
        'draft 4: exclusiveMinimum',
        of({ type: 'number', minimum: 0, exclusiveMinimum: true }),
        of({ type: 'number', exclusiveMinimum: 0 }),
        { a: 1 },
        '{"a":0}',
      ],
      [
        'draft 4: not exclusive',
        of({ type: 'number', maximum: 1, exclusiveMaximum: false }),
        of({ type: 'number', maximum: 1 }),
        { a: 1 },
        '{"a":2}',
      ],
      ['draft 4: id', of(text, { id: 'http://example.com/a' }), of(text), { a: 'x' }],
      [
        'draft 7: definitions',
        of(
          { $ref: '#/definitions/A' },
          { definitions: { A: text }, $schema: 'http://json-schema.org/draft-07/schema#' },
        ),
        of({ $ref: '#/$defs/A' }, { $defs: { A: text } }),
        { a: 'x' },
        '{"a":1}',
      ],
      [
        'draft 7: a tuple',
        of({ type: 'array', items: [text, nothing], additionalItems: false }),
        of({ type: 'array', prefixItems: [text, nothing], items: false }),
        { a: ['x', null] },
        '{"a":["x",null,1]}',
      ],
      ['draft 7: an empty tuple', of({ type: 'array', items: [] }), of({ type: 'array', items: {} }), { a: [1] }],
      [
        'draft 7: dependencies',
        of(text, { dependencies: { b: ['a'], c: { required: ['a'] } } }),
        of(text, { dependentRequired: { b: ['a'] }, dependentSchemas: { c: { required: ['a'] } } }),
        { a: 'x', b: 1 },
        '{"b":1}',
      ],
      [
        '2019: $recursiveRef',
        { ...of({ $recursiveRef: '#' }), $recursiveAnchor: true },
        of({ $ref: '#' }),
        { a: { a: {} } },
        '{"a":1}',
      ],
    ],
    'values of another kind': [
      ['numbers as text', of({ ...text, minLength: '1' }), of({ ...text, minLength: 1 }), { a: 'x' }, '{"a":""}'],
      [
        'flags as text',
        of(text, { additionalProperties: 'false' }),
        of(text, { additionalProperties: false }),
        { a: 'x' },
        '{"b":1}',
      ],
      [
        'empty objects of PHP',
        { type: 'object', properties: [], additionalProperties: [] },
        { type: 'object', properties: {}, additionalProperties: {} },
        { a: 1 },
      ],
      ['lists with gaps of PHP', of(text, { required: { 1: 'a' } }), of(text, { required: ['a'] }), { a: 'x' }, '{}'],
      [
        'an enumeration',
        of({ ...text, enum: { B: 'b', C: 'c' } }),
        of({ ...text, enum: ['b', 'c'] }),
        { a: 'c' },
        '{"a":"B"}',
      ],
      [
        'a list of named properties',
        { type: 'object', properties: [{ name: 'a', type: 'string' }] },
        of(text),
        { a: 'x' },
        '{"a":1}',
      ],
      ['one schema for a list of them', of({ anyOf: text }), of({ anyOf: [text] }), { a: 'x' }, '{"a":1}'],
      ['one name for a list of them', of(text, { required: 'a' }), of(text, { required: ['a'] }), { a: 'x' }, '{}'],
      [
        'a pattern between slashes',
        of({ ...text, pattern: '/^b+$/' }),
        of({ ...text, pattern: '^b+$' }),
        { a: 'bb' },
        '{"a":"c"}',
      ],
      ['a pattern with flags', of({ ...text, pattern: '/^b+$/i' }), of(text), { a: 'B' }],
      [
        'a path as a pattern',
        of({ ...text, pattern: '/api/' }),
        of({ ...text, pattern: '/api/' }),
        { a: '/api/x' },
        '{"a":"x"}',
      ],
    ],
  }
  for (const [kind, all] of Object.entries(rows))
    for (const [what, before, after, valid, mistake] of all)
      it(`reads ${kind}: ${what}`, async () => {
        const read = readToolSchema(before)
        expect(read).to.deep.equal(after)
        expect(await check(read, { ...valid })).to.equal(undefined)
        if (mistake !== undefined) expect(await check(read, JSON.parse(mistake))).to.be.a('string')
      })

  for (const [what, schema] of [
    ['a name', of({ $ref: 'urn:x#/$defs/A' }, { $id: 'urn:x', $defs: { A: text } })],
    ['a relative name', of({ $ref: 'A' }, { $id: 'https://example.com/b', $defs: { C: { $id: 'A', ...text } } })],
    ['the name of a definition', of({ $ref: 'A' }, { $defs: { A: text } })],
    ['an anchor', of({ $ref: '#here' }, { $defs: { A: { $anchor: 'here', ...text } } })],
    ['an id of draft 4', of({ $ref: '#here' }, { definitions: { A: { id: '#here', ...text } } })],
    ['a dynamic anchor', of({ $dynamicRef: '#here' }, { $defs: { A: { $dynamicAnchor: 'here', ...text } } })],
    ['another property', of({ $ref: '#/properties/b' }, { properties: { a: { $ref: '#/properties/b' }, b: text } })],
    ['components of OpenAPI', of({ $ref: '#/components/schemas/A' }, { components: { schemas: { A: text } } })],
    ['definitions that were moved', of({ $ref: '#/components/schemas/A' }, { $defs: { A: text } })],
    ['definitions at the same place', of({ $ref: '#/$defs/A', $defs: { A: text } })],
    ['a part of a name with escapes', of({ $ref: '#/$defs/A~1b%20c' }, { $defs: { 'A/b c': text } })],
    ['the whole', { $ref: '#/definitions/Args', definitions: { Args: of(text) } }],
  ] as const)
    it(`follows references to ${what}`, async () => {
      expect(await check(schema, { a: 'x' })).to.equal(undefined)
      expect(await check(schema, { a: 1 })).to.equal('a must be string')
    })

  it('follows references around in a circle', async () => {
    const tree = { $ref: '#/$defs/Node', $defs: { Node: of({ type: 'array', items: { $ref: '#/$defs/Node' } }) } }
    expect(await check(tree, { a: [{ a: [] }, {}] })).to.equal(undefined)
    expect(await check(tree, { a: [{ a: [1] }] })).to.equal('a[0].a[0] must be object')
    expect(await check(of({ $ref: '#' }), { a: { a: {} } })).to.equal(undefined)
  })

  it('names the mistake where nothing else can be meant', () => {
    for (const [schema, reason] of [
      [undefined, 'it must be the JSON Schema of an object'],
      ['text', 'it must be the JSON Schema of an object'],
      [{ type: 'array' }, 'it must be the JSON Schema of an object'],
      [of({ $ref: '#/$defs/Nowhere' }), 'properties.a.$ref is "#/$defs/Nowhere", which is not in the schema'],
      [
        of({ $ref: 'https://example.com/a.json' }),
        'properties.a.$ref is "https://example.com/a.json", which is not in the schema',
      ],
      [of({ $ref: 5 }), 'properties.a.$ref is 5, which is not in the schema'],
      [of({ type: 'Person' }), 'properties.a.type is "Person", which is not a type'],
      [of(5), 'properties.a is not a schema'],
      [of({ ...text, minLength: 'few' }), 'properties.a.minLength is "few", which is not a number'],
      [of({ enum: 'b' }), 'properties.a.enum is not a list'],
      [of(text, { required: [5] }), 'required is not a list of names'],
      [{ type: 'object', properties: 'a' }, 'properties is not an object'],
      [of({ items: { anyOf: [text, 'Person'] } }), 'properties.a.items.anyOf.1.type is "Person", which is not a type'],
    ] as const)
      expect(reasonOf(schema)).to.equal(reason)
  })

  it('refuses schemas that no input fits', () => {
    for (const [schema, reason] of [
      [
        of(text, { required: ['b'], additionalProperties: false }),
        'required has "b", which additionalProperties refuses',
      ],
      [of(false, { required: ['a'] }), 'properties.a allows no value'],
      [of({ not: {} }, { required: ['a'] }), 'properties.a allows no value'],
      [of({ ...text, minLength: 2, maxLength: 1 }, { required: ['a'] }), 'properties.a allows no value'],
      [of({ anyOf: [false, { allOf: [true, false] }] }, { required: ['a'] }), 'properties.a allows no value'],
      [of({ type: 'array', items: false, minItems: 1 }, { required: ['a'] }), 'properties.a.items allows no value'],
      [
        of({ $ref: '#/$defs/A' }, { required: ['a'], $defs: { A: of({ $ref: '#/$defs/A' }, { required: ['a'] }) } }),
        'properties.a allows no value',
      ],
      [of({ $ref: '#' }, { required: ['a'] }), 'properties.a allows no value'],
    ] as const)
      expect(reasonOf(schema)).to.equal(reason)
    // An optional part need not be sent.
    expect(readToolSchema(of({ ...text, minLength: 2, maxLength: 1 }))).to.be.an('object')
  })

  it('refuses schemas that are too large, too deep, or never end', () => {
    let deep: object = text
    for (let level = 0; level < 5_000; level++) deep = of(deep)
    expect(reasonOf(deep)).to.equal('it is nested deeper than 64 levels')
    expect(reasonOf(of({ ...text, description: 'x'.repeat(200_000) }))).to.match(/^it is \d+ characters long/)
    expect(reasonOf({ $ref: '#' })).to.equal('it refers to itself without end')
    const circle = { A: { $ref: '#/$defs/B' }, B: { anyOf: [text, { $ref: '#/$defs/A' }] } }
    expect(reasonOf(of({ $ref: '#/$defs/A' }, { $defs: circle }))).to.match(
      /^\$defs\.[AB] refers to itself without end$/,
    )
    const chain = (length: number, link: (next: object) => object) =>
      of(
        { $ref: '#/$defs/d0' },
        {
          $defs: Object.fromEntries(
            Array.from({ length }, (_, index) => [`d${index}`, link({ $ref: `#/$defs/d${index + 1}` })]).concat([
              [`d${length}`, text],
            ]),
          ),
        },
      )
    expect(reasonOf(chain(40, (next) => ({ allOf: [next, next] })))).to.include('takes too long')
    expect(reasonOf(chain(600, (next) => of(next)))).to.equal('it refers to more than 200 schemas')
    const many = (length: number) => Object.fromEntries(Array.from({ length }, (_, index) => [`p${index}`, text]))
    expect(reasonOf({ type: 'object', properties: many(1_001) })).to.equal('properties has more than 1000 schemas')
  })

  it('reads schemas that contain each other and are all referred to', async () => {
    let nested: object = text
    for (let level = 0; level < 28; level++)
      nested = of(nested, { properties: { a: nested, b: { $ref: `#${'/properties/a'.repeat(level + 1)}` } } })
    const { $defs } = readToolSchema(nested) as { $defs: object }
    expect(Object.keys($defs)).to.have.length(28)
    expect(await check(nested, { b: 'x', a: { b: {} } })).to.equal(undefined)
    expect(await check(nested, { b: 'x', a: { b: 1 } })).to.equal('a.b must be object')
  })

  it('reads the largest object into one that can be checked', async () => {
    const $defs = { A: text }
    const properties = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`p${index}`, { $ref: '#/$defs/A' }]),
    )
    expect(await check({ type: 'object', properties, $defs }, { p999: 'x' })).to.equal(undefined)
    expect(await check({ type: 'object', properties, $defs }, { p999: 1 })).to.equal('p999 must be string')
  })

  it('reads the longest chain of definitions into one that can be checked', async () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 199 }, (_, index) => [`d${index}`, of({ $ref: `#/$defs/d${index + 1}` })]).concat([
        ['d199', text],
      ]),
    )
    expect(await check(of({ $ref: '#/$defs/d0' }, { $defs }), { a: { a: {} } })).to.equal(undefined)
  })

  it('lets an input pass that its author means to be valid', async () => {
    // Formats are not checked, so that a text fits both.
    const both = {
      oneOf: [
        { ...text, format: 'date' },
        { ...text, format: 'uri' },
      ],
    }
    expect(await check(of(both), { a: '2026-01-01' })).to.equal(undefined)
    expect(await check(of({ ...text, not: { format: 'uri' } }), { a: 'x' })).to.equal(undefined)
    expect(await check(of({ if: { pattern: '(?=x)y' }, then: { maxLength: 0 } }), { a: 'long' })).to.equal(undefined)
    expect(await check(of({ type: 'number', multipleOf: 0.01 }), { a: 19.99 })).to.equal(undefined)
    expect(
      await check({ type: 'object', patternProperties: { '^(?!x)': { type: 'number' } } }, { b: 'not a number' }),
    ).to.equal(undefined)
    // Exact conditions are checked.
    expect(await check(of({ not: { const: 'b' } }), { a: 'b' })).to.be.a('string')
    const kinds = { if: { properties: { a: { const: 'b' } } }, then: { required: ['c'] } }
    expect(await check(of(text, kinds), { a: 'b' })).to.equal('c is required')
    expect(await check(of(text, kinds), { a: 'd' })).to.equal(undefined)
  })

  it('fills in defaults, but none that does not fit its own schema', async () => {
    const input = {}
    expect(await check(of({ type: 'integer', default: 5 }, { required: ['a'] }), input)).to.equal(undefined)
    expect(input).to.deep.equal({ a: 5 })
    const schema = of(
      { ...text, minLength: 1, default: '' },
      { properties: { a: { ...text, minLength: 1, default: '' }, b: text } },
    )
    expect(await check(schema, {})).to.equal(undefined)
    expect(await check(schema, { b: 1 })).to.equal('b must be string')
  })

  it('has no alternatives at the top, which providers refuse', async () => {
    const one = (name: string, more: object = {}) => ({ properties: { [name]: text, ...more }, required: [name] })
    const either = {
      type: 'object',
      oneOf: [one('a', { b: text }), { $ref: '#/$defs/C' }],
      $defs: { C: one('c', { b: nothing }) },
    }
    expect(readToolSchema(either)).to.deep.include({
      type: 'object',
      properties: { a: text, b: { anyOf: [text, nothing] }, c: text },
    })
    expect(readToolSchema(either)).to.not.have.any.keys('anyOf', 'oneOf', 'required')
    expect(await check(either, { c: 'x', b: null })).to.equal(undefined)
    const both = {
      type: 'object',
      allOf: [
        { ...one('a'), additionalProperties: false },
        { ...one('b'), additionalProperties: false },
      ],
      not: { required: ['c'] },
    }
    expect(readToolSchema(both)).to.deep.equal({
      type: 'object',
      properties: { a: text, b: text },
      required: ['a', 'b'],
    })
    expect(await check(both, { a: 'x', b: 'y' })).to.equal(undefined)
  })

  it('keeps properties that are named like keywords', async () => {
    const names = ['$ref', '$id', '$schema', 'id', 'type', 'required', 'properties', 'patternProperties', 'nullable']
    const schema = {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, text])),
      required: names,
      additionalProperties: false,
    }
    expect(readToolSchema(schema)).to.deep.equal(schema)
    expect(await check(schema, Object.fromEntries(names.map((name) => [name, 'x'])))).to.equal(undefined)
  })

  it('returns its own results as they are', () => {
    const read = readToolSchema(of({ nullable: true, anyOf: [text] }))
    expect(readToolSchema(read)).to.equal(read)
  })

  it('returns no schema that cannot be checked', async () => {
    const keyword = fc.constantFrom(
      ...'type properties required items anyOf oneOf allOf not if then else enum const default nullable $ref $id id $defs'.split(
        ' ',
      ),
      ...'definitions additionalProperties patternProperties dependencies dependentRequired minimum exclusiveMinimum'.split(
        ' ',
      ),
      ...'multipleOf minLength pattern format uniqueItems contains prefixItems propertyNames $anchor $dynamicRef $async'.split(
        ' ',
      ),
    )
    const leaf = fc.constantFrom<unknown>(
      ...[
        null,
        true,
        false,
        0,
        -1,
        1.5,
        '',
        'string',
        'object',
        'a',
        '#',
        '#/$defs/a',
        'STRING',
        [],
        {},
        ['a'],
        '1',
        '(',
        '^(a+)+$',
      ],
    )
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, tie('node')),
      node: fc.dictionary(
        fc.oneof(keyword, fc.constantFrom('a', 'b')),
        fc.oneof(leaf, tie('schema'), fc.array(tie('schema'), { maxLength: 3 })),
        { maxKeys: 5 },
      ),
    }))
    await fc.assert(
      fc.asyncProperty(schema, async (raw) => {
        let read: object
        try {
          read = readToolSchema(raw)
        } catch (error) {
          expect(error).to.be.instanceOf(UnusableSchema)
          return
        }
        expect(read).to.have.property('type', 'object')
        for (const input of [{}, { a: 1, b: 'x' }])
          expect((await checkOf(read))(input) ?? '').to.not.include('cannot be used')
      }),
      { numRuns: 400 },
    )
  })
})
