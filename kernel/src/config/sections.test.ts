import { expect } from 'chai'
import { Type } from 'typebox'
import type { AnyPlugin } from '../core/plugin.js'
import { parseDocument, type ConfigDocument, type Section } from './document.js'
import { conflicts, listPlugins, sectionFor, unclaimed, type Claim } from './sections.js'

const document = (text: string): ConfigDocument => parseDocument(text, 'f.yml').document as ConfigDocument
const plugin = (name: string, config: object): AnyPlugin => ({ name, config }) as AnyPlugin
const schema = { type: 'object' }
const none = new Set<string>()

describe('listPlugins', () => {
  const list = (text: string) => {
    const { listed, problems } = listPlugins(document(text).source, document(text))
    return {
      names: listed.map(({ name, enabled }) => (enabled ? name : `-${name}`)),
      messages: problems.map(({ message }) => message),
    }
  }

  it('accepts names, paths and the long form', () => {
    expect(list('plugins: [a, ./b, { name: c }, { name: d, enabled: false }]').names).to.deep.equal([
      'a',
      './b',
      'c',
      '-d',
    ])
    expect(list('http: {}').names).to.deep.equal([])
    expect(list('plugins:').names).to.deep.equal([])
  })

  it('describes valid items', () => {
    expect(list('plugins: a').messages).to.deep.equal(['plugins must be a list of plugin names'])
    for (const item of ['1', '[]', '{}', '""', 'null', '{ name: 1 }'])
      expect(list(`plugins: [${item}]`).messages[0], item).to.contain('plugins[0] must be')
    expect(list('plugins: [{ name: a, enable: true }]').messages[0]).to.contain('plugins[0].enable is not known')
    expect(list('plugins: [{ name: a, enabled: 3 }]').messages[0]).to.contain(
      'plugins[0].enabled must be true or false',
    )
  })
})

describe('sectionFor', () => {
  const values: Section = {
    ai: { model: 'm', agent: { name: 'n', execPreset: 'p', depth: { a: 1 } }, trigger: { on: true } },
    other: 5,
  }
  const ai = plugin('ai', { key: 'ai', schema })
  const agent = plugin('agent', { keys: { 'ai.agent': schema, 'ai.trigger': schema } })
  const exec = plugin('exec', { key: 'ai.agent.execPreset', schema: { type: 'string' } })
  const claims: Claim[] = [
    { plugin: 'ai', path: 'ai' },
    { plugin: 'agent', path: 'ai.agent' },
    { plugin: 'agent', path: 'ai.trigger' },
    { plugin: 'exec', path: 'ai.agent.execPreset' },
  ]

  it('gives a part to the longest claim only', () => {
    expect(sectionFor(ai, values, claims, none)).to.deep.equal({ model: 'm' })
    expect(sectionFor(agent, values, claims, none)).to.deep.equal({
      'ai.agent': { name: 'n', depth: { a: 1 } },
      'ai.trigger': { on: true },
    })
    expect(sectionFor(exec, values, claims, none)).to.equal('p')
  })

  it('returns undefined for a missing key, or one without a value', () => {
    expect(sectionFor(plugin('x', { key: 'x', schema }), values, claims, none)).to.equal(undefined)
    expect(sectionFor(plugin('x', { key: 'other.deep', schema }), values, claims, none)).to.equal(undefined)
    expect(sectionFor(plugin('x', { key: 'x', schema }), { x: null }, claims, none)).to.equal(undefined)
    expect(sectionFor(plugin('x', { keys: { x: schema } }), { x: null }, claims, none)).to.deep.equal({})
  })

  it('casts text of variables as the schema asks', () => {
    const typed = {
      type: 'object',
      properties: {
        port: { type: 'integer' },
        on: { type: 'boolean' },
        text: { type: 'string' },
        either: { anyOf: [{ type: 'number' }, { type: 'null' }] },
        list: { type: 'array', items: { type: 'number' } },
        map: { type: 'object', additionalProperties: { type: 'boolean' } },
      },
    }
    const section = {
      port: '80',
      on: 'true',
      text: '80',
      either: '1.5',
      list: ['2', 'x'],
      map: { a: 'false' },
      free: '7',
    }
    const touched = new Set(['s.port', 's.on', 's.text', 's.either', 's.list[0]', 's.list[1]', 's.map.a', 's.free'])
    const claimed = plugin('s', { key: 's', schema: typed })
    expect(sectionFor(claimed, { s: section }, [], touched)).to.deep.equal({
      port: 80,
      on: true,
      text: '80',
      either: 1.5,
      list: [2, 'x'],
      map: { a: false },
      free: '7',
    })
    expect(sectionFor(claimed, { s: section }, [], none)).to.deep.equal(section)
  })

  it('warns of unclaimed keys with the closest name', () => {
    const text = 'plugins: []\nai: { agent: {}, model: x }\nhtpp: {}\nown: false\n'
    const found = unclaimed(
      document(text).source,
      [
        { plugin: 'http', path: 'http' },
        { plugin: 'agent', path: 'ai.agent' },
      ],
      { own: Type.Boolean() },
      document(text),
    )
    expect(found.map(({ severity, message, place }) => [severity, message, place?.line])).to.deep.equal([
      ['warning', 'ai.model is read by no plugin', 2],
      ['warning', 'htpp is read by no plugin; did you mean "http"?', 3],
    ])
  })

  it('names the command that installs the plugin of a section', () => {
    const text = document('ai: { providers: {} }\n')
    expect(unclaimed(text.source, [{ plugin: 'http', path: 'http' }], {}, text)[0]?.message).to.equal(
      'ai is read by no plugin; add ai to plugins, after: npm install @mynah/plugin-ai',
    )
  })

  it('warns a hundred times at most, and looks no further', () => {
    // With as many sections, the nearest name of each key would take hours.
    const names = Array.from({ length: 20_000 }, (_, index) => `key_number_${index}`)
    const claims = names.map((name) => ({ plugin: 'http', path: `${name}_and_more` }))
    const text = document(names.map((name) => `${name}: 1\n`).join(''))
    expect(unclaimed(text.source, claims, {}, text)).to.have.length(100)
  })

  it('warns of an unclaimed key whose name is the beginning of a claim', () => {
    const text = document('htt: { port: 1 }\nai: { age: { n: 1 } }\n')
    const found = unclaimed(
      text.source,
      [
        { plugin: 'http', path: 'http' },
        { plugin: 'agent', path: 'ai.agent' },
      ],
      {},
      text,
    )
    expect(found.map(({ message }) => message)).to.deep.equal([
      'htt is read by no plugin; did you mean "http"?',
      'ai.age is read by no plugin; did you mean "ai.agent"?',
    ])
  })

  it('fails the later of two plugins with the same claim', () => {
    const text = document('plugins: [a, b, c]')
    const item = (name: string, index: number, enabled = true) => ({
      plugin: plugin(name, { key: 'same', schema }),
      enabled,
      path: `plugins[${index}]`,
    })
    expect(conflicts([item('a', 0), item('b', 1)], text)).to.have.length(1)
    expect(conflicts([item('a', 0), item('b', 1)], text)[0]).to.include({
      code: 'config/conflicting-claims',
      plugin: 'b',
      severity: 'plugin',
    })
    expect(
      conflicts([item('a', 0), item('b', 1, false), item('c', 2)], text).map((found) => found.plugin),
    ).to.deep.equal(['c'])
  })
})
