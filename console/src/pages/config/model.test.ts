import { expect } from 'chai'
import { changesOf, getIn, namedSection, sectionsOf, setIn, variablesOf } from './model.js'

describe('sections', () => {
  it('are made one per claim, with the rest unclaimed', () => {
    const { claimed, unclaimed } = sectionsOf(
      { plugins: [], http: {}, endpoints: [], telegramm: {} },
      { 'http-core': 'http', chat: 'endpoints' },
      {
        'http-core': { type: 'object', properties: { port: {} } },
        chat: { type: 'object', properties: { endpoints: { type: 'array' }, commands: { type: 'object' } } },
      },
    )
    expect(claimed.map((section) => [section.key, section.plugin])).to.deep.equal([
      ['commands', 'chat'],
      ['endpoints', 'chat'],
      ['http', 'http-core'],
    ])
    expect(unclaimed.map((section) => section.key)).to.deep.equal(['plugins', 'telegramm'])
  })

  it('are found by key, by plugin, or by their parent', () => {
    const { claimed } = sectionsOf(
      { ai: {}, http: {} },
      { 'http-core': 'http', agent: 'ai.agent', ai: 'ai.providers' },
      {},
    )
    const found = (name: string) => namedSection(claimed, name)?.key
    expect(['http', 'http-core', 'agent', 'ai.providers', 'ai', 'a', ''].map(found)).to.deep.equal([
      'http',
      'http',
      'ai.agent',
      'ai.providers',
      'ai.providers',
      undefined,
      undefined,
    ])
    expect(namedSection([{ key: 'ai.agent', plugin: 'agent', schema: undefined }], 'ai')?.key).to.equal('ai.agent')
  })

  it('change without mutating their source or a prototype', () => {
    const value = { list: [{ a: 1 }, { a: 2 }] }
    expect(setIn(value, ['list', 1, 'a'], 3)).to.deep.equal({ list: [{ a: 1 }, { a: 3 }] })
    expect(setIn(value, ['list', 0], undefined)).to.deep.equal({ list: [{ a: 2 }] })
    expect(value.list).to.have.length(2)
    expect(getIn(value, ['constructor', 'name'])).to.equal(undefined)
    expect(changesOf({ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } })).to.deep.equal([
      { path: ['a', 'c'], before: 2, after: 3 },
    ])
  })

  it('distinguish environment variables from literal text', () => {
    expect(variablesOf('${A} and ${B:-x}')).to.deep.equal(['A', 'B'])
    expect(variablesOf('$${A}')).to.deep.equal([])
    expect(variablesOf(5)).to.deep.equal([])
  })
})
