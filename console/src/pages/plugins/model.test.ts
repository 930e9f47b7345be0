import type { ConsoleEntry } from '@mynah/contract/types'
import { type EntryState } from '@mynah/sdk'
import { expect } from 'chai'
import { schemaRows } from '../../lib/schema-rows.js'
import {
  userFeatures,
  describe as describeIn,
  entriesOf,
  featureCount,
  lineOf,
  linesAround,
  originOf,
  pluginPage,
  statusOf,
} from './model.js'
import { plugins } from '../../../test/stand-in.js'

const entry = (id: string, more: Partial<EntryState> = {}): EntryState => ({
  id,
  entry: {
    id,
    resolvedModule: `/@dev/${id}/client/index.js`,
    order: 1,
    enabled: true,
    meta: { name: id, version: '1' },
  } satisfies ConsoleEntry,
  status: 'loaded',
  routes: [],
  tools: [],
  ...more,
})

describe('the plugins model', () => {
  it('lists failed plugins first, filters, sorts, and counts without the filter', () => {
    const names = (query: Record<string, string>): string[] =>
      pluginPage(plugins, query).rows.map((plugin) => plugin.name)
    expect(names({})).to.deep.equal(['marketplace', 'chat', 'http-core'])
    expect(names({ status: 'failed' })).to.deep.equal(['marketplace'])
    expect(names({ filter: 'COMMANDS' })).to.deep.equal(['chat'])
    expect(names({ sort: '-brings' })[0]).to.equal('http-core')
    expect(pluginPage(plugins, { filter: 'nothing has this' })).to.include({ total: 0, unfilteredTotal: 3 })
    expect(plugins.map(featureCount)).to.deep.equal([3, 31, 0])
  })

  it('maps states to four statuses, also for hosts without states', () => {
    const item = (more: object) => ({ name: 'p', status: 'inactive' as const, description: '', features: [], ...more })
    expect(
      ['failed', 'disabled', 'pending', 'starting', 'degraded', 'active'].map((state) => statusOf(item({ state }))),
    ).to.deep.equal(['failed', 'off', 'waiting', 'waiting', 'running', 'running'])
    expect(statusOf(item({ status: 'active' }))).to.equal('running')
    expect(statusOf(item({}))).to.equal('off')
    expect(statusOf(item({ error: 'x' }))).to.equal('failed')
  })

  it('returns features for people, origin and localized description of a plugin', () => {
    const item = {
      name: 'p',
      status: 'active' as const,
      description: 'Text',
      descriptions: { 'zh-CN': '文字' },
      features: [
        { name: 'routes', count: 9, items: [] },
        { name: 'commands', count: 2, items: [] },
      ],
    }
    expect(userFeatures(item)).to.deep.equal([{ kind: 'commands', count: 2 }])
    expect([describeIn(item, 'zh-CN'), describeIn(item, 'en')]).to.deep.equal(['文字', 'Text'])
    expect(
      ['@mynah/plugin-chat', 'mynah-plugin-weather', './plugins/own.js', 'plugins/notes', 'single.js', undefined].map(
        (filePath) => originOf({ ...item, ...(filePath ? { filePath } : {}) }),
      ),
    ).to.deep.equal([
      'ours',
      'third',
      { path: './plugins/own.js' },
      { path: 'plugins/notes' },
      { path: 'single.js' },
      'ours',
    ])
  })

  it('finds the line of an error, and the lines around it', () => {
    expect(lineOf('mynah.config.yml:41 weather.units: expected "metric"')).to.equal(41)
    expect(lineOf(`${'x'.repeat(5_000)} mynah.config.yml:41`)).to.equal(undefined)
    expect(linesAround('a\nb\nc\nd', 2, 1)).to.deep.equal([
      { number: 1, text: 'a', isError: false },
      { number: 2, text: 'b', isError: true },
      { number: 3, text: 'c', isError: false },
    ])
  })

  it('walks nested keys, items, unions and pattern keys of a schema', () => {
    const rows = schemaRows({
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'string', default: '/', description: 'First' },
        b: { type: 'array', items: { type: 'object', properties: { c: { enum: ['x', 1] } } } },
        d: { anyOf: [{ type: 'string' }, { const: 3 }] },
        e: { type: 'object', additionalProperties: { type: 'integer' } },
      },
    })
    expect(rows).to.deep.equal([
      { path: 'a', type: 'string', required: true, fallback: '"/"', description: 'First' },
      { path: 'b', type: 'object[]', required: false },
      { path: 'b[].c', type: '"x" | 1', required: false },
      { path: 'd', type: 'string | 3', required: false },
      { path: 'e', type: 'object', required: false },
      { path: 'e.*', type: 'integer', required: false },
    ])
  })

  it('ends on recursive and invalid schemas', () => {
    const circle: Record<string, unknown> = { type: 'object' }
    circle['properties'] = { again: circle }
    expect(schemaRows(circle).length).to.be.within(1, 500)
    for (const schema of [null, 'x', true, [], {}]) expect(schemaRows(schema)).to.deep.equal([])
  })

  it('finds the console entries of a plugin', () => {
    const of = (id: string, plugin?: string): EntryState => ({
      ...entry(id),
      entry: { ...entry(id).entry, meta: { name: id, version: '1', ...(plugin ? { plugin } : {}) } },
    })
    expect(
      entriesOf('adapter-sandbox', [of('any', 'adapter-sandbox'), of('adapter-sandbox', 'other'), of('sandbox')]).map(
        (state) => state.id,
      ),
    ).to.deep.equal(['any'])
  })
})
