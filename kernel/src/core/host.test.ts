import { expect } from 'chai'
import { Type } from 'typebox'
import { createHost, definePlugin, KernelError, service, type AnyPlugin } from '../index.js'
import { assertNoResidue, failureOf, running, states, viewOf } from '../test/support.js'

const Section = Type.Object(
  { n: Type.Integer({ default: 0 }), broken: Type.Boolean({ default: false }) },
  { additionalProperties: false },
)

describe('Host', () => {
  let log: string[]
  beforeEach(() => {
    log = []
  })
  afterEach(assertNoResidue)

  const plugin = (name: string, update?: (next: number) => boolean): AnyPlugin =>
    definePlugin({
      name,
      config: { key: name, schema: Section },
      setup(ctx) {
        if (ctx.config.broken) throw new Error('boom')
        log.push(`${name} up ${ctx.config.n}`)
        ctx.onDispose('end', () => log.push(`${name} down`))
        return update ? { update: (next) => update(next.n) } : {}
      },
    })

  it('takes in place, restarts, adds, removes and disables as the new configuration says', async () => {
    const [a, b, c, d] = [plugin('a', () => true), plugin('b'), plugin('c'), plugin('d')]
    const { host } = await running([a, b, c])
    log.length = 0
    const report = await host.configure([
      { plugin: d },
      { plugin: a, config: { n: 1 } },
      { plugin: b, config: { n: 2 } },
      { plugin: c, enabled: false },
    ])
    expect(report).to.deep.equal({ accepted: true, refusals: [], updated: ['a'], restarted: ['c', 'd', 'b'] })
    expect(log).to.have.members(['c down', 'd up 0', 'b down', 'b up 2'])
    expect(Object.entries(states(host))).to.deep.equal([
      ['d', 'active'],
      ['a', 'active'],
      ['b', 'active'],
      ['c', 'disabled'],
    ])
    await host.configure([{ plugin: a, config: { n: 1 } }])
    expect(states(host)).to.deep.equal({ a: 'active' })
  })

  it('does nothing for an equal configuration, in any notation', async () => {
    const a = plugin('a')
    const { host } = await running([{ plugin: a, config: { n: 1, broken: false } }])
    expect(await host.configure([{ plugin: a, config: { broken: false, n: 1 } }])).to.deep.equal({
      accepted: true,
      refusals: [],
      updated: [],
      restarted: [],
    })
    expect(log).to.deep.equal(['a up 1'])
  })

  it('refuses a configuration as a whole when one section is invalid', async () => {
    const [a, b] = [plugin('a'), plugin('b')]
    const { host } = await running([a, b])
    const report = await host.configure([
      { plugin: a, config: { n: 'x' } },
      { plugin: b, config: { n: 7 } },
    ])
    expect(report).to.deep.equal({
      accepted: false,
      refusals: [{ plugin: 'a', mistakes: [{ path: 'a.n', message: 'must be integer, not string' }] }],
      updated: [],
      restarted: [],
    })
    expect(log).to.deep.equal(['a up 0', 'b up 0'])
  })

  it('refuses an unreadable section, and ignores an invalid one of a disabled plugin', async () => {
    const a = plugin('a')
    const { host } = await running([a])
    const refused = new KernelError('config/missing-variable', 'TOKEN is not set', { place: { path: 'a.token' } })
    expect(await host.configure([{ plugin: a, refused }])).to.deep.include({
      accepted: false,
      refusals: [{ plugin: 'a', mistakes: [{ path: 'a.token', message: 'TOKEN is not set' }] }],
    })
    expect(await host.configure([{ plugin: a, enabled: false, config: { n: 'x' } }])).to.deep.include({
      accepted: true,
      refusals: [],
    })
    expect(states(host)).to.deep.equal({ a: 'disabled' })
    await host.enable('a', true)
    expect(viewOf(host, 'a').error).to.include({
      code: 'config/invalid',
      message: 'a: a.n must be integer, not string',
    })
    expect(await host.update('a', { n: 3 })).to.equal('restarted')
    expect(states(host)).to.deep.equal({ a: 'active' })
  })

  it('refuses one name twice', async () => {
    const { host } = await running([])
    expect(await failureOf(() => host.configure([{ plugin: plugin('a') }, { plugin: plugin('a') }]))).to.include({
      code: 'plugin/duplicate-name',
      message: 'Two plugins are called "a"',
    })
    expect(await failureOf(() => createHost([{ plugin: plugin('a') }, { plugin: plugin('a') }]).start())).to.include({
      code: 'plugin/duplicate-name',
    })
  })

  it('rolls back when a restart fails', async () => {
    const a = plugin('a')
    const { host } = await running([{ plugin: a, config: { n: 1 } }])
    expect(await host.update('a', { n: 2, broken: true })).to.deep.equal({
      plugin: 'a',
      mistakes: [{ path: '', message: 'a did not start with this configuration, so the previous one is back: boom' }],
    })
    await host.settled()
    expect(log).to.deep.equal(['a up 1', 'a down', 'a up 1'])
    expect(states(host)).to.deep.equal({ a: 'active' })
    const { accepted, refusals, restarted } = await host.configure([{ plugin: a, config: { broken: true } }])
    expect({ accepted, refused: refusals.map(({ plugin: name }) => name), restarted }).to.deep.equal({
      accepted: true,
      refused: ['a'],
      restarted: [],
    })
    expect(states(host)).to.deep.equal({ a: 'active' })
  })

  it('does not roll back a plugin that did not run before', async () => {
    const { host } = await running([{ plugin: plugin('a'), config: { broken: true } }])
    expect(await host.update('a', { n: 1, broken: true })).to.equal('restarted')
    expect(states(host)).to.deep.equal({ a: 'failed' })
    expect(await host.update('a', { n: 1 })).to.equal('restarted')
    expect(states(host)).to.deep.equal({ a: 'active' })
  })

  it('restarts a plugin whose update throws, and reports the error', async () => {
    const { host } = await running([
      plugin('a', () => {
        throw new Error('cannot')
      }),
    ])
    expect(await host.update('a', { n: 1 })).to.equal('restarted')
    expect(log).to.deep.equal(['a up 0', 'a down', 'a up 1'])
    expect(viewOf(host, 'a').errors.map(({ message }) => message)).to.deep.equal(['cannot'])
  })

  it('makes concurrent changes one after the other', async () => {
    const a = plugin('a')
    const { host } = await running([a])
    await Promise.all([
      host.configure([{ plugin: a, config: { n: 1 } }, { plugin: plugin('b') }]),
      host.configure([{ plugin: a, config: { n: 2 } }]),
      host.update('a', { n: 3 }),
    ])
    await host.settled()
    expect(states(host)).to.deep.equal({ a: 'active' })
    expect(log.at(-1)).to.equal('a up 3')
  })

  it('refuses a cycle that a new plugin closes, stops its plugins, and starts them when it is open again', async () => {
    const [A, B] = [service<object>('a'), service<object>('b')]
    const link = (name: string, need: typeof A, gives: typeof A): AnyPlugin =>
      definePlugin({
        name,
        needs: { need },
        provides: [gives],
        setup(ctx) {
          ctx.provide(gives, {})
        },
      })
    const root = definePlugin({
      name: 'root',
      provides: [B],
      setup(ctx) {
        ctx.provide(B, {})
      },
    })
    const { host } = await running([link('one', B, A), root])
    expect(states(host)).to.deep.equal({ one: 'active', root: 'active' })
    await host.enable('root', false)
    await host.add({ plugin: link('two', A, B) })
    expect(states(host)).to.deep.equal({ one: 'failed', root: 'disabled', two: 'failed' })
    expect(viewOf(host, 'one').error).to.include({
      code: 'need/cycle',
      message: 'one → two → one need each other, so none can start first',
    })
    await host.remove('two')
    await host.enable('root', true)
    await host.settled()
    expect(states(host)).to.deep.equal({ one: 'active', root: 'active' })
  })

  it('refuses unknown plugins, and calls before start and after stop', async () => {
    const { host } = await running([plugin('a')])
    for (const action of [
      () => host.remove('x'),
      () => host.enable('x', true),
      () => host.update('x', {}),
      () => host.why('x'),
    ]) {
      expect(await failureOf(action)).to.include({ code: 'host/unknown-plugin', message: 'No plugin is called "x"' })
    }
    expect((await failureOf(() => host.start())).code).to.equal('host/stopped')
    await host.stop()
    await host.stop()
    expect((await failureOf(() => host.add({ plugin: plugin('b') }))).code).to.equal('host/stopped')
    expect((await failureOf(() => host.configure([]))).code).to.equal('host/stopped')
  })
})
