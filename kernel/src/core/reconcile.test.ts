import { expect } from 'chai'
import { Type } from 'typebox'
import {
  definePlugin,
  ifEnabled,
  KernelError,
  NotReady,
  configRolledBack,
  service,
  type AnyPlugin,
  type PluginEntry,
} from '../index.js'
import { flush, TestClock } from '../testing.js'
import { assertNoResidue, gate, running, states, viewOf } from '../test/support.js'

const Store = service<{ n: number }>('store')
const Mail = service<object>('mail')
const Section = Type.Object(
  { n: Type.Integer({ default: 0 }), broken: Type.Boolean({ default: false }) },
  { additionalProperties: false },
)

describe('reconcile', () => {
  let log: string[]
  beforeEach(() => {
    log = []
  })
  afterEach(assertNoResidue)

  const store = (name = 'store', need?: typeof Mail): AnyPlugin =>
    definePlugin({
      name,
      provides: [Store],
      needs: need ? { mail: need } : {},
      config: { key: name, schema: Section },
      setup(ctx) {
        if (ctx.config.broken) throw new Error('no store')
        ctx.provide(Store, { n: ctx.config.n })
        ctx.onDispose('end', () => log.push(`${name} down`))
      },
    })
  const consumer = (
    name: string,
    needs: Record<string, typeof Store | ReturnType<typeof ifEnabled<{ n: number }>>> = { store: Store },
  ): AnyPlugin =>
    definePlugin({
      name,
      needs,
      config: { key: name, schema: Section },
      setup(ctx) {
        log.push(`${name} ${ctx.config.n} with ${(ctx as unknown as { store?: { n: number } }).store?.n}`)
        if (ctx.config.broken) throw new Error('boom')
      },
    })
  const configured = (plugin: AnyPlugin, config: object): PluginEntry => ({ plugin, config })

  it('cancels the retry of a refused plugin, and starts it later like any other', async () => {
    const clock = new TestClock()
    let ready = false
    const flaky = definePlugin({
      name: 'flaky',
      provides: [Store],
      setup(ctx) {
        log.push('tried')
        if (!ready) throw new NotReady('wait', { retryAfter: 1_000 })
        ctx.provide(Store, { n: 1 })
      },
    })
    const { host } = await running([flaky], { clock })
    ready = true
    // Another provider of the same service comes first, so the plugin is refused while its timer runs.
    await host.configure([{ plugin: store() }, { plugin: flaky }])
    expect(states(host)).to.deep.equal({ store: 'active', flaky: 'failed' })
    expect({ error: viewOf(host, 'flaky').error instanceof KernelError, pending: clock.pending }).to.deep.equal({
      error: true,
      pending: 0,
    })
    await host.configure([{ plugin: flaky }])
    expect(states(host)).to.deep.equal({ flaky: 'active' })
    await clock.advance(3_600_000)
    expect({ states: states(host), log }).to.deep.equal({
      states: { flaky: 'active' },
      log: ['tried', 'store down', 'tried'],
    })
  })

  it('rolls back a section that does not start, also when its provider changes in the same edit', async () => {
    const [s, c] = [store(), consumer('c')]
    const { host } = await running([s, c])
    const told: string[] = []
    const off = host.on(configRolledBack, ({ plugin, reason }) => void told.push(`${plugin}: ${reason}`))
    log.length = 0
    const report = await host.configure([configured(s, { n: 1 }), configured(c, { n: 1, broken: true })])
    expect(report).to.deep.equal({
      accepted: true,
      updated: [],
      restarted: ['store'],
      refusals: [
        {
          plugin: 'c',
          mistakes: [
            { path: '', message: 'c did not start with this configuration, so the previous one is back: boom' },
          ],
        },
      ],
    })
    off()
    expect({ states: states(host), log, told }).to.deep.equal({
      states: { store: 'active', c: 'active' },
      log: ['store down', 'c 1 with 1', 'c 0 with 1'],
      told: ['c: boom'],
    })
  })

  it('rolls back after a retry, and keeps a section that is only not ready', async () => {
    const clock = new TestClock()
    const errors = [new NotReady('wait', { retryAfter: 10 }), new Error('boom')]
    const plugin = definePlugin({
      name: 'p',
      config: { key: 'p', schema: Section },
      setup(ctx) {
        log.push(`up ${ctx.config.n}`)
        if (ctx.config.n === 1) throw errors.shift()
      },
    })
    const { host } = await running([plugin], { clock })
    expect(await host.update('p', { n: 1 })).to.equal('restarted')
    expect(viewOf(host, 'p').state).to.equal('failed')
    await clock.advance(10)
    await host.settled()
    expect({ state: viewOf(host, 'p').state, log }).to.deep.equal({
      state: 'active',
      log: ['up 0', 'up 1', 'up 1', 'up 0'],
    })
  })

  for (const order of ['provider first', 'consumer first'] as const) {
    it(`never starts an old section with a new provider, or the reverse (${order})`, async () => {
      const [s, c, failed] = [store(), consumer('c'), consumer('failed')]
      const place = (...entries: PluginEntry[]): PluginEntry[] =>
        order === 'provider first' ? entries : entries.reverse()
      const { host } = await running(
        place(configured(s, { n: 1 }), configured(c, { n: 1 }), configured(failed, { n: 1, broken: true })),
      )
      log.length = 0
      await host.configure(
        place(configured(s, { n: 2 }), configured(c, { n: 2 }), configured(failed, { n: 2, broken: true })),
      )
      expect(log).to.have.members(['store down', 'c 2 with 2', 'failed 2 with 2'])
    })
  }

  it('restarts once for changes at several levels of its needs', async () => {
    const [mail, s, c] = [
      definePlugin({
        name: 'mail',
        provides: [Mail],
        config: { key: 'm', schema: Section },
        setup(ctx) {
          ctx.provide(Mail, {})
        },
      }),
      store('store', Mail),
      consumer('c'),
    ]
    const { host } = await running([configured(c, { broken: true }), s, mail])
    log.length = 0
    await host.configure(
      [configured(c, { n: 2, broken: true }), s, configured(mail, { n: 2 })].map((entry) =>
        'plugin' in entry ? entry : { plugin: entry },
      ),
    )
    expect(log).to.deep.equal(['store down', 'c 2 with 0'])
  })

  it('starts once for each decision about an ifEnabled need', async () => {
    const s = store()
    const c = consumer('c', { store: ifEnabled(Store) })
    const { host } = await running([c, s])
    await host.enable('store', false)
    await host.settled()
    expect(log.splice(0)).to.have.members(['c 0 with 0', 'store down', 'c 0 with undefined'])
    // Decided and decided back before anything has moved: nothing does.
    await Promise.all([host.enable('store', true), host.enable('store', false)])
    await host.settled()
    expect({ log, state: states(host)['c'] }).to.deep.equal({ log: ['c 0 with undefined'], state: 'active' })
  })

  it('waits for a stopping plugin of the same name, and inherits none of its state', async () => {
    const closing = gate()
    const old = definePlugin({
      name: 'p',
      setup(ctx) {
        ctx.keep('state', () => 'old')
        ctx.onDispose('end', async () => {
          await closing.promise
          log.push('old gone')
        })
      },
    })
    const fresh = definePlugin({
      name: 'p',
      setup(ctx) {
        log.push(ctx.keep('state', () => 'fresh'))
      },
    })
    const { host } = await running([old])
    const removed = host.remove('p')
    const added = host.add({ plugin: fresh })
    await flush()
    expect({ log, states: states(host) }).to.deep.equal({ log: [], states: { p: 'pending' } })
    closing.open()
    await Promise.all([removed, added])
    expect({ log, states: states(host) }).to.deep.equal({ log: ['old gone', 'fresh'], states: { p: 'active' } })
  })

  it('lets a third plugin start when the waiting one of that name is removed', async () => {
    const closing = gate()
    const p = (text: string): AnyPlugin =>
      definePlugin({
        name: 'p',
        setup(ctx) {
          log.push(`${text} up`)
          ctx.onDispose('end', async () => {
            if (text === 'one') await closing.promise
            log.push(`${text} down`)
          })
        },
      })
    const { host } = await running([p('one')])
    const edits = [host.remove('p'), host.add({ plugin: p('two') }), host.remove('p'), host.add({ plugin: p('three') })]
    closing.open()
    await Promise.all(edits)
    await host.settled()
    expect({ log, states: states(host) }).to.deep.equal({
      log: ['one up', 'one down', 'three up'],
      states: { p: 'active' },
    })
  })
})

describe('an edit during a setup that never ends', () => {
  afterEach(assertNoResidue)
  const store = definePlugin({
    name: 'store',
    provides: [Store],
    config: { key: 'store', schema: Section },
    setup(ctx) {
      ctx.provide(Store, { n: 0 })
      return { update: () => true }
    },
  })
  const other = definePlugin({ name: 'other', config: { key: 'other', schema: Section } })

  /** Returns a host one of whose plugins is in its setup for ever; the time of the host does not go on by itself. */
  async function beside(
    needs = {},
  ): Promise<{ host: Awaited<ReturnType<typeof running>>['host']; hanging: AnyPlugin }> {
    const hanging = definePlugin({ name: 'hanging', needs, setup: () => new Promise<void>(() => {}) })
    const { host } = await running([store, other], { clock: new TestClock() })
    void host.add({ plugin: hanging })
    await flush()
    expect(states(host)['hanging']).to.equal('starting')
    return { host, hanging }
  }

  it('waits only for the edited plugins', async () => {
    const { host } = await beside()
    expect(await host.update('other', { n: 1 })).to.equal('restarted')
    await host.enable('other', false)
    await host.enable('other', true)
    await host.add({ plugin: definePlugin({ name: 'more' }) })
    await host.remove('more')
    expect(states(host)).to.deep.equal({ store: 'active', other: 'active', hanging: 'starting' })
  })

  it('resolves Host.configure when the edited plugins are settled', async () => {
    const { host, hanging } = await beside()
    const report = await host.configure([{ plugin: store }, { plugin: other, config: { n: 4 } }, { plugin: hanging }])
    expect(report).to.deep.equal({ accepted: true, refusals: [], updated: [], restarted: ['other'] })
    expect(states(host)['hanging']).to.equal('starting')
  })

  it('does not wait when the provider of that setup is updated in place', async () => {
    const { host, hanging } = await beside({ store: Store })
    const report = await host.configure([{ plugin: store, config: { n: 4 } }, { plugin: other }, { plugin: hanging }])
    expect(report).to.deep.equal({ accepted: true, refusals: [], updated: ['store'], restarted: [] })
    expect(states(host)['hanging']).to.equal('starting')
  })

  it('aborts that setup when its provider stops, and waits for the grace period only', async () => {
    const { host } = await beside({ store: Store })
    await host.enable('store', false)
    expect(states(host)).to.deep.equal({ store: 'disabled', other: 'active', hanging: 'pending' })
  })
})
