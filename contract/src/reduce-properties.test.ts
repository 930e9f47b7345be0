import { expect } from 'chai'
import fc from 'fast-check'
import { Type } from '@mynah/contract/type'
import { reducer } from './index.js'
import { mistakesIn } from './validate.js'

/** A schema with values that are valid against it. */
interface Shape {
  readonly schema: Record<string, unknown>
  readonly values: fc.Arbitrary<unknown>
}

const KEYS = ['a', 'b', 'c', 'd']
const CANARY = 'undeclared'

const leaves: fc.Arbitrary<Shape> = fc.constantFrom<Shape>(
  { schema: { type: 'string' }, values: fc.string() },
  { schema: { type: 'integer' }, values: fc.integer() },
  { schema: { type: 'number' }, values: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { schema: { type: 'boolean' }, values: fc.boolean() },
  { schema: { type: 'null' }, values: fc.constant(null) },
  { schema: { type: ['string', 'null'] }, values: fc.option(fc.string()) },
  { schema: { const: 'x' }, values: fc.constant('x') },
  { schema: { enum: ['x', 'y', 1] }, values: fc.constantFrom('x', 'y', 1) },
)

const { shape: shapes } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaves,
    listOf(tie('shape')),
    recordOf(tie('shape')),
    objectOf(tie('shape')),
    choiceOf(tie('shape')),
  ),
}))

function listOf(inner: fc.Arbitrary<Shape>): fc.Arbitrary<Shape> {
  return inner.map(({ schema, values }) => ({
    schema: { type: 'array', items: schema },
    values: fc.array(values, { maxLength: 3 }),
  }))
}

function recordOf(inner: fc.Arbitrary<Shape>): fc.Arbitrary<Shape> {
  return fc.tuple(inner, fc.boolean()).map(([{ schema, values }, patterned]) => ({
    schema: {
      type: 'object',
      ...(patterned ? { patternProperties: { '^.*$': schema } } : { additionalProperties: schema }),
    },
    values: fc.dictionary(fc.constantFrom(...KEYS), values, { maxKeys: 3 }),
  }))
}

function objectOf(inner: fc.Arbitrary<Shape>): fc.Arbitrary<Shape> {
  return fc
    .tuple(
      fc.dictionary(fc.constantFrom(...KEYS), fc.tuple(inner, fc.boolean()), { maxKeys: 3 }),
      fc.constantFrom(undefined, false, true),
    )
    .map(([fields, rest]) => {
      const names = Object.keys(fields)
      const required = names.filter((name) => fields[name]?.[1])
      return {
        schema: {
          type: 'object',
          required,
          ...(rest === undefined ? {} : { additionalProperties: rest }),
          properties: Object.fromEntries(names.map((name) => [name, fields[name]?.[0].schema])),
        },
        values: fc.record(
          Object.fromEntries(names.map((name) => [name, (fields[name] as [Shape, boolean])[0].values])),
          { requiredKeys: required },
        ),
      }
    })
}

function choiceOf(inner: fc.Arbitrary<Shape>): fc.Arbitrary<Shape> {
  return fc.array(inner, { minLength: 1, maxLength: 3 }).map((branches) => ({
    schema: { anyOf: branches.map(({ schema }) => schema) },
    values: fc.oneof(...branches.map(({ values }) => values)),
  }))
}

const cases = shapes.chain(({ schema, values }) => values.map((value) => ({ schema, value })))
// `fc.record` and `fc.dictionary` make objects without a prototype.
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('reducer of any schema', () => {
  it('returns a valid value for a valid one', () => {
    fc.assert(
      fc.property(cases, ({ schema, value }) => {
        const given = plain(value)
        expect(mistakesIn(schema, given)).to.deep.equal([])
        expect(mistakesIn(schema, reducer(schema)(given))).to.deep.equal([])
      }),
      { numRuns: 150 },
    )
  })

  it('returns the same value the second time', () => {
    fc.assert(
      fc.property(shapes, fc.jsonValue({ maxDepth: 4 }), ({ schema }, value) => {
        const once = reducer(schema)(value)
        // A value that fits no branch is undefined, which is no field for JSON.
        expect(plain([reducer(schema)(once)])).to.deep.equal(plain([once]))
      }),
      { numRuns: 1_000 },
    )
    fc.assert(
      fc.property(cases, ({ schema, value }) => {
        const once = reducer(schema)(plain(value))
        expect(reducer(schema)(once)).to.deep.equal(once)
      }),
      { numRuns: 1_000 },
    )
  })

  it('drops every undeclared field of a closed object, in any surrounding schema', () => {
    const closed = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }
    const around: ((inner: object) => [object, (value: unknown) => unknown])[] = [
      (inner) => [{ type: 'array', items: inner }, (value) => [value, value]],
      (inner) => [
        { type: 'object', properties: { a: inner, n: { type: 'integer' } } },
        (value) => ({ a: value, n: 1 }),
      ],
      (inner) => [
        { type: 'object', properties: { a: inner }, additionalProperties: true },
        (value) => ({ a: value, other: 1 }),
      ],
      (inner) => [{ type: 'object', additionalProperties: inner }, (value) => ({ any: value })],
      (inner) => [
        { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: inner },
        (value) => ({ n: 1, any: value }),
      ],
      (inner) => [{ type: 'object', patternProperties: { '^.*$': inner } }, (value) => ({ any: value })],
      (inner) => [{ anyOf: [{ type: 'null' }, inner] }, (value) => value],
      (inner) => [{ anyOf: [{ anyOf: [{ const: 'none' }, { const: 'all' }] }, inner] }, (value) => value],
      (inner) => [
        {
          anyOf: [
            { type: 'array', items: { type: 'string' } },
            { type: 'array', items: inner },
          ],
        },
        (value) => [value],
      ],
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...around), { maxLength: 5 }), (wraps) => {
        let [schema, value, clean]: [object, unknown, unknown] = [closed, { id: 'x', token: CANARY }, { id: 'x' }]
        for (const wrap of wraps) {
          const [outer, put] = wrap(schema)
          ;[schema, value, clean] = [outer, put(value), put(clean)]
        }
        expect(reducer(schema)(value)).to.deep.equal(clean)
      }),
      { numRuns: 500 },
    )
  })
})

describe('reducer of a choice', () => {
  const Short = Type.Object({ at: Type.Object({ x: Type.Integer() }) })
  const Long = Type.Object({ at: Type.Object({ x: Type.Integer(), y: Type.String() }) })

  it('reduces nested choices', () => {
    const schema = Type.Union([
      Type.Union([Type.Literal('a'), Type.Literal('b')]),
      Type.Integer(),
      Type.Object({ n: Type.Integer() }),
    ])
    for (const value of ['a', 'b', 7, { n: 1 }]) expect(reducer(schema)(value)).to.deep.equal(value)
    expect(reducer(schema)('c')).to.equal(undefined)
  })

  it('chooses between lists by their items', () => {
    const schema = Type.Union([Type.Array(Type.String()), Type.Array(Type.Object({ id: Type.String() }))])
    expect(reducer(schema)([{ id: '1', token: CANARY }])).to.deep.equal([{ id: '1' }])
    expect(reducer(schema)(['x'])).to.deep.equal(['x'])
    expect(reducer(schema)([])).to.deep.equal([])
  })

  it('chooses between objects of the same outline by their fields', () => {
    expect(reducer(Type.Union([Long, Short]))({ at: { x: 1, extra: 1 } })).to.deep.equal({ at: { x: 1 } })
    expect(reducer(Type.Union([Short, Long]))({ at: { x: 1 } })).to.deep.equal({ at: { x: 1 } })
    const closed = { additionalProperties: false }
    const either = Type.Union([
      Type.Object({ a: Type.Optional(Type.Integer()) }, closed),
      Type.Object({ b: Type.Optional(Type.Integer()) }, closed),
    ])
    expect(reducer(either)({ b: 1 })).to.deep.equal({ b: 1 })
    expect(reducer(either)({ a: 1 })).to.deep.equal({ a: 1 })
  })

  it('uses the first branch with the outline when none fits, and never returns the value unreduced', () => {
    expect(reducer(Type.Union([Long, Short]))({ at: { x: 'no', token: CANARY }, token: CANARY })).to.deep.equal({
      at: { x: 'no' },
    })
  })

  it('distinguishes integers from fractions, and lists of types from others', () => {
    const schema = Type.Union([
      Type.Object({ v: Type.Integer(), w: Type.Object({}) }),
      Type.Object({ v: Type.Number(), w: Type.Object({ k: Type.Integer() }) }),
    ])
    expect(reducer(schema)({ v: 1.5, w: { k: 1 } })).to.deep.equal({ v: 1.5, w: { k: 1 } })
    expect(
      reducer({ anyOf: [{ type: ['string', 'null'] }, { type: 'object', properties: { a: {} } }] })(null),
    ).to.equal(null)
    expect(
      reducer({ anyOf: [{ type: ['string', 'null'] }, { type: 'object', properties: { a: {} } }] })({ a: 1, b: 2 }),
    ).to.deep.equal({ a: 1 })
  })
})

describe('reducer of an object', () => {
  it('keeps and reduces additional fields with a schema', () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer' } },
      additionalProperties: { type: 'object', properties: { id: {} } },
    }
    expect(reducer(schema)({ n: 1, x: { id: 1, token: CANARY }, gone: undefined })).to.deep.equal({
      n: 1,
      x: { id: 1 },
    })
  })

  it('keeps undeclared fields of an open object, and reduces the declared ones', () => {
    const schema = {
      type: 'object',
      properties: { user: { type: 'object', properties: { id: {} } } },
      additionalProperties: true,
    }
    expect(reducer(schema)({ user: { id: 1, token: CANARY }, other: { deep: 1 } })).to.deep.equal({
      user: { id: 1 },
      other: { deep: 1 },
    })
  })

  it('sets no prototype from a key', () => {
    const value: unknown = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}')
    const reduced = reducer({
      type: 'object',
      properties: { user: { type: 'object', properties: {} } },
      additionalProperties: true,
    })(value) as object
    expect(Object.getPrototypeOf(reduced)).to.equal(Object.prototype)
    expect(Object.keys(reduced)).to.deep.equal(['__proto__', 'constructor'])
    expect(
      reducer({ type: 'object', patternProperties: { '^.*$': { type: 'object', properties: {} } } })(value),
    ).to.not.have.property('polluted')
  })

  it('returns a value that is no object unchanged, for the check to refuse', () => {
    for (const value of [null, 5, 'x', [1]])
      expect(reducer(Type.Object({ a: Type.Array(Type.Object({})) }))(value)).to.equal(value)
    expect(reducer(Type.Array(Type.Object({})))({ a: 1 })).to.deep.equal({ a: 1 })
    expect(reducer(Type.Record(Type.String(), Type.Object({})))(3)).to.equal(3)
  })
})
