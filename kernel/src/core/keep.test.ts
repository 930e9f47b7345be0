import { expect } from 'chai'
import { Type } from 'typebox'
import { definePlugin, service } from '../index.js'
import { assertNoResidue, running, viewOf } from '../test/support.js'

describe('Context.keep', () => {
  let counts: number[]
  const plugin = definePlugin({
    name: 'counter',
    config: { key: 'counter', schema: Type.Object({ n: Type.Integer({ default: 0 }) }) },
    setup(ctx) {
      counts.push(++ctx.keep('count', () => ({ value: 0 })).value)
    },
  })
  beforeEach(() => {
    counts = []
  })
  afterEach(assertNoResidue)

  it('keeps state over a restart by a new configuration, and over disabling', async () => {
    const { host } = await running([plugin])
    await host.update('counter', { n: 1 })
    await host.enable('counter', false)
    expect(viewOf(host, 'counter').keptKeys).to.deep.equal(['count'])
    await host.enable('counter', true)
    expect(counts).to.deep.equal([1, 2, 3])
  })

  it('keeps state over a change of providers', async () => {
    const Store = service<object>('store')
    const provider = (name: string) =>
      definePlugin({
        name,
        provides: [Store],
        setup(ctx) {
          ctx.provide(Store, {})
        },
      })
    const consumer = definePlugin({
      name: 'counter',
      needs: { store: Store },
      setup(ctx) {
        counts.push(++ctx.keep('count', () => ({ value: 0 })).value)
      },
    })
    const { host } = await running([provider('one'), consumer])
    await host.remove('one')
    await host.add({ plugin: provider('two') })
    await host.settled()
    expect(counts).to.deep.equal([1, 2])
  })

  it('forgets state when the plugin leaves the configuration', async () => {
    const { host } = await running([plugin])
    await host.configure([])
    await host.configure([{ plugin }])
    expect(counts).to.deep.equal([1, 1])
  })

  it('creates state once, and not at all when creating it fails', async () => {
    let made = 0
    const failing = definePlugin({
      name: 'failing',
      setup(ctx) {
        ctx.keep('good', () => ++made)
        ctx.keep('good', () => ++made)
        ctx.keep('bad', () => {
          throw new Error('boom')
        })
      },
    })
    const { host } = await running([failing])
    expect(made).to.equal(1)
    expect(viewOf(host, 'failing')).to.deep.include({ state: 'failed', keptKeys: ['good'] })
  })
})
