import { expect } from 'chai'
import { definePlugin, ifEnabled, ref, service, type Ref } from '../index.js'
import { assertNoResidue, gate, running, states, viewOf } from '../test/support.js'

const Store = service<{ n: number }>('store')
const provider = (n = 1) =>
  definePlugin({
    name: 'store',
    provides: [Store],
    setup(ctx) {
      ctx.provide(Store, { n })
    },
  })

describe('ifEnabled', () => {
  let seen: (number | undefined)[]
  const consumer = definePlugin({
    name: 'consumer',
    needs: { store: ifEnabled(Store) },
    setup(ctx) {
      seen.push(ctx.store?.n)
    },
  })
  beforeEach(() => {
    seen = []
  })
  afterEach(assertNoResidue)

  it('is undefined when no enabled plugin declares the service', async () => {
    const { host } = await running([consumer, { plugin: provider(), enabled: false }])
    expect(seen).to.deep.equal([undefined])
    expect(viewOf(host, 'consumer').state).to.equal('active')
  })

  it('waits for a provider that declares it, however slow it is', async () => {
    const opened = gate()
    const slow = definePlugin({
      name: 'slow',
      provides: [Store],
      async setup(ctx) {
        await opened.promise
        ctx.provide(Store, { n: 2 })
      },
    })
    const { host } = await running([])
    const added = host.add({ plugin: slow })
    await host.add({ plugin: consumer })
    expect(viewOf(host, 'consumer').state).to.equal('pending')
    opened.open()
    await added
    await host.settled()
    expect(seen).to.deep.equal([2])
  })

  it('is decided again when a provider is enabled, disabled, added or removed', async () => {
    const { host } = await running([consumer, { plugin: provider(), enabled: false }])
    await host.enable('store', true)
    await host.settled()
    await host.enable('store', false)
    await host.settled()
    await host.remove('store')
    await host.add({ plugin: provider(3) })
    await host.settled()
    expect(seen).to.deep.equal([undefined, 1, undefined, 3])
  })

  it('waits for a provider that fails, since the configuration wants one', async () => {
    const failing = definePlugin({
      name: 'failing',
      provides: [Store],
      setup() {
        throw new Error('boom')
      },
    })
    const { host } = await running([failing, consumer])
    expect(viewOf(host, 'consumer')).to.deep.include({
      state: 'pending',
      waitingFor: ['store: failing provides it and has failed: boom'],
    })
  })

  it('starts a failed plugin again when its decision changes', async () => {
    const picky = definePlugin({
      name: 'picky',
      needs: { store: ifEnabled(Store) },
      setup(ctx) {
        if (!ctx.store) throw new Error('not without')
      },
    })
    const { host } = await running([picky])
    expect(viewOf(host, 'picky').state).to.equal('failed')
    await host.add({ plugin: provider() })
    await host.settled()
    expect(viewOf(host, 'picky').state).to.equal('active')
  })
})

describe('ref', () => {
  let reference: Ref<{ n: number }>
  let seen: (number | undefined)[]
  let setups: number
  const consumer = definePlugin({
    name: 'consumer',
    needs: { store: ref(Store) },
    setup(ctx) {
      setups++
      reference = ctx.store
      reference.onChange((store) => void seen.push(store?.n))
    },
  })
  beforeEach(() => {
    seen = []
    setups = 0
  })
  afterEach(assertNoResidue)

  it('does not block the plugin, and changes without a restart', async () => {
    const { host } = await running([consumer, { plugin: provider(), enabled: false }])
    expect({ current: reference.current, declared: reference.declared }).to.deep.equal({
      current: undefined,
      declared: false,
    })
    await host.enable('store', true)
    expect(reference.current).to.deep.equal({ n: 1 })
    await host.enable('store', false)
    expect(reference.current).to.equal(undefined)
    expect({ seen, setups, states: states(host) }).to.deep.equal({
      seen: [1, undefined],
      setups: 1,
      states: { consumer: 'active', store: 'disabled' },
    })
  })

  it('is empty before its provider begins to stop', async () => {
    let during: unknown = 'unset'
    const checking = definePlugin({
      name: 'store',
      provides: [Store],
      setup(ctx) {
        ctx.onDispose('look', () => {
          during = reference.current
        })
        ctx.provide(Store, { n: 1 })
      },
    })
    const { host } = await running([consumer, checking])
    await host.enable('store', false)
    expect(during).to.equal(undefined)
  })

  it('reports a failing listener to its plugin and calls the others', async () => {
    const bad = definePlugin({
      name: 'bad',
      needs: { store: ref(Store) },
      setup(ctx) {
        ctx.store.onChange(() => {
          throw new Error('boom')
        })
        const off = ctx.store.onChange(() => {
          throw new Error('was left')
        })
        off()
        ctx.store.onChange((store) => void seen.push(store?.n))
      },
    })
    const { host } = await running([bad])
    await host.add({ plugin: provider(5) })
    expect(seen).to.deep.equal([5])
    expect(viewOf(host, 'bad').errors.map(({ message }) => message)).to.deep.equal(['boom'])
  })

  it('notifies no listener after its plugin has stopped', async () => {
    const { host } = await running([consumer])
    await host.enable('consumer', false)
    await host.add({ plugin: provider() })
    expect(seen).to.deep.equal([])
    expect(host.residue().references).to.equal(0)
  })

  it('makes no cycle, so that two plugins may know each other', async () => {
    const Other = service<object>('other')
    const a = definePlugin({
      name: 'a',
      needs: { other: ref(Other) },
      provides: [Store],
      setup(ctx) {
        ctx.provide(Store, { n: 1 })
      },
    })
    const b = definePlugin({
      name: 'b',
      needs: { store: Store },
      provides: [Other],
      setup(ctx) {
        ctx.provide(Other, {})
      },
    })
    const { host } = await running([a, b])
    expect(states(host)).to.deep.equal({ a: 'active', b: 'active' })
  })
})
