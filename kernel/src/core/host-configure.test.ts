import { expect } from 'chai'
import { Type } from 'typebox'
import {
  definePlugin,
  hook,
  KernelError,
  point,
  service,
  type AnyPlugin,
  type PluginEntry,
  type Reader,
} from '../index.js'
import { assertNoResidue, failureOf, gate, running, states, viewOf } from '../test/support.js'

const Section = Type.Object(
  { n: Type.Integer({ default: 0 }), broken: Type.Boolean({ default: false }) },
  { additionalProperties: false },
)
const said = hook<string[]>('said')
const things = point<string>({ id: 'things', key: (text) => text })
const Store = service<{ n: number }>('store')

describe('Host.configure', () => {
  let log: string[]
  beforeEach(() => {
    log = []
  })
  afterEach(assertNoResidue)

  const plugin = (name: string, update?: (n: number) => boolean): AnyPlugin =>
    definePlugin({
      name,
      config: { key: name, schema: Section },
      setup(ctx) {
        if (ctx.config.broken) throw new Error('boom')
        const runs = ctx.keep('runs', () => ({ count: 0 }))
        log.push(`${name}:${ctx.config.n} run ${++runs.count}`)
        ctx.on(said, (heard) => void heard.push(name))
        ctx.contribute(things, name)
        ctx.onDispose('end', () => log.push(`${name} down`))
        return update ? { update: (next) => update(next.n) } : {}
      },
    })

  it('makes each change once, leaves equal plugins alone, and sorts all again', async () => {
    const [equal, taken, restarted, disabled, enabled, removed, added, replaced, replacement] = [
      plugin('equal'),
      plugin('taken', () => true),
      plugin('restarted', () => false),
      plugin('disabled'),
      plugin('enabled'),
      plugin('removed'),
      plugin('added'),
      plugin('replaced'),
      plugin('replaced'),
    ]
    let reader!: Reader<string>
    const reading = definePlugin({
      name: 'reading',
      setup(ctx) {
        reader = ctx.read(things)
      },
    })
    const { host } = await running([
      equal,
      taken,
      restarted,
      disabled,
      { plugin: enabled, enabled: false },
      removed,
      replaced,
      reading,
    ])
    log.length = 0
    const report = await host.configure([
      { plugin: added },
      { plugin: reading },
      { plugin: enabled, config: { n: 5 } },
      { plugin: disabled, enabled: false, config: { n: 9 } },
      { plugin: replacement },
      { plugin: restarted, config: { n: 1 } },
      { plugin: taken, config: { n: 2 } },
      { plugin: equal, config: { n: 0 } },
    ])
    expect(report).to.deep.include({ accepted: true, refusals: [], updated: ['taken'] })
    expect(report.restarted).to.have.members(['added', 'enabled', 'disabled', 'removed', 'replaced', 'restarted'])
    expect(log).to.have.members([
      'removed down',
      'disabled down',
      'replaced down',
      'restarted down',
      'added:0 run 1',
      'enabled:5 run 1',
      'replaced:0 run 1',
      'restarted:1 run 2',
    ])
    expect(Object.entries(states(host))).to.deep.equal([
      ['added', 'active'],
      ['reading', 'active'],
      ['enabled', 'active'],
      ['disabled', 'disabled'],
      ['replaced', 'active'],
      ['restarted', 'active'],
      ['taken', 'active'],
      ['equal', 'active'],
    ])
    const order = ['added', 'enabled', 'replaced', 'restarted', 'taken', 'equal']
    const heard: string[] = []
    host.emit(said, heard)
    expect(heard, 'listeners in the new order').to.deep.equal(order)
    expect(
      reader.all().map(({ key }) => key),
      'contributions too',
    ).to.deep.equal(order)
    log.length = 0
    await host.enable('disabled', true)
    expect(log, 'a disabled plugin has its new section').to.deep.equal(['disabled:9 run 2'])
  })

  it('stops no plugin when any part is refused', async () => {
    const [a, b] = [plugin('a'), plugin('b')]
    const { host } = await running([a, b])
    log.length = 0
    const wrong: readonly (readonly [PluginEntry, object])[] = [
      [
        { plugin: plugin('new'), config: { n: 'x' } },
        { plugin: 'new', mistakes: [{ path: 'new.n', message: 'must be integer, not string' }] },
      ],
      [
        { plugin: plugin('new'), config: { m: 1 } },
        { plugin: 'new', mistakes: [{ path: 'new.m', message: 'is not known here; did you mean "n"?' }] },
      ],
      [
        { plugin: plugin('new'), config: [] },
        { plugin: 'new', mistakes: [{ path: 'new', message: 'must be object, not array' }] },
      ],
      [
        { plugin: plugin('new'), refused: new KernelError('config/conflicting-claims', 'taken') },
        { plugin: 'new', mistakes: [{ path: '', message: 'taken' }] },
      ],
    ]
    for (const [entry, refusal] of wrong) {
      const report = await host.configure([{ plugin: b, config: { n: 1 } }, entry])
      expect(report).to.deep.equal({ accepted: false, refusals: [refusal], updated: [], restarted: [] })
    }
    expect(log).to.deep.equal([])
    expect(Object.keys(states(host))).to.deep.equal(['a', 'b'])
  })

  it('refuses a value that is no plugin before anything else', async () => {
    const a = plugin('a')
    const { host } = await running([a])
    expect(
      await failureOf(() => host.configure([{ plugin: a, config: { n: 1 } }, { plugin: { name: '' } as AnyPlugin }])),
    ).to.include({ code: 'plugin/bad-definition' })
    expect(log).to.deep.equal(['a:0 run 1'])
  })

  it('reports all invalid sections', async () => {
    const { host } = await running([])
    const { refusals } = await host.configure(
      ['a', 'b'].map((name) => ({ plugin: plugin(name), config: { n: 'x', broken: 5 } })),
    )
    expect(refusals.map(({ plugin: name, mistakes }) => [name, mistakes.map(({ path }) => path)])).to.deep.equal([
      ['a', ['a.n', 'a.broken']],
      ['b', ['b.n', 'b.broken']],
    ])
  })

  it('rolls back the plugin whose restart fails, and keeps the other changes', async () => {
    const [a, b] = [plugin('a'), plugin('b')]
    const { host } = await running([a, b])
    log.length = 0
    const report = await host.configure([
      { plugin: a, config: { n: 1, broken: true } },
      { plugin: b, config: { n: 1 } },
    ])
    await host.settled()
    expect(report).to.deep.include({ accepted: true, restarted: ['b'] })
    expect(report.refusals.map(({ plugin: name }) => name)).to.deep.equal(['a'])
    expect(log).to.have.members(['a down', 'a:0 run 2', 'b down', 'b:1 run 2'])
    expect(states(host)).to.deep.equal({ a: 'active', b: 'active' })
  })

  it('moves a service from one provider to another, with a restart of the consumer', async () => {
    const provider = (name: string, n: number) =>
      definePlugin({
        name,
        provides: [Store],
        setup(ctx) {
          ctx.provide(Store, { n })
          ctx.onDispose('end', () => log.push(`${name} down`))
        },
      })
    const consumer = definePlugin({
      name: 'consumer',
      needs: { store: Store },
      setup(ctx) {
        const { n } = ctx.store
        log.push(`with ${n}`)
        ctx.onDispose('end', () => log.push(`without ${n}`))
      },
    })
    const [one, two] = [provider('one', 1), provider('two', 2)]
    const { host } = await running([one, consumer])
    await host.configure([{ plugin: consumer }, { plugin: two }])
    await host.settled()
    expect(log).to.deep.equal(['with 1', 'without 1', 'one down', 'with 2'])
    await host.configure([{ plugin: one }, { plugin: consumer }, { plugin: two }])
    await host.settled()
    expect(viewOf(host, 'two').error ?? viewOf(host, 'one').error).to.include({ code: 'need/duplicate-provider' })
    expect(states(host)['consumer']).to.equal('active')
  })

  it('does not wait for a setup that a disabled plugin no longer needs', async () => {
    const never = gate()
    const slow = definePlugin({ name: 'slow', setup: () => never.promise })
    const { host } = await running([])
    await Promise.all([host.configure([{ plugin: slow }]), host.configure([{ plugin: slow, enabled: false }])])
    expect(states(host)).to.deep.equal({ slow: 'disabled' })
  })

  it('removes all plugins for an empty list', async () => {
    const { host } = await running([plugin('a'), plugin('b')])
    log.length = 0
    expect(await host.configure([])).to.deep.equal({ accepted: true, refusals: [], updated: [], restarted: ['b', 'a'] })
    expect(log).to.deep.equal(['b down', 'a down'])
    const { kept, ...residue } = host.residue()
    expect(kept + Object.values(residue).reduce((sum, count) => sum + count, 0)).to.equal(0)
  })
})
