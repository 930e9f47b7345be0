import { expect } from 'chai'
import fc from 'fast-check'
import { Type } from '@mynah/contract/type'
import { reducer } from './index.js'

const secret = { token: 'secret' }

describe('reducer', () => {
  it('keeps declared fields and drops all others, at any depth', () => {
    const schema = Type.Object({
      a: Type.String(),
      list: Type.Array(Type.Object({ b: Type.Integer() })),
      inner: Type.Object({ c: Type.Optional(Type.Null()) }),
    })
    expect(
      reducer(schema)({ a: 'x', list: [{ b: 1, ...secret }], inner: { c: null, ...secret }, ...secret }),
    ).to.deep.equal({ a: 'x', list: [{ b: 1 }], inner: { c: null } })
  })

  it('drops undefined fields, like JSON', () => {
    expect(reducer(Type.Object({ a: Type.Optional(Type.String()) }))({ a: undefined })).to.deep.equal({})
  })

  it('reduces the values of a record by their one schema', () => {
    expect(
      reducer(Type.Record(Type.String(), Type.Object({ n: Type.Integer() })))({ x: { n: 1, ...secret }, y: { n: 2 } }),
    ).to.deep.equal({ x: { n: 1 }, y: { n: 2 } })
  })

  it('reduces by the branch that the value fits', () => {
    const schema = Type.Union([
      Type.Object({ kind: Type.Literal('a'), x: Type.Integer() }),
      Type.Object({ kind: Type.Literal('b'), y: Type.Integer() }),
      Type.Null(),
      Type.String(),
      Type.Array(Type.Object({ z: Type.Integer() })),
    ])
    const reduce = reducer(schema)
    expect(reduce({ kind: 'b', y: 1, x: 2 })).to.deep.equal({ kind: 'b', y: 1 })
    expect(reduce({ kind: 'a', y: 1, x: 2 })).to.deep.equal({ kind: 'a', x: 2 })
    expect(reduce(null)).to.equal(null)
    expect(reduce('text')).to.equal('text')
    expect(reduce([{ z: 1, ...secret }])).to.deep.equal([{ z: 1 }])
    expect(reduce({ kind: 'c', ...secret })).to.equal(undefined)
  })

  it('keeps unknown values', () => {
    expect(reducer(Type.Object({ any: Type.Unknown() }))({ any: secret })).to.deep.equal({ any: secret })
  })

  it('is created once for a schema', () => {
    const schema = Type.Object({ a: Type.String() })
    expect(reducer(schema)).to.equal(reducer(schema))
  })

  it('never changes its argument, and never throws', () => {
    const schema = Type.Object({ a: Type.Array(Type.Object({ b: Type.Record(Type.String(), Type.Number()) })) })
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const before = structuredCloneOrSame(value)
        reducer(schema)(value)
        expect(value).to.deep.equal(before)
      }),
    )
  })
})

function structuredCloneOrSame(value: unknown): unknown {
  try {
    return structuredClone(value)
  } catch (error) {
    if (error instanceof DOMException) return value
    throw error
  }
}
