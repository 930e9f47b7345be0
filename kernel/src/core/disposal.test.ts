import { expect } from 'chai'
import { definePlugin, ref, service, type Context } from '../index.js'
import { flush, TestClock } from '../testing.js'
import { assertNoResidue, failureOf, gate, running, states, viewOf } from '../test/support.js'

const Store = service<{ open: boolean }>('store')

describe('an aborted setup', () => {
  afterEach(assertNoResidue)

  it('receives its signal, and keeps its services until it has ended', async () => {
    const log: string[] = []
    const value = { open: true }
    const store = definePlugin({
      name: 'store',
      provides: [Store],
      setup(ctx) {
        ctx.provide(Store, value)
        ctx.onDispose('file', () => {
          value.open = false
          log.push('closed')
        })
      },
    })
    const user = definePlugin({
      name: 'user',
      needs: { store: Store },
      async setup(ctx) {
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))
        log.push('aborted')
        await flush()
        log.push(`still open: ${ctx.store.open}`)
        ctx.onDispose('late', () => log.push('undone'))
      },
    })
    const { host } = await running([store])
    const added = host.add({ plugin: user })
    await flush()
    await host.enable('store', false)
    await added
    expect(log).to.deep.equal(['aborted', 'still open: true', 'undone', 'closed'])
    expect(states(host)).to.deep.equal({ store: 'disabled', user: 'pending' })
    expect(viewOf(host, 'user').errors).to.deep.equal([])
  })

  it('has half a second to end, and later effects are disposed at once', async () => {
    const log: string[] = []
    const open = gate()
    const stubborn = definePlugin({
      name: 'stubborn',
      async setup(ctx) {
        await open.promise
        log.push((await failureOf(() => ctx.onDispose('late', () => log.push('undone')))).message)
      },
    })
    const { host } = await running([], { clock: new TestClock() })
    const added = host.add({ plugin: stubborn })
    await flush()
    await host.remove('stubborn')
    await added
    open.open()
    await flush()
    expect(log).to.deep.equal(['undone', 'stubborn has stopped and can no longer late'])
  })
})

describe('an effect disposed early', () => {
  afterEach(assertNoResidue)

  it('is awaited before older effects are disposed', async () => {
    const log: string[] = []
    const ending = gate()
    let undo!: () => unknown
    const plugin = definePlugin({
      name: 'p',
      setup(ctx) {
        ctx.onDispose('early', () => log.push('early'))
        undo = ctx.onDispose('late', async () => {
          await ending.promise
          log.push('late')
        })
      },
    })
    const { host } = await running([plugin])
    const undone = undo()
    const disabled = host.enable('p', false)
    await flush()
    expect(log).to.deep.equal([])
    ending.open()
    await Promise.all([undone, disabled])
    expect(log).to.deep.equal(['late', 'early'])
  })

  it('has the same deadline as any other', async () => {
    const clock = new TestClock()
    let undo!: () => unknown
    const { host } = await running(
      [
        definePlugin({
          name: 'p',
          setup(ctx) {
            undo = ctx.onDispose('never', () => new Promise(() => {}))
          },
        }),
      ],
      { clock },
    )
    void undo()
    const disabled = host.enable('p', false)
    await clock.advance(5_000)
    await disabled
    expect(viewOf(host, 'p').errors.map(({ code }) => code)).to.deep.equal(['scope/dispose-late'])
  })
})

describe('a withdrawn service', () => {
  afterEach(assertNoResidue)

  it('is released when all holders have stopped, also when its provider stops in the meantime', async () => {
    const log: string[] = []
    const closing = gate()
    let end!: () => unknown
    const store = definePlugin({
      name: 'store',
      provides: [Store],
      setup(ctx) {
        end = ctx.provide(Store, { open: true })
        ctx.onDispose('file', () => log.push('closed'))
      },
    })
    const user = definePlugin({
      name: 'user',
      needs: { store: Store },
      setup(ctx) {
        ctx.onDispose('use', async () => {
          await closing.promise
          log.push('user stopped')
        })
      },
    })
    const { host } = await running([store, user])
    const ended = Promise.resolve(end()).then(() => log.push('ended'))
    const disabled = host.enable('store', false)
    await flush()
    expect(log).to.deep.equal([])
    closing.open()
    await Promise.all([ended, disabled])
    expect([log[0], log.slice(1).sort()]).to.deep.equal(['user stopped', ['closed', 'ended']])
  })

  it('waits for its own holders, not for their next activation', async () => {
    const again = gate()
    let provider!: Context
    const setups: boolean[] = []
    const store = definePlugin({
      name: 'store',
      provides: [Store],
      setup(ctx) {
        provider = ctx as unknown as Context
      },
    })
    const user = definePlugin({
      name: 'user',
      needs: { store: Store },
      async setup(ctx) {
        setups.push(ctx.store.open)
        if (setups.length > 1) await again.promise
      },
    })
    const { host } = await running([store, user])
    const end = provider.provide(Store, { open: true })
    await host.settled()
    const ended = end()
    provider.provide(Store, { open: false })
    await ended
    await flush()
    expect({ setups, state: states(host)['user'] }).to.deep.equal({ setups: [true, false], state: 'starting' })
    again.open()
    await host.settled()
  })
})

describe('a stopped plugin', () => {
  afterEach(assertNoResidue)

  it('can neither keep state nor listen to a reference, which is empty', async () => {
    let kept!: Context<undefined, { store: ReturnType<typeof ref<{ open: boolean }>> }>
    const { host } = await running([
      definePlugin({
        name: 'store',
        provides: [Store],
        setup(ctx) {
          ctx.provide(Store, { open: true })
        },
      }),
      definePlugin({
        name: 'p',
        needs: { store: ref(Store) },
        setup(ctx) {
          kept = ctx
          ctx.store.onChange(() => undefined)
        },
      }),
    ])
    expect(viewOf(host, 'p').effects).to.deep.equal(['ref store@1', 'listen to store@1'])
    await host.enable('p', false)
    let made = 0
    expect((await failureOf(() => kept.keep('state', () => made++))).code).to.equal('scope/closed')
    expect((await failureOf(() => kept.store.onChange(() => undefined))).code).to.equal('scope/closed')
    expect({ made, current: kept.store.current, kept: viewOf(host, 'p').keptKeys }).to.deep.equal({
      made: 0,
      current: undefined,
      kept: [],
    })
  })
})
