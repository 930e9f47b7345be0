import { expect } from 'chai'
import { fieldsOf, providerSchemaOf, valueOf } from './fields.js'

const SCHEMA = {
  required: ['nick'],
  properties: {
    adapter: { type: 'string' },
    tls: { type: 'boolean', default: true, basic: true, description: 'Encrypts' },
    nick: { type: 'string' },
    channels: { type: 'array', items: { type: 'string' }, default: [], basic: true },
    pingTimeout: { type: 'number' },
  },
}

describe('the fields of a new item', () => {
  it('are those that are required, first, and the basic ones', () => {
    expect(fieldsOf(SCHEMA, { hidden: ['adapter'] }).map(({ name, hint }) => [name, hint])).to.deep.equal([
      ['nick', undefined],
      ['tls', 'true'],
      ['channels', undefined],
    ])
    expect(fieldsOf(SCHEMA, { all: true }).map(({ name }) => name)).to.include.members(['adapter', 'pingTimeout'])
  })

  it('take typed text as the type of their schema, and keep text that does not fit', () => {
    const { properties } = SCHEMA
    expect(valueOf('true', properties.tls)).to.equal(true)
    expect(valueOf('maybe', properties.tls)).to.equal('maybe')
    expect(valueOf('90', properties.pingTimeout)).to.equal(90)
    expect(valueOf('soon', properties.pingTimeout)).to.equal('soon')
    expect(valueOf('6697', properties.nick)).to.equal('6697')
    expect(valueOf('#a, #b,', properties.channels)).to.deep.equal(['#a', '#b'])
    expect(valueOf('ada', { anyOf: [{ type: 'string' }, { type: 'array' }] })).to.equal('ada')
  })

  it('of a provider are in the schema of the section ai, written in either form', () => {
    const inner = { properties: {} }
    const ai = (record: object) => ({ properties: { providers: record } })
    expect(providerSchemaOf(ai({ additionalProperties: inner }))).to.equal(inner)
    expect(providerSchemaOf(ai({ patternProperties: { '^.*$': inner }, additionalProperties: false }))).to.equal(inner)
    expect(providerSchemaOf(null)).to.equal(undefined)
  })
})
