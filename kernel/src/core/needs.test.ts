import { expect } from 'chai'
import { definePlugin, service, type Service } from '../index.js'
import { assertNoResidue, gate, running, states, viewOf } from '../test/support.js'

const Store = service<{ read(): string }>('store')
const Mail = service<object>('mail')

const provider = (name: string, token: Service<unknown>, value: unknown = {}) =>
  definePlugin({
    name,
    provides: [token],
    setup(ctx) {
      ctx.provide(token, value)
    },
  })

describe('required needs', () => {
  afterEach(assertNoResidue)

  it('start a consumer after its provider, in any order of the configuration', async () => {
    const seen: string[] = []
    const consumer = definePlugin({
      name: 'consumer',
      needs: { store: Store },
      setup(ctx) {
        seen.push(ctx.store.read())
      },
    })
    const { host } = await running([consumer, provider('store', Store, { read: () => 'value' })])
    expect(states(host)).to.deep.equal({ consumer: 'active', store: 'active' })
    expect(seen).to.deep.equal(['value'])
  })

  it('start a consumer when a provider is added to the running host', async () => {
    const { host } = await running([definePlugin({ name: 'consumer', needs: { store: Store } })])
    expect(viewOf(host, 'consumer')).to.deep.include({ state: 'pending', waitingFor: ['store: no plugin declares it'] })
    await host.add({ plugin: provider('store', Store) })
    await host.settled()
    expect(viewOf(host, 'consumer')).to.deep.include({ state: 'active', waitingFor: [] })
  })

  it('start a consumer once, when the last of several needs is provided', async () => {
    let setups = 0
    const consumer = definePlugin({
      name: 'consumer',
      needs: { store: Store, mail: Mail },
      setup() {
        setups++
        throw new Error('boom')
      },
    })
    const { host } = await running([consumer, provider('store', Store), provider('mail', Mail)])
    expect(viewOf(host, 'consumer').state).to.equal('failed')
    expect(setups).to.equal(1)
  })

  it('are available only after the setup of their provider has succeeded', async () => {
    const ready = gate()
    const slow = definePlugin({
      name: 'slow',
      provides: [Store],
      async setup(ctx) {
        ctx.provide(Store, { read: () => '' })
        await ready.promise
      },
    })
    const { host } = await running([definePlugin({ name: 'first' })])
    await host.add({ plugin: definePlugin({ name: 'consumer', needs: { store: Store } }) })
    const added = host.add({ plugin: slow })
    expect(host.get(Store)).to.equal(undefined)
    expect(viewOf(host, 'consumer').state).to.equal('pending')
    ready.open()
    await added
    await host.settled()
    expect(states(host)).to.include({ slow: 'active', consumer: 'active' })
  })

  it('are available when their provider provides them after setup', async () => {
    let provide = (): void => {}
    const lazy = definePlugin({
      name: 'lazy',
      provides: [Store],
      setup(ctx) {
        provide = () => void ctx.provide(Store, { read: () => '' })
      },
    })
    const { host } = await running([lazy, definePlugin({ name: 'consumer', needs: { store: Store } })])
    expect(viewOf(host, 'consumer').waitingFor).to.deep.equal(['store: lazy declares it and has not provided it yet'])
    provide()
    await host.settled()
    expect(viewOf(host, 'consumer').state).to.equal('active')
  })

  it('are explained by a provider that has failed, is waiting too, or is disabled', async () => {
    const failing = definePlugin({
      name: 'sql',
      provides: [Store],
      setup() {
        throw new Error('no such file')
      },
    })
    const waiting = definePlugin({ name: 'smtp', provides: [Mail], needs: { store: Store } })
    const consumer = definePlugin({ name: 'consumer', needs: { mail: Mail, store: Store } })
    const { host } = await running([consumer, failing, waiting])
    expect(viewOf(host, 'consumer').waitingFor).to.deep.equal([
      'mail: smtp provides it and is waiting too',
      'store: sql provides it and has failed: no such file',
    ])
    await host.enable('sql', false)
    expect(viewOf(host, 'consumer').waitingFor[1]).to.equal('store: sql would provide it and is disabled')
  })

  it('are explained by the whole chain down to its cause', async () => {
    const failing = definePlugin({
      name: 'sql',
      provides: [Store],
      setup() {
        throw new Error('no such file')
      },
    })
    const middle = definePlugin({ name: 'smtp', provides: [Mail], needs: { store: Store } })
    const { host } = await running([failing, middle, definePlugin({ name: 'top', needs: { mail: Mail } })])
    expect(host.why('top').split('\n')).to.deep.equal([
      'top is pending',
      '  waiting for mail: smtp provides it and is waiting too',
      '    smtp is pending',
      '      waiting for store: sql provides it and has failed: no such file',
      '        sql is failed: no such file',
    ])
  })

  it('are not met by another major version', async () => {
    const Next = service<object>('store', { major: 2 })
    const { host } = await running([
      provider('store', Store),
      definePlugin({ name: 'consumer', needs: { store: Next } }),
    ])
    expect(viewOf(host, 'consumer').state).to.equal('pending')
  })

  it('are met by another token with the same id', async () => {
    const { host } = await running([
      provider('store', service('store')),
      definePlugin({ name: 'consumer', needs: { store: service('store') } }),
    ])
    expect(viewOf(host, 'consumer').state).to.equal('active')
  })

  it('start a failed consumer again with a new provider', async () => {
    const consumer = definePlugin({
      name: 'consumer',
      needs: { store: Store },
      setup(ctx) {
        if (ctx.store.read() === 'old') throw new Error('too old')
      },
    })
    const { host } = await running([provider('old', Store, { read: () => 'old' }), consumer])
    expect(viewOf(host, 'consumer')).to.deep.include({ state: 'failed' })
    await host.remove('old')
    expect(viewOf(host, 'consumer')).to.deep.include({ state: 'pending' })
    expect(viewOf(host, 'consumer').error).to.equal(undefined)
    await host.add({ plugin: provider('new', Store, { read: () => 'new' }) })
    await host.settled()
    expect(viewOf(host, 'consumer').state).to.equal('active')
  })
})
