import { expect } from 'chai'
import { definePlugin, service, type Need, type Service } from '../index.js'
import { flush } from '../testing.js'
import { assertNoResidue, gate, running, states, viewOf, type Gate } from '../test/support.js'

const A = service<{ name: string }>('a')
const B = service<{ name: string }>('b')

describe('stopInstance', () => {
  let order: string[]
  beforeEach(() => {
    order = []
  })
  afterEach(assertNoResidue)

  function plugin(
    name: string,
    {
      needs = {},
      provides,
      closing,
    }: { needs?: Record<string, Need>; provides?: Service<{ name: string }>; closing?: Gate },
  ) {
    return definePlugin({
      name,
      needs,
      provides: provides ? [provides] : [],
      setup(ctx) {
        ctx.onDispose('end', async () => {
          await closing?.promise
          order.push(name)
        })
        if (provides) ctx.provide(provides, { name })
      },
    })
  }

  it('stops plugins level by level', async () => {
    const { host } = await running([
      plugin('base', { provides: A }),
      plugin('middle', { needs: { a: A }, provides: B }),
      plugin('top', { needs: { b: B } }),
      plugin('other', { needs: { a: A } }),
    ])
    await host.enable('base', false)
    expect(order.indexOf('top')).to.be.lessThan(order.indexOf('middle'))
    expect(order.indexOf('middle')).to.be.lessThan(order.indexOf('base'))
    expect(order.at(-1)).to.equal('base')
    expect(states(host)).to.deep.equal({ base: 'disabled', middle: 'pending', top: 'pending', other: 'pending' })
    await host.enable('base', true)
    await host.settled()
    expect(states(host)).to.deep.equal({ base: 'active', middle: 'active', top: 'active', other: 'active' })
  })

  it('waits for a consumer that is still stopping when the host stops', async () => {
    const closing = gate()
    const { host } = await running([plugin('base', { provides: A }), plugin('slow', { needs: { a: A }, closing })])
    const stopped = host.stop()
    await flush()
    expect(states(host)).to.deep.equal({ base: 'stopping', slow: 'stopping' })
    expect(order).to.deep.equal([])
    closing.open()
    await stopped
    expect(order).to.deep.equal(['slow', 'base'])
  })

  it('waits for a disabled consumer that has not stopped yet', async () => {
    const closing = gate()
    const { host } = await running([plugin('base', { provides: A }), plugin('slow', { needs: { a: A }, closing })])
    const first = host.enable('slow', false)
    await flush()
    const second = host.stop()
    await flush()
    expect(order).to.deep.equal([])
    closing.open()
    await Promise.all([first, second])
    expect(order).to.deep.equal(['slow', 'base'])
    expect(states(host)).to.deep.equal({ base: 'pending', slow: 'disabled' })
  })

  it('keeps a withdrawn service usable until its consumers have stopped', async () => {
    let end = (): unknown => undefined
    let provide = (): void => {}
    const value = { name: 'live' }
    const provider = definePlugin({
      name: 'provider',
      provides: [A],
      setup(ctx) {
        provide = () => {
          end = ctx.provide(A, value)
        }
        provide()
      },
    })
    const consumer = definePlugin({
      name: 'consumer',
      needs: { a: A },
      setup(ctx) {
        ctx.onDispose('use', async () => {
          await flush()
          order.push(ctx.a.name)
        })
      },
    })
    const { host } = await running([provider, consumer])
    const ended = end()
    await ended
    value.name = 'dead'
    expect(order).to.deep.equal(['live'])
    expect(states(host)).to.deep.equal({ provider: 'active', consumer: 'pending' })
    value.name = 'live'
    provide()
    await host.settled()
    expect(viewOf(host, 'consumer').state).to.equal('active')
  })

  it('starts a consumer again with another provider', async () => {
    const seen: string[] = []
    const consumer = definePlugin({
      name: 'consumer',
      needs: { a: A },
      setup(ctx) {
        seen.push(ctx.a.name)
      },
    })
    const { host } = await running([plugin('one', { provides: A }), plugin('two', { provides: A }), consumer])
    expect(viewOf(host, 'two').error).to.include({
      code: 'need/duplicate-provider',
      message: 'two provides a, which one provides already',
    })
    await host.enable('one', false)
    await host.settled()
    expect(seen).to.deep.equal(['one', 'two'])
    await host.enable('one', true)
    await host.settled()
    expect(seen).to.deep.equal(['one', 'two', 'one'])
    expect(states(host)).to.deep.equal({ one: 'active', two: 'failed', consumer: 'active' })
  })

  it('refuses a service that the definition does not list, and a second implementation', async () => {
    const { host } = await running([
      definePlugin({
        name: 'sly',
        setup(ctx) {
          ctx.provide(A, { name: 'sly' })
        },
      }),
      definePlugin({
        name: 'twice',
        provides: [B],
        setup(ctx) {
          ctx.provide(B, { name: '1' })
          ctx.provide(B, { name: '2' })
        },
      }),
    ])
    expect(viewOf(host, 'sly').error).to.include({
      code: 'service/undeclared',
      message: 'sly provides a, which its definition does not list',
    })
    expect(viewOf(host, 'twice').error).to.include({
      code: 'service/already-provided',
      message: 'twice provides b, which twice provides already',
    })
  })
})
