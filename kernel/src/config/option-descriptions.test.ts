import { expect } from 'chai'
import { Type } from 'typebox'
import { definePlugin, type AnyPlugin } from '../core/plugin.js'
import { describedOptions, inAllLanguages } from './option-descriptions.js'

const schema = Type.Object({
  port: Type.Integer({ description: 'Port' }),
  tokens: Type.Array(Type.Object({ scope: Type.String({ description: 'Scope' }) })),
  by: Type.Record(Type.String(), Type.Object({ name: Type.String({ description: 'Name' }) })),
  plain: Type.String(),
})
const plugin = definePlugin({
  name: 'sample',
  config: { key: 'sample', schema },
  optionDescriptions: {
    'zh-CN': {
      'sample.port': '端口',
      'sample.tokens[].scope': '范围',
      'sample.by.<name>.name': '名称',
      'sample.plain': '?',
    },
  },
  setup() {},
}) as AnyPlugin

describe('descriptions of options', () => {
  it('are found in properties, items and maps', () => {
    expect(describedOptions('sample', schema)).to.have.deep.members([
      ['sample.port', 'Port'],
      ['sample.tokens[].scope', 'Scope'],
      ['sample.by.<name>.name', 'Name'],
    ])
  })

  it('are added to a copy of the schema in each language, once', () => {
    const copy = inAllLanguages(plugin, 'sample', schema) as unknown as typeof schema
    expect(copy.properties.port).to.deep.include({ description: 'Port', descriptions: { 'zh-CN': '端口' } })
    expect(copy.properties.tokens.items.properties.scope).to.deep.include({ descriptions: { 'zh-CN': '范围' } })
    expect(JSON.stringify(copy.properties.by)).to.contain('"descriptions":{"zh-CN":"名称"}')
    expect(copy.properties.plain).to.not.have.property('descriptions')
    expect(schema.properties.port).to.not.have.property('descriptions')
    expect(inAllLanguages(plugin, 'sample', schema)).to.equal(copy)
  })
})
