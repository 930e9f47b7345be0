import { expect } from 'chai'
import { definePlugin, NotReady, service } from '../index.js'
import { TestClock } from '../testing.js'
import { assertNoResidue, running, viewOf } from '../test/support.js'

describe('NotReady', () => {
  let clock: TestClock
  beforeEach(() => {
    clock = new TestClock()
  })
  afterEach(assertNoResidue)

  /** Fails until `attempts` have been made. */
  function flaky(
    attempts: number,
    error: () => Error = () => new NotReady('no broker'),
  ): { plugin: ReturnType<typeof definePlugin>; attempts: number[] } {
    const made: number[] = []
    return {
      attempts: made,
      plugin: definePlugin({
        name: 'flaky',
        setup(ctx) {
          made.push(ctx.clock.now())
          if (made.length <= attempts) throw error()
        },
      }),
    }
  }

  it('fails the plugin with the time of the next attempt, which may succeed', async () => {
    const { plugin } = flaky(1)
    const { host, log } = await running([plugin], { clock })
    const { state, retryAt, error } = viewOf(host, 'flaky')
    expect({ state, message: error?.message }).to.deep.equal({ state: 'failed', message: 'no broker' })
    expect(retryAt).to.be.within(clock.now() + 5_000, clock.now() + 6_000)
    expect(host.why('flaky')).to.equal(
      `flaky is failed: no broker; next attempt at ${new Date(retryAt as number).toISOString()}`,
    )
    expect(log.map(({ level, message }) => [level, message.replace(/\d+ s$/, 'n s')])).to.deep.equal([
      ['warn', 'not ready: no broker; next attempt in n s'],
    ])
    await clock.advance(6_000)
    const { state: after, retryAt: none, error: gone } = viewOf(host, 'flaky')
    expect({ after, none, gone }).to.deep.equal({ after: 'active', none: undefined, gone: undefined })
  })

  it('warns once of a reason that stays', async () => {
    const reasons = ['no broker', 'no broker', 'no broker', 'no network', 'no broker']
    let made = 0
    const plugin = definePlugin({
      name: 'flaky',
      setup() {
        const reason = reasons[made++]
        if (reason !== undefined) throw new NotReady(reason, { retryAfter: 1000 })
      },
    })
    const { host, log } = await running([plugin], { clock })
    await clock.advance(10_000)
    expect(viewOf(host, 'flaky').state).to.equal('active')
    const warned = log.filter(({ level }) => level === 'warn').map(({ message }) => message.split(';')[0])
    expect(warned).to.deep.equal(['not ready: no broker', 'not ready: no network', 'not ready: no broker'])
    expect(viewOf(host, 'flaky').errors.map(({ message }) => message)).to.deep.equal([
      'no broker',
      'no network',
      'no broker',
    ])
  })

  it('retries after delays that double from 5 s to 10 min', async () => {
    const { plugin, attempts } = flaky(12)
    await running([plugin], { clock })
    await clock.advance(3 * 3_600_000)
    const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] as number))
    expect(pauses).to.have.length(12)
    for (const [index, pause] of pauses.entries()) {
      const middle = 5_000 * 2 ** index
      expect(pause, `pause ${index}`).to.be.within(
        Math.min(Math.max(5_000, 0.8 * middle), 600_000),
        Math.min(1.2 * middle, 600_000),
      )
    }
    expect(pauses.at(-1)).to.equal(600_000)
  })

  it('retries after the delay that it asks for, if that is valid', async () => {
    const { plugin, attempts } = flaky(1, () => new NotReady('later', { retryAfter: 90_000 }))
    await running([plugin], { clock })
    await clock.advance(89_999)
    expect(attempts).to.have.length(1)
    await clock.advance(1)
    expect(attempts).to.have.length(2)
    const odd = flaky(1, () => new NotReady('later', { retryAfter: Number.NaN }))
    const { host } = await running([odd.plugin], { clock })
    expect((viewOf(host, 'flaky').retryAt as number) - clock.now()).to.be.at.least(5_000)
  })

  it('starts with the shortest delay again after the plugin ran', async () => {
    let fails = 3
    const plugin = definePlugin({
      name: 'flaky',
      setup() {
        if (fails-- > 0) throw new NotReady('no broker')
      },
    })
    const { host } = await running([plugin], { clock })
    await clock.advance(60_000)
    expect(viewOf(host, 'flaky').state).to.equal('active')
    await host.enable('flaky', false)
    fails = 1
    await host.enable('flaky', true)
    expect((viewOf(host, 'flaky').retryAt as number) - clock.now()).to.be.within(5_000, 6_000)
  })

  it('does not retry a disabled plugin, and leaves no timer', async () => {
    const { plugin, attempts } = flaky(5)
    const { host } = await running([plugin], { clock })
    await host.enable('flaky', false)
    expect(clock.pending).to.equal(0)
    await clock.advance(600_000)
    expect(attempts).to.have.length(1)
    expect(viewOf(host, 'flaky').state).to.equal('disabled')
  })

  it('waits for a provider that stopped in the meantime, and starts with it', async () => {
    const Store = service<object>('store')
    const provider = definePlugin({
      name: 'store',
      provides: [Store],
      setup(ctx) {
        ctx.provide(Store, {})
      },
    })
    let ready = false
    const plugin = definePlugin({
      name: 'flaky',
      needs: { store: Store },
      setup() {
        if (!ready) throw new NotReady('no broker')
      },
    })
    const { host } = await running([provider, plugin], { clock })
    await host.enable('store', false)
    expect(viewOf(host, 'flaky').state).to.equal('pending')
    await clock.advance(60_000)
    expect(viewOf(host, 'flaky').state).to.equal('pending')
    ready = true
    await host.enable('store', true)
    await host.settled()
    expect(viewOf(host, 'flaky').state).to.equal('active')
  })

  it('disposes the effects of a failed attempt before the next', async () => {
    let open = 0
    let most = 0
    let fails = 3
    const plugin = definePlugin({
      name: 'flaky',
      setup(ctx) {
        most = Math.max(most, ++open)
        ctx.onDispose('socket', () => open--)
        if (fails-- > 0) throw new NotReady('no broker')
      },
    })
    const { host } = await running([plugin], { clock })
    await clock.advance(60_000)
    expect({ state: viewOf(host, 'flaky').state, open, most }).to.deep.equal({ state: 'active', open: 1, most: 1 })
  })
})
