import { expect } from 'chai'
import { definePlugin, draining, HostControl, ref, service, type Context } from '../index.js'
import { flush, TestClock } from '../testing.js'
import { assertNoResidue, failureOf, gate, running, states, viewOf } from '../test/support.js'

const Store = service<{ write(): void }>('store')

describe('Host.stop', () => {
  afterEach(assertNoResidue)

  it('runs all listeners of draining at once before any plugin stops', async () => {
    const ends = [gate(), gate()]
    const order: string[] = []
    const store = definePlugin({
      name: 'store',
      provides: [Store],
      setup(ctx) {
        ctx.provide(Store, { write: () => order.push('written') })
        ctx.onDispose('file', () => order.push('closed'))
      },
    })
    const worker = (index: number) =>
      definePlugin({
        name: `worker-${index}`,
        needs: { store: Store, host: HostControl },
        setup(ctx: Context<undefined, { store: typeof Store; host: typeof HostControl }>) {
          ctx.on(draining, async () => {
            order.push(`begun ${index} ${ctx.host.status}`)
            await ends[index]?.promise
            ctx.store.write()
          })
          ctx.onDispose('worker', () => order.push(`gone ${index}`))
        },
      })
    const { host } = await running([store, worker(0), worker(1)])
    const stopped = host.stop()
    await flush()
    expect(order).to.deep.equal(['begun 0 stopping', 'begun 1 stopping'])
    expect(states(host)).to.deep.equal({ store: 'active', 'worker-0': 'active', 'worker-1': 'active' })
    ends[1]?.open()
    await flush()
    expect(order.slice(2)).to.deep.equal(['written'])
    ends[0]?.open()
    await stopped
    expect(order.slice(3)).to.deep.equal(['written', 'gone 1', 'gone 0', 'closed'])
  })

  it('stops anyway after draining for 30 s, and aborts the signal', async () => {
    const clock = new TestClock()
    let signal: AbortSignal | undefined
    const stuck = definePlugin({
      name: 'stuck',
      setup(ctx) {
        ctx.on(draining, (asked) => {
          signal = asked.signal
          return new Promise<void>(() => {})
        })
      },
    })
    const { host, log } = await running([stuck], { clock })
    const stopped = host.stop()
    await clock.advance(29_999)
    expect([signal?.aborted, states(host)]).to.deep.equal([false, { stuck: 'active' }])
    await clock.advance(1)
    await stopped
    expect([signal?.aborted, states(host), clock.pending]).to.deep.equal([true, { stuck: 'pending' }, 0])
    expect(log.filter(({ level }) => level === 'warn').map(({ message }) => message)).to.deep.equal([
      'drain timed out after 30 s; stopping anyway',
    ])
  })

  it('continues after a failed listener, whose failure is reported', async () => {
    const ended = gate()
    const bad = definePlugin({
      name: 'bad',
      setup(ctx) {
        ctx.on(draining, () => {
          throw new Error('boom')
        })
      },
    })
    const good = definePlugin({
      name: 'good',
      setup(ctx) {
        ctx.on(draining, () => ended.promise)
      },
    })
    const { host } = await running([bad, good])
    const stopped = host.stop()
    await flush()
    expect(states(host)).to.deep.equal({ bad: 'active', good: 'active' })
    expect(viewOf(host, 'bad').errors.map(({ code }) => code)).to.deep.equal(['hook/listener-failed'])
    ended.open()
    await stopped
  })

  it('refuses changes of the configuration, and a second stop waits for the first', async () => {
    const ended = gate()
    let drained = 0
    const slow = definePlugin({
      name: 'slow',
      needs: { store: ref(Store) },
      setup(ctx) {
        ctx.on(draining, () => {
          drained++
          return ended.promise
        })
      },
    })
    const { host } = await running([slow])
    const both = Promise.all([host.stop(), host.stop()])
    await flush()
    expect((await failureOf(() => host.add({ plugin: definePlugin({ name: 'more' }) }))).code).to.equal('host/stopped')
    ended.open()
    await both
    expect(drained).to.equal(1)
  })
})
