import { expect } from 'chai'
import { definePlugin, point, service, type Context } from '../index.js'
import { flush, TestClock } from '../testing.js'
import { assertNoResidue, failureOf, running, viewOf } from '../test/support.js'

const names = point<string>({ id: 'names', key: (name) => name })
const Store = service<object>('store')

describe('Scope', () => {
  afterEach(assertNoResidue)

  it('lists its effects by label in the order of registration', async () => {
    const busy = definePlugin({
      name: 'busy',
      provides: [Store],
      setup(ctx) {
        ctx.provide(Store, {})
        ctx.contribute(names, 'x')
        ctx.on('some.hook', () => {})
        ctx.clock.setTimeout(() => {}, 1_000)
        ctx.clock.setInterval(() => {}, 1_000)
        ctx.read(names).watch(() => {})
        ctx.onDispose('socket', () => {})
      },
    })
    const { host } = await running([busy], { clock: new TestClock() })
    expect(viewOf(host, 'busy').effects).to.deep.equal([
      'provide store',
      'contribute names x',
      'on some.hook',
      'timer',
      'interval',
      'read names',
      'watch names',
      'socket',
    ])
  })

  it('disposes an effect early once, and not again when it closes', async () => {
    let undone = 0
    let undo = (): unknown => undefined
    const { host } = await running([
      definePlugin({
        name: 'p',
        setup(ctx) {
          undo = ctx.onDispose('socket', () => ++undone)
        },
      }),
    ])
    expect(undo()).to.equal(1)
    expect(undo()).to.equal(undefined)
    await host.enable('p', false)
    expect(undone).to.equal(1)
  })

  it('awaits any thenable', async () => {
    const order: string[] = []
    const thenable = {
      then(resolve: () => void) {
        setImmediate(() => {
          order.push('foreign promise')
          resolve()
        })
      },
    }
    const { host } = await running([
      definePlugin({
        name: 'p',
        setup(ctx) {
          ctx.onDispose('first', () => order.push('first'))
          ctx.onDispose('foreign', () => thenable)
        },
      }),
    ])
    await host.enable('p', false)
    expect(order).to.deep.equal(['foreign promise', 'first'])
  })

  it('reports a rejecting disposer, also one that rejects after its deadline', async () => {
    const clock = new TestClock()
    let fail = (_: Error): void => {}
    const plugin = definePlugin({
      name: 'p',
      setup(ctx) {
        ctx.onDispose(
          'slow',
          () =>
            new Promise((_, reject) => {
              fail = reject
            }),
        )
        ctx.onDispose('rejecting', () => Promise.reject(new Error('boom')))
      },
    })
    const { host } = await running([plugin], { clock })
    const disabled = host.enable('p', false)
    await clock.advance(5_000)
    await disabled
    fail(new Error('at last'))
    await flush()
    expect(viewOf(host, 'p').errors.map(({ code, message }) => [code, message])).to.deep.equal([
      ['scope/dispose-failed', 'p: undoing "rejecting" failed: boom'],
      ['scope/dispose-late', 'p: "slow" was not undone within 5 s'],
      ['scope/dispose-failed', 'p: undoing "slow" failed: at last'],
    ])
    expect(clock.pending).to.equal(0)
  })

  it('aborts its signal before any effect is disposed, also one that is read later', async () => {
    const order: string[] = []
    let kept: Context | undefined
    const plugin = definePlugin({
      name: 'p',
      setup(ctx) {
        kept = ctx
        ctx.signal.addEventListener('abort', () => order.push('abort'))
        ctx.onDispose('effect', () => order.push('effect'))
      },
    })
    const { host } = await running([plugin, definePlugin({ name: 'q', setup() {} })])
    await host.enable('p', false)
    expect(order).to.deep.equal(['abort', 'effect'])
    expect(kept?.signal.aborted).to.equal(true)
  })

  it('refuses every kind of effect once closed', async () => {
    let kept: Context | undefined
    const { host } = await running([
      definePlugin({
        name: 'p',
        provides: [Store],
        setup(ctx) {
          kept = ctx
        },
      }),
    ])
    await host.enable('p', false)
    const ctx = kept as Context
    const refused = [
      () => ctx.provide(Store, {}),
      () => ctx.contribute(names, 'x'),
      () => ctx.read(names),
      () => ctx.on('x', () => {}),
      () => ctx.clock.setTimeout(() => {}, 1),
      () => ctx.clock.setInterval(() => {}, 1),
      () => ctx.onDispose('x', () => {}),
      () => ctx.degrade('x'),
    ]
    for (const attempt of refused) expect((await failureOf(attempt)).code).to.equal('scope/closed')
    expect(host.residue()).to.deep.include({ effects: 0, listeners: 0, contributions: 0, watchers: 0, services: 0 })
  })

  it('disposes the effects of a failed setup', async () => {
    const plugin = definePlugin({
      name: 'p',
      provides: [Store],
      setup(ctx) {
        ctx.provide(Store, {})
        ctx.contribute(names, 'x')
        throw new Error('boom')
      },
    })
    const { host } = await running([plugin])
    expect(host.get(Store)).to.equal(undefined)
    expect(host.residue()).to.deep.include({ effects: 0, contributions: 0, services: 0 })
  })

  it("cancels timers, and reports their failures as the plugin's", async () => {
    const clock = new TestClock()
    const fired: string[] = []
    const plugin = definePlugin({
      name: 'p',
      setup(ctx) {
        ctx.clock.setTimeout(() => fired.push('once'), 1_000)
        ctx.clock.setTimeout(() => fired.push('never'), 10_000)
        ctx.clock.setInterval(() => fired.push('often'), 2_000)
        const cancel = ctx.clock.setTimeout(() => fired.push('cancelled'), 500)
        cancel()
        ctx.clock.setTimeout(() => {
          throw new Error('sync')
        }, 3_000)
        ctx.clock.setTimeout(() => Promise.reject(new Error('async')) as never, 3_500)
      },
    })
    const { host } = await running([plugin], { clock })
    await clock.advance(4_000)
    expect(fired).to.deep.equal(['once', 'often', 'often'])
    expect(viewOf(host, 'p').errors.map(({ message }) => message)).to.deep.equal(['p: sync', 'p: async'])
    expect(viewOf(host, 'p').state).to.equal('degraded')
    await host.enable('p', false)
    expect(clock.pending).to.equal(0)
  })
})
