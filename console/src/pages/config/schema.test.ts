import { expect } from 'chai'
import { choicesOf, emptyOf, kindOf, resolve } from './schema.js'

describe('form fields', () => {
  it('follow the schema, and the alternative that matches the value', () => {
    expect(['string', 'boolean', 'integer'].map((type) => kindOf({ type }))).to.deep.equal(['text', 'flag', 'number'])
    expect(kindOf({ enum: ['a'] })).to.equal('choice')
    expect(kindOf({ type: 'array', items: { type: 'string' } })).to.equal('texts')
    expect(kindOf({ type: 'array', items: { type: 'object', properties: { a: {} } } })).to.equal('list')
    expect(kindOf({ type: 'object', additionalProperties: { type: 'string' } })).to.equal('record')
    expect(kindOf({})).to.equal('json')
    const either = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }
    expect([
      kindOf(resolve(either, ['a'])),
      kindOf(resolve(either, 'a')),
      kindOf(resolve(either, undefined)),
    ]).to.deep.equal(['texts', 'text', 'text'])
    expect(choicesOf({ anyOf: [{ const: 'a' }, { const: 'b' }] })).to.deep.equal(['a', 'b'])
    expect(emptyOf({ type: 'object', properties: { a: {} } })).to.deep.equal({})
  })
})
