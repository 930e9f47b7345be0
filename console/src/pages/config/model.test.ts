import { expect } from 'chai'
import { changesOf, foldSections, getIn, namedSection, sectionsOf, setIn, variablesOf, type Json } from './model.js'

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
    const found = (name: string) => namedSection(foldSections(claimed), name)?.key
    expect(['http', 'http-core', 'agent', 'ai.providers', 'ai', 'a', ''].map(found)).to.deep.equal([
      'http',
      'http',
      'ai.agent',
      'ai.providers',
      'ai.providers',
      undefined,
      undefined,
    ])
    expect(namedSection([{ key: 'ai.agent', plugin: 'agent', schema: undefined, folded: [] }], 'ai')?.key).to.equal(
      'ai.agent',
    )
  })

  it('of one setting fold into the nearest section above', () => {
    const of = (key: string, schema: Json) => ({ key, plugin: 'x', schema })
    const many = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } }
    const sections = [
      of('ai', many),
      of('ai.agent', many),
      of('ai.agent.execSecurity', { enum: ['deny', 'full'] }),
      of('ai.agent.execView', many),
      of('ai.mcpServers', { type: 'object', additionalProperties: many }),
      of('ai.skills', { type: 'object', properties: { root: { type: 'string' } } }),
      of('logs', { type: 'object', properties: { maxRecords: { type: 'integer' } } }),
    ]
    const shown = foldSections(sections)
    expect(shown.map(({ key, folded }) => [key, folded.map((item) => [item.key, item.path])])).to.deep.equal([
      ['ai', [['ai.skills', ['root']]]],
      ['ai.agent', [['ai.agent.execSecurity', []]]],
      ['ai.agent.execView', []],
      ['ai.mcpServers', []],
      ['logs', []],
    ])
    expect(namedSection(shown, 'ai.skills')?.key).to.equal('ai')
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
