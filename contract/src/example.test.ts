import { expect } from 'chai'
import { Type, type TSchema } from '@mynah/contract/type'
import type { Contract } from './contract.js'
import { exampleOf } from './example.js'
import * as contract from './index.js'
import { mistakesIn } from './validate.js'

describe('exampleOf', () => {
  it('prefers what the schema declares', () => {
    const schema = Type.Object({
      a: Type.String({ examples: ['one', 'two'] }),
      b: Type.Integer({ default: 7 }),
      c: Type.Literal('x'),
      d: Type.Enum(['y', 'z']),
      e: Type.String({ example: 'three' }),
    })
    expect(exampleOf(schema)).to.deep.equal({ a: 'one', b: 7, c: 'x', d: 'y', e: 'three' })
  })

  it('keeps falsy examples', () => {
    const schema = Type.Object({ a: Type.Boolean({ default: false }), b: Type.Integer({ examples: [0] }) })
    expect(exampleOf(schema)).to.deep.equal({ a: false, b: 0 })
  })

  it('names strings after their fields, within their bounds', () => {
    const schema = Type.Object({
      title: Type.String(),
      long: Type.String({ minLength: 6 }),
      short: Type.String({ maxLength: 2 }),
      at: Type.String({ format: 'date-time' }),
    })
    expect(exampleOf(schema)).to.deep.equal({
      title: 'title',
      long: 'long--',
      short: 'sh',
      at: '2026-01-01T00:00:00.000Z',
    })
  })

  it('chooses the smallest number and the shortest list', () => {
    const schema = Type.Object({
      a: Type.Integer({ minimum: 3 }),
      b: Type.Number({ exclusiveMinimum: 0 }),
      c: Type.Array(Type.String()),
      d: Type.Array(Type.Integer(), { minItems: 2 }),
    })
    expect(exampleOf(schema)).to.deep.equal({ a: 3, b: 1, c: [], d: [0, 0] })
  })

  it('merges given parts into objects, and replaces lists', () => {
    const schema = Type.Object({
      id: Type.String(),
      inner: Type.Object({ a: Type.String(), b: Type.Optional(Type.Integer()) }),
      list: Type.Array(Type.String(), { minItems: 1 }),
    })
    expect(exampleOf(schema, { inner: { b: 5 }, list: ['x', 'y'] })).to.deep.equal({
      id: 'id',
      inner: { a: 'a', b: 5 },
      list: ['x', 'y'],
    })
  })

  it('shares no value with the schema', () => {
    const schema = Type.Object({ tags: Type.Array(Type.String(), { default: ['a'] }) })
    exampleOf(schema).tags.push('b')
    expect(exampleOf(schema).tags).to.deep.equal(['a'])
  })

  it('refuses to guess a string for a pattern', () => {
    const schema = Type.Object({ key: Type.String({ pattern: '^[0-9]+$' }) })
    expect(() => exampleOf(schema)).to.throw(RangeError, 'give the field "key" an example')
  })

  for (const [name, schema] of schemasOf(Object.values<unknown>(contract))) {
    it(`fits ${name}`, () => {
      expect(mistakesIn(schema, exampleOf(schema))).to.deep.equal([])
    })
  }
})

/** Returns every schema of an answer or event, by its address. */
function schemasOf(values: readonly unknown[]): Map<string, TSchema> {
  const schemas = new Map<string, TSchema>()
  for (const value of values) {
    if (typeof value !== 'object' || value === null || 'type' in value) continue
    const { rest = {}, rpc = {}, events = {} } = value as Contract
    for (const [address, { data, reply }] of Object.entries(rest)) {
      const schema = data ?? reply
      if (schema) schemas.set(address, schema)
    }
    for (const [address, { data }] of [...Object.entries(rpc), ...Object.entries(events)]) schemas.set(address, data)
  }
  return schemas
}
