import { expect } from 'chai'
import { Type, type TSchema } from 'typebox'
import { checkSection, prepareChecks } from './check.js'
import { deepEqual } from '../base/equal.js'
import { definePlugin, type AnyPlugin } from '../index.js'
import { running, assertNoResidue, viewOf } from '../test/support.js'

const claiming = (schema: TSchema, key = 'p'): AnyPlugin => definePlugin({ name: 'p', config: { key, schema } })

describe('checkSection', () => {
  before(() => prepareChecks([claiming(Type.Object({}))]))
  afterEach(assertNoResidue)

  const check = (schema: TSchema, written: unknown) => checkSection(claiming(schema), written)
  const mistakes = (schema: TSchema, written: unknown) =>
    check(schema, written).mistakes.map(({ path, message }) => `${path} ${message}`)

  it("fills in deep defaults without changing the caller's value", () => {
    const schema = Type.Object({
      port: Type.Integer({ default: 80 }),
      tls: Type.Object({ on: Type.Boolean({ default: false }) }, { default: {} }),
    })
    const written = {}
    expect(check(schema, written)).to.deep.equal({ section: { port: 80, tls: { on: false } }, mistakes: [] })
    expect(check(schema, undefined).section).to.deep.equal({ port: 80, tls: { on: false } })
    expect(check(schema, null).section).to.deep.equal({ port: 80, tls: { on: false } })
    expect(written).to.deep.equal({})
  })

  it('uses the default of the schema for an absent section', () => {
    expect(check(Type.Array(Type.String(), { default: ['/'] }), undefined).section).to.deep.equal(['/'])
    expect(check(Type.Object({ a: Type.Integer() }, { default: { a: 3 } }), undefined)).to.deep.equal({
      section: { a: 3 },
      mistakes: [],
    })
    expect(mistakes(Type.String(), undefined)).to.deep.equal(['p must be string, not undefined'])
  })

  it('returns mistakes with full paths', () => {
    const schema = Type.Object(
      { hosts: Type.Array(Type.Object({ port: Type.Integer({ maximum: 65_535 }) })), token: Type.String() },
      { additionalProperties: false },
    )
    expect(mistakes(schema, { hosts: [{ port: 1 }, { port: 70_000 }, {}], tokn: 'x' })).to.deep.equal([
      'p.token is required',
      'p.tokn is not known here; did you mean "token"?',
      'p.hosts[1].port must be <= 65535',
      'p.hosts[2].port is required',
    ])
    expect(mistakes(Type.Object({ 'a/b~c': Type.Integer() }), { 'a/b~c': null })).to.deep.equal([
      'p.a/b~c must be integer, not null',
    ])
    expect(
      mistakes(Type.Object({ only: Type.Optional(Type.Integer()) }, { additionalProperties: false }), { something: 1 }),
    ).to.deep.equal(['p.something is not known here; known are only'])
  })

  it('returns one mistake for a choice among constants', () => {
    expect(
      mistakes(Type.Object({ mode: Type.Union([Type.Literal('on'), Type.Literal('off')]) }), { mode: 'of' }),
    ).to.deep.equal(['p.mode must be one of "on", "off"'])
    expect(mistakes(Type.Object({ mode: Type.Enum(['on', 'off']) }), { mode: 'of' })).to.deep.equal([
      'p.mode must be one of "on", "off"',
    ])
  })

  it('describes what was expected, in the words of the schema', () => {
    expect(mistakes(Type.Object({ off: Type.Literal(false) }), { off: true })).to.deep.equal(['p.off must be false'])
    expect(
      mistakes(Type.Object({ base: Type.String({ pattern: '^/', description: 'begins with /' }) }), { base: 'x' }),
    ).to.deep.equal(['p.base does not fit the form that is asked for: begins with /'])
    expect(
      mistakes(
        Type.Object({
          host: Type.String({ pattern: '^\\S+$', description: 'Name of the server', examples: ['irc.example.org'] }),
        }),
        { host: 'a b' },
      ),
    ).to.deep.equal(['p.host does not fit the form that is asked for: Name of the server, such as "irc.example.org"'])
    expect(
      mistakes(Type.Object({ at: Type.String({ pattern: '^\\d', examples: ['22:30'] }) }), { at: 'x' }),
    ).to.deep.equal(['p.at does not fit the form that is asked for, such as "22:30"'])
    expect(mistakes(Type.Object({ base: Type.String({ pattern: '^/' }) }), { base: 'x' })).to.deep.equal([
      'p.base must match pattern "^/"',
    ])
  })

  it('calls the check of the plugin for sections that fit the schema', () => {
    const schema = Type.Object({ least: Type.Integer({ default: 1 }), most: Type.Integer() })
    const found = (
      written: unknown,
      check: (config: { least: number; most: number }) => { path: string; message: string }[],
    ) => checkSection(definePlugin({ name: 'p', config: { key: 'p', schema, check } }), written).mistakes
    const ordered = ({ least, most }: { least: number; most: number }) =>
      least > most ? [{ path: 'p.most', message: `must be at least ${least}` }] : []
    expect(found({ most: 3 }, ordered)).to.deep.equal([])
    expect(found({ most: 0 }, ordered)).to.deep.equal([{ path: 'p.most', message: 'must be at least 1' }])
    expect(found({ most: 'x' }, ordered)).to.deep.equal([{ path: 'p.most', message: 'must be integer, not string' }])
    expect(
      found({ most: 3 }, () => {
        throw new Error('out of order')
      }),
    ).to.deep.equal([{ path: 'p', message: 'cannot be checked: out of order' }])
  })

  it('never sets a prototype from a key', () => {
    const written = JSON.parse('{"__proto__": {"polluted": true}, "n": 1}') as unknown
    const { section: config } = check(Type.Object({ n: Type.Integer() }), written)
    expect(Object.getPrototypeOf(config)).to.equal(Object.prototype)
    expect((config as { polluted?: unknown }).polluted).to.equal(undefined)
  })

  it('returns several sections by path', () => {
    const plugin = definePlugin({
      name: 'p',
      config: {
        keys: { 'ai.model': Type.String({ default: 'x' }), agent: Type.Object({ n: Type.Integer({ default: 1 }) }) },
      },
    })
    expect(checkSection(plugin, { agent: { n: 2 } })).to.deep.equal({
      section: { 'ai.model': 'x', agent: { n: 2 } },
      mistakes: [],
    })
    expect(checkSection(plugin, { agent: { n: 'x' } }).mistakes).to.deep.equal([
      { path: 'agent.n', message: 'must be integer, not string' },
    ])
  })

  it('fails its plugin only, with the number of further mistakes', async () => {
    const { host } = await running([
      { plugin: claiming(Type.Object({ a: Type.Integer(), b: Type.Integer() })), config: {} },
      definePlugin({ name: 'other' }),
    ])
    expect(viewOf(host, 'p').error).to.deep.include({
      code: 'config/invalid',
      message: 'p: p.a is required (and 1 more)',
      place: { path: 'p.a' },
    })
    expect(viewOf(host, 'other').state).to.equal('active')
  })

  it('fails a plugin with an unusable schema only', async () => {
    const odd = claiming({ type: 'object', properties: { a: { type: 'integer', maximun: 3 } } } as unknown as TSchema)
    const { host } = await running([{ plugin: odd, config: {} }, definePlugin({ name: 'other' })])
    expect(viewOf(host, 'p').error?.message)
      .to.match(/^p: p cannot be checked, because the schema of the plugin is not usable: /)
      .and.match(/usable: strict mode: unknown keyword: "maximun"/)
    expect(viewOf(host, 'other').state).to.equal('active')
  })

  it('names the mistake in an invalid schema', async () => {
    const odd = claiming({ type: 'object', properties: { a: null } } as unknown as TSchema)
    const { host } = await running([{ plugin: odd, config: {} }])
    expect(viewOf(host, 'p').error?.message)
      .to.match(/^p: p cannot be checked, because the schema of the plugin is not usable: /)
      .and.match(/usable: schema is invalid: data\/properties\/a must be object,boolean/)
  })

  it('compares sections by value, in any order of keys', () => {
    expect(deepEqual({ a: [1, { b: null }], c: 'x' }, { c: 'x', a: [1, { b: null }] })).to.equal(true)
    for (const [a, b] of [
      [{ a: 1 }, { a: 2 }],
      [{ a: 1 }, { b: 1 }],
      [{ a: undefined }, { b: 1 }],
      [
        [1, 2],
        [2, 1],
      ],
      [[1], [1, 2]],
      [[], {}],
      [null, {}],
      [1, '1'],
      [new Date(1), new Date(2)],
    ]) {
      expect(deepEqual(a, b), JSON.stringify([a, b])).to.equal(false)
    }
    expect(deepEqual(Number.NaN, Number.NaN)).to.equal(true)
  })
})
