import { expect } from 'chai'
import { Type } from 'typebox'
import { definePlugin, hook, service, type Context } from '../index.js'
import { flush, TestClock } from '../testing.js'
import { assertNoResidue, failureOf, gate, running, states, viewOf } from '../test/support.js'

const tick = hook<number>('probe.tick')
const A = service<{ name: string }>('a')
const B = service<{ name: string }>('b')

describe('the guarantees of a host', () => {
  afterEach(assertNoResidue)

  it('1: a listener that throws harms neither the emitter nor the listeners after it', async () => {
    const heard: number[] = []
    const bad = definePlugin({
      name: 'bad',
      setup(ctx) {
        ctx.on(tick, () => {
          throw new Error('boom')
        })
      },
    })
    const good = definePlugin({
      name: 'good',
      setup(ctx) {
        ctx.on(tick, (n) => void heard.push(n))
      },
    })
    const { host } = await running([bad, good])
    expect(() => host.emit(tick, 7)).not.to.throw()
    expect(heard).to.deep.equal([7])
    expect(viewOf(host, 'bad').errors.map(({ code }) => code)).to.deep.equal(['hook/listener-failed'])
    expect(viewOf(host, 'good').errors).to.deep.equal([])
  })

  it('2: a setup that throws leaves that plugin failed with its cause, and the others up', async () => {
    const bad = definePlugin({
      name: 'bad',
      setup() {
        throw new Error('boom')
      },
    })
    const { host, log } = await running([bad, definePlugin({ name: 'good' })])
    expect(states(host)).to.deep.equal({ bad: 'failed', good: 'active' })
    expect(viewOf(host, 'bad').error?.message).to.equal('boom')
    expect(host.why('bad')).to.equal('bad is failed: boom')
    expect(
      log.filter(({ level }) => level === 'error').map(({ name, fields }) => [name, fields?.['code']]),
    ).to.deep.equal([['bad', 'plugin/setup-failed']])
  })

  it('3: a disposer that throws is reported and the rest is undone', async () => {
    const undone: string[] = []
    const bad = definePlugin({
      name: 'bad',
      setup(ctx) {
        ctx.onDispose('first', () => undone.push('first'))
        ctx.onDispose('second', () => {
          throw new Error('boom')
        })
        ctx.onDispose('third', () => undone.push('third'))
      },
    })
    const { host } = await running([bad])
    await host.enable('bad', false)
    expect(undone).to.deep.equal(['third', 'first'])
    expect(viewOf(host, 'bad').errors.map(({ code, message }) => [code, message])).to.deep.equal([
      ['scope/dispose-failed', 'bad: undoing "second" failed: boom'],
    ])
  })

  it('4: an async disposer is awaited before what was done earlier is undone', async () => {
    const closing = gate()
    const undone: string[] = []
    const slow = definePlugin({
      name: 'slow',
      setup(ctx) {
        ctx.onDispose('early', () => undone.push('early'))
        ctx.onDispose('late', async () => {
          await closing.promise
          undone.push('late')
        })
      },
    })
    const { host } = await running([slow])
    const disabled = host.enable('slow', false)
    await flush()
    expect(undone).to.deep.equal([])
    expect(viewOf(host, 'slow').state).to.equal('stopping')
    closing.open()
    await disabled
    expect(undone).to.deep.equal(['late', 'early'])
  })

  it('5: a disposer that never settles is given up after its deadline and named', async () => {
    const clock = new TestClock()
    let earlier = false
    const hanging = definePlugin({
      name: 'hanging',
      setup(ctx) {
        ctx.onDispose('earlier', () => {
          earlier = true
        })
        ctx.onDispose('socket', () => new Promise(() => {}))
      },
    })
    const { host } = await running([hanging], { clock })
    const disabled = host.enable('hanging', false)
    await clock.advance(4_999)
    expect(viewOf(host, 'hanging').state).to.equal('stopping')
    await clock.advance(1)
    await disabled
    expect(earlier).to.equal(true)
    expect(viewOf(host, 'hanging').errors.map(({ code, message }) => [code, message])).to.deep.equal([
      ['scope/dispose-late', 'hanging: "socket" was not undone within 5 s'],
    ])
  })

  it('6: two plugins that need each other are refused with the path', async () => {
    const a = definePlugin({ name: 'a', needs: { b: B }, provides: [A] })
    const b = definePlugin({ name: 'b', needs: { a: A }, provides: [B] })
    const { host } = await running([a, b])
    expect(states(host)).to.deep.equal({ a: 'failed', b: 'failed' })
    expect(viewOf(host, 'a').error).to.include({
      code: 'need/cycle',
      message: 'a → b → a need each other, so none can start first',
    })
  })

  it('7: a plugin that waits for an undeclared service says so, with the closest name', async () => {
    const Database = service<object>('database')
    const Databse = service<object>('databse')
    const provider = definePlugin({
      name: 'sql',
      provides: [Database],
      setup(ctx) {
        ctx.provide(Database, {})
      },
    })
    const lost = definePlugin({ name: 'lost', needs: { db: Databse } })
    const { host } = await running([provider, lost])
    expect(viewOf(host, 'lost')).to.deep.include({
      state: 'pending',
      waitingFor: ['databse: no plugin declares it; did you mean database?'],
    })
    expect(host.why('lost')).to.include('waiting for databse: no plugin declares it; did you mean database?')
  })

  it('8: a side effect after disposal throws and is undone', async () => {
    let kept: Context | undefined
    let undone = 0
    const late = definePlugin({
      name: 'late',
      setup(ctx) {
        kept = ctx
      },
    })
    const { host } = await running([late])
    await host.enable('late', false)
    const error = await failureOf(() => kept?.onDispose('socket', () => undone++))
    expect(error).to.include({ code: 'scope/closed', message: 'late has stopped and can no longer socket' })
    expect(undone).to.equal(1)
    expect((await failureOf(() => kept?.on(tick, () => {}))).code).to.equal('scope/closed')
    expect(host.residue().listeners).to.equal(0)
  })

  it('9: an accepted change is taken in place, another restarts', async () => {
    let setups = 0
    const plugin = definePlugin({
      name: 'sized',
      config: { key: 'sized', schema: Type.Object({ size: Type.Number(), mode: Type.String({ default: 'a' }) }) },
      setup() {
        setups++
        return { update: (next, previous) => next.mode === previous.mode }
      },
    })
    const { host } = await running([{ plugin, config: { size: 1 } }])
    expect(await host.update('sized', { size: 2 })).to.equal('updated')
    expect(setups).to.equal(1)
    expect(await host.update('sized', { size: 2, mode: 'b' })).to.equal('restarted')
    expect(setups).to.equal(2)
  })

  it('10: an equal configuration does nothing', async () => {
    let setups = 0
    const plugin = definePlugin({
      name: 'sized',
      config: { key: 'sized', schema: Type.Object({ size: Type.Number({ default: 1 }) }) },
      setup() {
        setups++
      },
    })
    const { host } = await running([{ plugin, config: {} }])
    expect(await host.update('sized', { size: 1 })).to.equal('same')
    expect(setups).to.equal(1)
  })

  it('11: an invalid configuration is refused with its path and the plugin runs on', async () => {
    const seen: unknown[] = []
    const plugin = definePlugin({
      name: 'sized',
      config: { key: 'sized', schema: Type.Object({ size: Type.Number() }, { additionalProperties: false }) },
      setup(ctx) {
        seen.push(ctx.config.size)
      },
    })
    const { host } = await running([{ plugin, config: { size: 1 } }])
    expect(await host.update('sized', { size: 'big', siez: 2 })).to.deep.equal({
      plugin: 'sized',
      mistakes: [
        { path: 'sized.siez', message: 'is not known here; did you mean "size"?' },
        { path: 'sized.size', message: 'must be number, not string' },
      ],
    })
    expect(viewOf(host, 'sized').state).to.equal('active')
    expect(seen).to.deep.equal([1])
  })

  it('12: a consumer cleans up while the service is still usable, then waits', async () => {
    const order: string[] = []
    const provider = definePlugin({
      name: 'provider',
      provides: [A],
      setup(ctx) {
        const implementation = { name: 'live' }
        ctx.onDispose('implementation', () => {
          implementation.name = 'dead'
          order.push('provider')
        })
        ctx.provide(A, implementation)
      },
    })
    const consumer = definePlugin({
      name: 'consumer',
      needs: { a: A },
      setup(ctx) {
        ctx.onDispose('use', () => order.push(`consumer sees ${ctx.a.name}`))
      },
    })
    const { host } = await running([consumer, provider])
    await host.enable('provider', false)
    expect(order).to.deep.equal(['consumer sees live', 'provider'])
    expect(viewOf(host, 'consumer')).to.deep.include({
      state: 'pending',
      waitingFor: ['a: provider would provide it and is disabled'],
    })
  })
})
