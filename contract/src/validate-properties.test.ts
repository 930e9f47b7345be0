// Checking over schemas of every keyword in use: paths, coercion, and that checks neither mix nor change what they must
// not.
import { expect } from 'chai'
import fc from 'fast-check'
import { Type } from '@mynah/contract/type'
import { WireError } from './index.js'
import { assertFits, mistakesIn } from './validate.js'

describe('the path of a mistake', () => {
  it('leads to it, with any keys', () => {
    const key = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((name) => !/^\d+$/.test(name) && name !== '__proto__')
    fc.assert(
      fc.property(key, fc.nat(20), (name, index) => {
        const schema = { type: 'object', properties: { [name]: { type: 'array', items: { type: 'boolean' } } } }
        const list: unknown[] = Array.from({ length: index + 1 }, () => true)
        list[index] = 'no'
        expect(mistakesIn(schema, { [name]: list })).to.deep.equal([
          { path: `${name}[${index}]`, message: 'must be boolean' },
        ])
      }),
      { numRuns: 60 },
    )
  })

  for (const [what, schema, value, expected] of [
    [
      'a missing field',
      Type.Object({ a: Type.Object({ b: Type.String() }) }),
      { a: {} },
      { path: 'a.b', message: 'is required' },
    ],
    [
      'a field too many',
      Type.Object({ a: Type.Object({}, { additionalProperties: false }) }),
      { a: { zz: 1 } },
      { path: 'a.zz', message: 'is not known here' },
    ],
    [
      'a field that no part knows',
      { type: 'object', properties: { a: {} }, unevaluatedProperties: false },
      { zz: 1 },
      { path: 'zz', message: 'is not known here' },
    ],
    [
      'a wrong choice',
      Type.Object({ a: Type.Enum(['x', 'y']) }),
      { a: 'z' },
      { path: 'a', message: 'must be one of "x", "y"' },
    ],
    ['a wrong constant', Type.Object({ a: Type.Literal(1) }), { a: 2 }, { path: 'a', message: 'must be 1' }],
    [
      'one of several types',
      { type: 'object', properties: { a: { type: ['string', 'null'] } } },
      { a: 2 },
      { path: 'a', message: 'must be string or null' },
    ],
    [
      'a number too small',
      Type.Object({ a: Type.Integer({ minimum: 1 }) }),
      { a: 0 },
      { path: 'a', message: 'must be >= 1' },
    ],
    [
      'a text that is too long',
      Type.Object({ a: Type.String({ maxLength: 1 }) }),
      { a: 'xx' },
      { path: 'a', message: 'must NOT have more than 1 characters' },
    ],
    [
      'a wrong format',
      Type.Object({ a: Type.String({ format: 'date-time' }) }),
      { a: 'today' },
      { path: 'a', message: 'must match format "date-time"' },
    ],
    [
      'an item of a list in a list',
      Type.Array(Type.Array(Type.Integer())),
      [[1], [2, 'x']],
      { path: '[1][1]', message: 'must be integer' },
    ],
  ] as const) {
    it(`names ${what}`, () => expect(mistakesIn(schema, structuredClone(value))).to.deep.equal([expected]))
  }

  it('is reported once, though several branches report the same', () => {
    const either = Type.Object({
      v: Type.Union([Type.Object({ a: Type.Integer() }), Type.Object({ a: Type.Integer(), b: Type.Integer() })]),
    })
    expect(mistakesIn(either, { v: { a: 'x', b: 1 } })).to.deep.equal([{ path: 'v.a', message: 'must be integer' }])
  })

  it('is that of the choice when the branches report nothing', () => {
    expect(
      mistakesIn({ type: 'object', properties: { v: { oneOf: [{ type: 'number' }, { type: 'integer' }] } } }, { v: 1 }),
    ).to.deep.equal([{ path: 'v', message: 'must match exactly one schema in oneOf' }])
  })
})

describe('coercion', () => {
  const Query = Type.Object({
    n: Type.Optional(Type.Number()),
    list: Type.Optional(Type.Array(Type.Number())),
    deep: Type.Optional(Type.Object({ n: Type.Number() })),
  })

  it('turns the text of any number into the number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) => {
        const query = { n: String(n) }
        expect(mistakesIn(Query, query, { coerce: true })).to.deep.equal([])
        // Of minus zero the text has no sign.
        expect(query).to.deep.equal({ n: n === 0 ? 0 : n })
      }),
    )
  })

  it('makes no infinite number, at any depth', () => {
    for (const text of ['1e400', '-1e400', 'Infinity']) {
      expect(mistakesIn(Query, { n: text }, { coerce: true }), text).to.have.lengthOf(1)
      expect(
        mistakesIn(Query, { list: ['1', text] }, { coerce: true }).map(({ path }) => path),
        text,
      ).to.deep.equal(['list[1]'])
      expect(
        mistakesIn(Query, { deep: { n: text } }, { coerce: true }).map(({ path }) => path),
        text,
      ).to.deep.equal(['deep.n'])
    }
  })

  it('accepts a value that is no object', () => {
    expect(mistakesIn(Type.Null(), null, { coerce: true })).to.deep.equal([])
    expect(mistakesIn(Type.Integer(), 5, { coerce: true })).to.deep.equal([])
  })

  it('does not affect another check of the same schema', () => {
    expect(mistakesIn(Query, { n: '1' }, { coerce: true })).to.deep.equal([])
    expect(mistakesIn(Query, { n: '1' })).to.deep.equal([{ path: 'n', message: 'must be number' }])
    expect(mistakesIn(Query, { n: '1' }, { coerce: true })).to.deep.equal([])
  })
})

describe('a schema', () => {
  it('accepts the annotations of forms, and no unknown keywords', () => {
    expect(
      mistakesIn(Type.Object({ a: Type.String({ secret: true, restart: true, example: 'x', widget: 'area' }) }), {
        a: 'x',
      }),
    ).to.deep.equal([])
    expect(() => mistakesIn({ type: 'string', secrte: true }, 'x')).to.throw(/secrte/)
  })

  it('accepts the id of another schema, since each is compiled by itself', () => {
    expect(mistakesIn({ $id: 'same', type: 'string' }, 1)).to.have.lengthOf(1)
    expect(mistakesIn({ $id: 'same', type: 'integer' }, 1)).to.deep.equal([])
  })

  it('creates a new default for every value', () => {
    const schema = Type.Object({ list: Type.Array(Type.String(), { default: [] }) })
    const [one, other] = [{}, {}] as [{ list?: string[] }, { list?: string[] }]
    mistakesIn(schema, one)
    one.list?.push('x')
    mistakesIn(schema, other)
    expect(other.list).to.deep.equal([])
  })
})

describe('assertFits', () => {
  it('accepts valid values, and fills defaults and coerces text if asked', () => {
    const query: Record<string, unknown> = { page: '2' }
    assertFits(Type.Object({ page: Type.Integer(), size: Type.Integer({ default: 20 }) }), query, 'query', {
      coerce: true,
    })
    expect(query).to.deep.equal({ page: 2, size: 20 })
  })

  it('returns bare paths without a place', () => {
    try {
      assertFits(Type.Object({ a: Type.String() }), {}, '')
      expect.fail('must throw')
    } catch (error) {
      expect(error).to.be.instanceOf(WireError).and.include({ message: 'a is required' })
      expect((error as WireError).details).to.deep.equal([{ path: 'a', message: 'is required' }])
    }
  })
})
