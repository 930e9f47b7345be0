import { expect } from 'chai'
import { Type } from 'typebox'
import { changed, definePlugin, FatalError, NotReady, service, type AnyPlugin, type Host } from '../index.js'
import { flush, TestClock } from '../testing.js'
import { assertNoResidue, gate, running, states, viewOf, type Gate } from '../test/support.js'

const Store = service<object>('store')
const Section = Type.Object({ n: Type.Integer({ default: 0 }) }, { additionalProperties: false })

type From =
  | 'pending'
  | 'starting'
  | 'active'
  | 'degraded'
  | 'failed'
  | 'not ready'
  | 'invalid'
  | 'disabled'
  | 'stopping'
type Order = 'enable' | 'disable' | 'remove' | 'update' | 'provider goes' | 'provider comes' | 'blame' | 'host stops'

/** One plugin brought into a state, with a gate for what is under way there. */
class Stage {
  readonly clock = new TestClock()
  readonly log: string[] = []
  setup: () => unknown = () => undefined
  dispose: () => unknown = () => undefined
  host!: Host
  open: Gate | undefined
  readonly provider = definePlugin({
    name: 'store',
    provides: [Store],
    setup(ctx) {
      ctx.provide(Store, {})
    },
  })
  readonly subject: AnyPlugin

  constructor() {
    const stage = this
    this.subject = definePlugin({
      name: 'subject',
      needs: { store: Store },
      config: { key: 'subject', schema: Section },
      setup(ctx) {
        stage.log.push(`up ${ctx.config.n}`)
        ctx.onDispose('down', () => {
          stage.log.push('down')
          return stage.dispose()
        })
        return stage.setup() as undefined
      },
    })
  }

  async to(from: From): Promise<void> {
    if (from === 'failed')
      this.setup = () => {
        throw new Error('boom')
      }
    if (from === 'not ready')
      this.setup = () => {
        throw new NotReady('wait')
      }
    if (from === 'starting') {
      this.open = gate()
      const { promise } = this.open
      this.setup = () => promise
    }
    if (from === 'stopping') {
      this.open = gate()
      const { promise } = this.open
      this.dispose = () => promise
    }
    const provider = { plugin: this.provider, enabled: from !== 'pending' }
    const starting = running(
      [provider, { plugin: this.subject, enabled: from !== 'disabled', config: from === 'invalid' ? { n: 'x' } : {} }],
      { clock: this.clock },
    )
    if (from === 'starting') {
      await flush()
      await this.clock.advance(10_000)
    }
    this.host = (await starting).host
    if (from === 'degraded') this.host.blame('subject', new Error('late'))
    if (from === 'stopping') {
      void this.host.enable('subject', false)
      await flush()
    }
    this.setup = from === 'starting' ? this.setup : () => undefined
    this.log.length = 0
  }

  async order(order: Order): Promise<void> {
    const { host } = this
    const given = {
      enable: () => host.enable('subject', true),
      disable: () => host.enable('subject', false),
      remove: () => host.remove('subject'),
      update: () => host.update('subject', { n: 1 }),
      'provider goes': () => host.enable('store', false),
      'provider comes': () => host.enable('store', true),
      blame: () => host.blame('subject', new Error('blamed')),
      'host stops': () => host.stop(),
    }[order]()
    this.setup = () => undefined
    await flush()
    this.open?.open()
    await given
    await host.settled()
  }

  get state(): string {
    return states(this.host)['subject'] ?? 'gone'
  }
}

const MATRIX: Record<From, Record<Order, readonly [string, ...string[]]>> = {
  pending: {
    enable: ['pending'],
    disable: ['disabled'],
    remove: ['gone'],
    update: ['pending'],
    'provider goes': ['pending'],
    'provider comes': ['active', 'up 0'],
    blame: ['pending'],
    'host stops': ['pending'],
  },
  starting: {
    enable: ['active'],
    disable: ['disabled', 'down'],
    remove: ['gone', 'down'],
    update: ['active', 'down', 'up 1'],
    'provider goes': ['pending', 'down'],
    'provider comes': ['active'],
    blame: ['degraded'],
    'host stops': ['pending', 'down'],
  },
  active: {
    enable: ['active'],
    disable: ['disabled', 'down'],
    remove: ['gone', 'down'],
    update: ['active', 'down', 'up 1'],
    'provider goes': ['pending', 'down'],
    'provider comes': ['active'],
    blame: ['degraded'],
    'host stops': ['pending', 'down'],
  },
  degraded: {
    enable: ['degraded'],
    disable: ['disabled', 'down'],
    remove: ['gone', 'down'],
    update: ['active', 'down', 'up 1'],
    'provider goes': ['pending', 'down'],
    'provider comes': ['degraded'],
    blame: ['degraded'],
    'host stops': ['pending', 'down'],
  },
  failed: {
    enable: ['failed'],
    disable: ['disabled'],
    remove: ['gone'],
    update: ['active', 'up 1'],
    'provider goes': ['pending'],
    'provider comes': ['failed'],
    blame: ['failed'],
    'host stops': ['pending'],
  },
  'not ready': {
    enable: ['failed'],
    disable: ['disabled'],
    remove: ['gone'],
    update: ['active', 'up 1'],
    'provider goes': ['pending'],
    'provider comes': ['failed'],
    blame: ['failed'],
    'host stops': ['pending'],
  },
  invalid: {
    enable: ['failed'],
    disable: ['disabled'],
    remove: ['gone'],
    update: ['active', 'up 1'],
    'provider goes': ['failed'],
    'provider comes': ['failed'],
    blame: ['failed'],
    'host stops': ['failed'],
  },
  disabled: {
    enable: ['active', 'up 0'],
    disable: ['disabled'],
    remove: ['gone'],
    update: ['disabled'],
    'provider goes': ['disabled'],
    'provider comes': ['disabled'],
    blame: ['disabled'],
    'host stops': ['disabled'],
  },
  stopping: {
    enable: ['active', 'up 0'],
    disable: ['disabled'],
    remove: ['gone'],
    update: ['disabled'],
    'provider goes': ['disabled'],
    'provider comes': ['disabled'],
    blame: ['disabled'],
    'host stops': ['disabled'],
  },
}

describe('Instance', () => {
  afterEach(assertNoResidue)

  for (const [from, orders] of Object.entries(MATRIX) as [From, Record<Order, readonly [string, ...string[]]>][]) {
    for (const [order, [to, ...ran]] of Object.entries(orders) as [Order, readonly [string, ...string[]]][]) {
      it(`${from}, when "${order}", is ${to}${ran.length ? ` after ${ran.join(', ')}` : ''}`, async () => {
        const stage = new Stage()
        await stage.to(from)
        await stage.order(order)
        expect({ state: stage.state, ran: stage.log }).to.deep.equal({ state: to, ran })
      })
    }
  }
})

describe('Instance.state', () => {
  afterEach(assertNoResidue)

  it('emits kernel.changed for each state once and in order, with its time', async () => {
    const clock = new TestClock()
    const seen: string[] = []
    const watcher = definePlugin({
      name: 'watcher',
      setup(ctx) {
        ctx.on(changed, ({ plugin, what }) => {
          if (plugin === 'subject' && what === 'state')
            seen.push(host.inspect().find(({ name }) => name === plugin)?.state ?? 'gone')
        })
      },
    })
    const { host } = await running([watcher], { clock })
    let fails = true
    await host.add({
      plugin: definePlugin({
        name: 'subject',
        setup() {
          if (fails) throw new NotReady('wait', { retryAfter: 100 })
        },
      }),
    })
    const failedAt = viewOf(host, 'subject').since
    fails = false
    await clock.advance(100)
    expect(viewOf(host, 'subject').since).to.equal(failedAt + 100)
    host.blame('subject', new Error('late'))
    host.blame('subject', new Error('again'))
    await host.enable('subject', false)
    await host.remove('subject')
    expect(seen).to.deep.equal([
      'starting',
      'failed',
      'pending',
      'starting',
      'active',
      'degraded',
      'stopping',
      'disabled',
      'gone',
    ])
  })

  it('is failed with the FatalError itself, for the caller that started the host', async () => {
    const fatal = new FatalError('the port is taken', { exitCode: 3, hint: 'choose another' })
    const { host } = await running([
      definePlugin({
        name: 'http',
        setup() {
          throw fatal
        },
      }),
      definePlugin({ name: 'other' }),
    ])
    expect(viewOf(host, 'http').error).to.equal(fatal)
    expect(states(host)).to.deep.equal({ http: 'failed', other: 'active' })
  })

  it('is pending until all needs are available, and names the missing ones', async () => {
    const tokens = ['one', 'two', 'three'].map((id) => service<object>(id))
    const providers = tokens.map((token) =>
      definePlugin({
        name: `p-${token.id}`,
        provides: [token],
        setup(ctx) {
          ctx.provide(token, {})
        },
      }),
    )
    const consumer = definePlugin({ name: 'consumer', needs: { one: tokens[0]!, two: tokens[1]!, three: tokens[2]! } })
    for (let mask = 0; mask < 8; mask++) {
      const { host } = await running([
        ...providers.map((plugin, index) => ({ plugin, enabled: (mask & (1 << index)) !== 0 })),
        { plugin: consumer },
      ])
      const missing = tokens.filter((_, index) => (mask & (1 << index)) === 0).map(({ id }) => id)
      expect(states(host)['consumer'], String(mask)).to.equal(missing.length ? 'pending' : 'active')
      expect(viewOf(host, 'consumer').waitingFor).to.deep.equal(
        missing.map((id) => `${id}: p-${id} would provide it and is disabled`),
      )
    }
  })
})

describe('major versions of a service', () => {
  afterEach(assertNoResidue)
  const [one, two] = [service<{ v: 1 }>('store', { major: 1 }), service<{ v: 2 }>('store', { major: 2 })]

  it('coexist, each for its consumers, and stop one by one', async () => {
    const given: Record<string, number> = {}
    const old = definePlugin({
      name: 'old',
      needs: { store: one },
      setup(ctx) {
        given['old'] = ctx.store.v
        ctx.onDispose('end', () => {
          delete given['old']
        })
      },
    })
    const fresh = definePlugin({
      name: 'fresh',
      needs: { store: two },
      setup(ctx) {
        given['fresh'] = ctx.store.v
      },
    })
    const both = definePlugin({
      name: 'both',
      needs: { a: one, b: two },
      setup(ctx) {
        given['both'] = ctx.a.v + ctx.b.v
        ctx.onDispose('end', () => {
          delete given['both']
        })
      },
    })
    const p1 = definePlugin({
      name: 'p1',
      provides: [one],
      setup(ctx) {
        ctx.provide(one, { v: 1 })
      },
    })
    const p2 = definePlugin({
      name: 'p2',
      provides: [two],
      setup(ctx) {
        ctx.provide(two, { v: 2 })
      },
    })
    const { host } = await running([old, fresh, both, p1, p2])
    expect(given).to.deep.equal({ old: 1, fresh: 2, both: 3 })
    expect([host.get(one), host.get(two)]).to.deep.equal([{ v: 1 }, { v: 2 }])
    await host.enable('p1', false)
    expect(given).to.deep.equal({ fresh: 2 })
    expect(states(host)).to.deep.equal({
      old: 'pending',
      fresh: 'active',
      both: 'pending',
      p1: 'disabled',
      p2: 'active',
    })
    await host.enable('p1', true)
    await host.settled()
    expect(given).to.deep.equal({ old: 1, fresh: 2, both: 3 })
  })

  it('may have one provider', async () => {
    const bridge = definePlugin({
      name: 'bridge',
      provides: [one, two],
      setup(ctx) {
        ctx.provide(one, { v: 1 })
        ctx.provide(two, { v: 2 })
      },
    })
    const { host } = await running([bridge])
    expect([host.get(one), host.get(two)]).to.deep.equal([{ v: 1 }, { v: 2 }])
  })
})
