import { expect } from 'chai'
import fc from 'fast-check'
import { Type } from '@mynah/contract/type'
import { WireError } from './index.js'
import { assertFits, mistakesIn } from './validate.js'

const Person = Type.Object({
  name: Type.String({ minLength: 1 }),
  age: Type.Optional(Type.Integer({ minimum: 0, maximum: 150, default: 7 })),
  tags: Type.Optional(Type.Array(Type.Enum(['a', 'b']))),
  home: Type.Optional(Type.Object({ city: Type.String() })),
})

describe('mistakesIn', () => {
  it('returns no mistakes for a value that fits, with unknown fields', () => {
    expect(mistakesIn(Person, { name: 'x', other: 1 })).to.deep.equal([])
  })

  it('names the path, also in lists and objects', () => {
    expect(mistakesIn(Person, { name: '', age: 3.5, tags: ['a', 'c'], home: {} })).to.deep.include.members([
      { path: 'name', message: 'must NOT have fewer than 1 characters' },
      { path: 'age', message: 'must be integer' },
      { path: 'tags[1]', message: 'must be one of "a", "b"' },
      { path: 'home.city', message: 'is required' },
    ])
  })

  it('describes a form in the words of the schema, and by its expression where it has none', () => {
    const pattern = '^[a-z]+$'
    const messageOf = (more: object): string | undefined =>
      mistakesIn(Type.Object({ id: Type.String({ pattern, ...more }) }), { id: 'A' })[0]?.message
    expect(messageOf({ description: 'Small letters', examples: ['abc'] })).to.equal(
      'does not fit the form that is asked for: Small letters, such as "abc"',
    )
    expect(messageOf({ examples: ['abc'] })).to.equal('does not fit the form that is asked for, such as "abc"')
    expect(messageOf({})).to.equal('must match pattern "^[a-z]+$"')
  })

  it('names a field that is not allowed', () => {
    expect(mistakesIn(Type.Object({}, { additionalProperties: false }), { 'a/b': 1 })).to.deep.equal([
      { path: 'a/b', message: 'is not known here' },
    ])
  })

  it('names a wrong type, a wrong constant and the branches of a failed choice', () => {
    expect(mistakesIn(Person, 5)).to.deep.equal([{ path: '', message: 'must be object' }])
    expect(mistakesIn(Type.Object({ kind: Type.Literal('x') }), { kind: 'y' })).to.deep.equal([
      { path: 'kind', message: 'must be "x"' },
    ])
    const either = Type.Object({ v: Type.Union([Type.String(), Type.Array(Type.String())]) })
    expect(mistakesIn(either, { v: 5 }).map(({ path }) => path)).to.deep.equal(['v', 'v'])
  })

  it('returns twenty mistakes at most', () => {
    expect(
      mistakesIn(
        Type.Array(Type.String()),
        Array.from({ length: 100 }, () => 1),
      ),
    ).to.have.lengthOf(20)
  })

  it('ignores inherited fields', () => {
    const value = Object.create({ name: 'inherited' }) as object
    expect(mistakesIn(Person, value)).to.deep.equal([{ path: 'name', message: 'is required' }])
  })

  it('never throws, for any value', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(mistakesIn(Person, value)).to.be.an('array')
      }),
    )
  })
})

describe('mistakesIn with defaults and coercion', () => {
  it('fills defaults into the value', () => {
    const value = { name: 'x' }
    mistakesIn(Person, value)
    expect(value).to.deep.equal({ name: 'x', age: 7 })
  })

  it('coerces strings of a query, and only there', () => {
    const Query = Type.Object({ page: Type.Integer({ minimum: 1 }), deep: Type.Optional(Type.Boolean()) })
    const query = { page: '3', deep: 'true' }
    expect(mistakesIn(Query, query, { coerce: true })).to.deep.equal([])
    expect(query).to.deep.equal({ page: 3, deep: true })
    expect(mistakesIn(Query, { page: '3' })).to.deep.equal([{ path: 'page', message: 'must be integer' }])
  })

  it('never clamps a number and never takes the first of two values', () => {
    const Query = Type.Object({ page: Type.Integer({ minimum: 1 }) })
    for (const page of ['0', '-1', '1.5', 'x', '', ['1', '2'], '1e400'])
      expect(mistakesIn(Query, { page }, { coerce: true })).to.have.lengthOf.above(0)
  })
})

describe('assertFits', () => {
  it('throws invalid_request with every mistake, each below its place', () => {
    try {
      assertFits(Person, { age: -1 }, 'body')
      expect.fail('must throw')
    } catch (error) {
      expect(error).to.be.instanceOf(WireError)
      const { code, message, details } = error as WireError
      expect(code).to.equal('invalid_request')
      expect(message).to.match(/^body\.(name|age) /)
      expect(details?.map(({ path }) => path)).to.have.members(['body.name', 'body.age'])
    }
  })

  it('names the place itself where the whole value is wrong', () => {
    expect(() => assertFits(Person, null, 'body')).to.throw(WireError, 'body must be object')
    expect(() => assertFits(Person, null, '')).to.throw(WireError, 'The request must be object')
  })
})
