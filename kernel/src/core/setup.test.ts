import { expect } from 'chai'
import { createHost, definePlugin, service, type Context } from '../index.js'
import { flush, TestClock } from '../testing.js'
import { assertNoResidue, failureOf, gate, running, states, viewOf } from '../test/support.js'

describe('SetupRun', () => {
  let clock: TestClock
  beforeEach(() => {
    clock = new TestClock()
  })
  afterEach(assertNoResidue)

  it('warns after 10 s and fails after 60 s', async () => {
    const { host, log } = await running([definePlugin({ name: 'quick' })], { clock })
    const added = host.add({ plugin: definePlugin({ name: 'slow', setup: () => new Promise<void>(() => {}) }) })
    await clock.advance(9_999)
    expect(log).to.deep.equal([])
    await clock.advance(1)
    expect(log.map(({ name, level, message }) => [name, level, message])).to.deep.equal([
      ['slow', 'warn', 'setup has been running for 10 s'],
    ])
    await clock.advance(49_999)
    expect(viewOf(host, 'slow').state).to.equal('starting')
    await clock.advance(1)
    await added
    expect(viewOf(host, 'slow').state).to.equal('failed')
    expect(viewOf(host, 'slow').error).to.include({
      code: 'plugin/setup-timeout',
      message: 'slow: setup did not finish within 60 s',
    })
    expect(clock.pending).to.equal(0)
  })

  it('uses the timeout of the definition', async () => {
    const { host } = await running([], { clock })
    const added = host.add({
      plugin: definePlugin({ name: 'slow', setupTimeout: 2_000, setup: () => new Promise<void>(() => {}) }),
    })
    await clock.advance(2_000)
    await added
    expect(viewOf(host, 'slow').error?.message).to.equal('slow: setup did not finish within 2 s')
  })

  it('delays the start of the host for 10 s at most', async () => {
    const slow = definePlugin({ name: 'slow', setup: () => new Promise<void>(() => {}) })
    const host = createHost([{ plugin: slow }, { plugin: definePlugin({ name: 'quick' }) }], { clock })
    let started = false
    const start = host.start().then(() => {
      started = true
    })
    await clock.advance(9_999)
    expect(started).to.equal(false)
    await clock.advance(1)
    await start
    expect(states(host)).to.deep.equal({ slow: 'starting', quick: 'active' })
    await host.stop()
    expect(states(host)).to.deep.equal({ slow: 'pending', quick: 'pending' })
    expect(clock.pending).to.equal(0)
  })

  it('aborts when the plugin is disabled, and disposes later effects', async () => {
    const late = gate()
    let undone = 0
    let failure: Promise<Error & { code?: string }> | undefined
    let seen: Context | undefined
    const slow = definePlugin({
      name: 'slow',
      async setup(ctx) {
        seen = ctx
        ctx.onDispose('early', () => undone++)
        await late.promise
        failure = failureOf(() => ctx.onDispose('late', () => undone++))
        await failure
      },
    })
    const { host } = await running([])
    const added = host.add({ plugin: slow })
    await flush()
    expect(viewOf(host, 'slow').state).to.equal('starting')
    await host.enable('slow', false)
    await added
    expect(viewOf(host, 'slow').state).to.equal('disabled')
    expect(seen?.signal.aborted).to.equal(true)
    expect(undone).to.equal(1)
    late.open()
    await flush()
    expect((await failure)?.code).to.equal('scope/closed')
    expect(undone).to.equal(2)
  })

  it('aborts when a provider stops, and runs again when it is back', async () => {
    const Store = service<object>('store')
    const provider = definePlugin({
      name: 'store',
      provides: [Store],
      setup(ctx) {
        ctx.provide(Store, {})
      },
    })
    let setups = 0
    const slow = definePlugin({
      name: 'slow',
      needs: { store: Store },
      async setup() {
        if (++setups === 1) await gate().promise
      },
    })
    const { host } = await running([provider])
    const added = host.add({ plugin: slow })
    await flush()
    expect(viewOf(host, 'slow').state).to.equal('starting')
    // The change that waits for the setup does not hold up the one that makes it pointless.
    await host.enable('store', false)
    await added
    expect(viewOf(host, 'slow').state).to.equal('pending')
    await host.enable('store', true)
    await host.settled()
    expect({ state: viewOf(host, 'slow').state, setups }).to.deep.equal({ state: 'active', setups: 2 })
  })

  it('only logs a failure after it was aborted', async () => {
    const late = gate()
    const slow = definePlugin({ name: 'slow', setupTimeout: 1_000, setup: () => late.promise })
    const { host, log } = await running([], { clock })
    const added = host.add({ plugin: slow })
    await clock.advance(1_000)
    await added
    late.fail(new Error('too late'))
    await flush()
    expect(log.at(-1)).to.include({
      level: 'debug',
      name: 'slow',
      message: 'the aborted setup failed afterwards: too late',
    })
  })
})
