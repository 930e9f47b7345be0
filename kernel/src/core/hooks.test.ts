import { expect } from 'chai'
import { definePlugin, hook, logged, type Context } from '../index.js'
import { flush } from '../testing.js'
import { assertNoResidue, failureOf, gate, running, viewOf } from '../test/support.js'

const said = hook<{ text: string }, string>('said')
/** The same hook for those who expect no result. */
const saidToAll = hook<{ text: string }>('said')

/** Returns a plugin that hands its context out. */
function caller(): { plugin: ReturnType<typeof definePlugin>; ctx: () => Context } {
  let kept: Context | undefined
  return {
    plugin: definePlugin({
      name: 'caller',
      setup(ctx) {
        kept = ctx
      },
    }),
    ctx: () => kept as Context,
  }
}

const listener = (name: string, setup: (ctx: Context) => unknown) =>
  definePlugin({
    name,
    setup(ctx) {
      setup(ctx)
    },
  })

describe('Hooks', () => {
  afterEach(assertNoResidue)

  it('calls listeners by priority, then by place in the configuration, then in the order of listening', async () => {
    const order: string[] = []
    const hear = (ctx: Context, as: string, priority?: number) =>
      ctx.on(saidToAll, () => void order.push(as), priority === undefined ? {} : { priority })
    const { host } = await running([
      listener('a', (ctx) => {
        hear(ctx, 'a1')
        hear(ctx, 'a low', -1)
        hear(ctx, 'a2')
      }),
      listener('b', (ctx) => {
        hear(ctx, 'b high', 10)
        hear(ctx, 'b')
      }),
    ])
    await host.enable('a', false)
    await host.enable('a', true)
    host.emit(saidToAll, { text: '' })
    expect(order).to.deep.equal(['b high', 'a1', 'a2', 'b', 'a low'])
  })

  it('calls listeners that use the id of the hook', async () => {
    const heard: unknown[] = []
    const { host } = await running([listener('a', (ctx) => ctx.on('said', (payload) => heard.push(payload)))])
    host.emit(saidToAll, { text: 'x' })
    expect(heard).to.deep.equal([{ text: 'x' }])
  })

  it('reports an async listener of emit that fails, to its owner', async () => {
    const { host } = await running([listener('a', (ctx) => ctx.on('said', () => Promise.reject(new Error('later'))))])
    host.emit(saidToAll, { text: '' })
    await flush()
    expect(viewOf(host, 'a').errors.map(({ message }) => message)).to.deep.equal([
      'a: listener of "said" failed: later',
    ])
  })

  it('waits in parallel until all listeners have settled, failing ones too', async () => {
    const slow = gate()
    const done: string[] = []
    const { plugin, ctx } = caller()
    await running([
      plugin,
      listener('bad', (it) =>
        it.on('said', () => {
          throw new Error('boom')
        }),
      ),
      listener('slow', (it) =>
        it.on('said', async () => {
          await slow.promise
          done.push('slow')
        }),
      ),
    ])
    const all = ctx()
      .parallel(saidToAll, { text: '' })
      .then(() => done.push('all'))
    await flush()
    expect(done).to.deep.equal([])
    slow.open()
    await all
    expect(done).to.deep.equal(['slow', 'all'])
  })

  it('bails with the first answer after silent and failing listeners, and calls no more', async () => {
    const asked: string[] = []
    const { plugin, ctx } = caller()
    const answer = (name: string, value: () => string | undefined) =>
      listener(name, (it) =>
        it.on(said, async () => {
          asked.push(name)
          return value() as string
        }),
      )
    const { host } = await running([
      plugin,
      answer('silent', () => undefined),
      answer('bad', () => {
        throw new Error('boom')
      }),
      answer('first', () => ''),
      answer('second', () => 'no'),
    ])
    expect(await ctx().bail(said, { text: '' })).to.equal('')
    expect(asked).to.deep.equal(['silent', 'bad', 'first'])
    expect(viewOf(host, 'bad').errors).to.have.length(1)
    await host.enable('first', false)
    await host.enable('second', false)
    expect(await ctx().bail(said, { text: '' })).to.equal(undefined)
  })

  it('passes a payload through all listeners, each wrapping the next', async () => {
    const { plugin, ctx } = caller()
    await running([
      plugin,
      listener('outer', (it) => it.on(said, async ({ text }, next) => `<${await next({ text: `${text}1` })}>`)),
      listener('inner', (it) => it.on(said, async ({ text }, next) => `(${await next({ text: `${text}2` })})`)),
    ])
    expect(await ctx().waterfall(said, { text: '0' }, ({ text }) => text)).to.equal('<(012)>')
  })

  it('ends a waterfall at a listener that does not call next', async () => {
    const { plugin, ctx } = caller()
    await running([
      plugin,
      listener('wall', (it) => it.on(said, () => 'stopped')),
      listener('never', (it) =>
        it.on(said, () => {
          throw new Error('reached')
        }),
      ),
    ])
    expect(await ctx().waterfall(said, { text: '' }, () => 'end')).to.equal('stopped')
  })

  it('rejects a waterfall that fails, blaming only the listener that did', async () => {
    const { plugin, ctx } = caller()
    const { host } = await running([
      plugin,
      listener('outer', (it) => it.on(said, async (payload, next) => next(payload))),
      listener('bad', (it) =>
        it.on(said, () => {
          throw new Error('boom')
        }),
      ),
    ])
    expect(await failureOf(() => ctx().waterfall(said, { text: '' }, () => 'end'))).to.include({
      code: 'hook/listener-failed',
      message: 'bad: listener of "said" failed: boom',
    })
    expect(viewOf(host, 'outer').errors).to.deep.equal([])
    expect(viewOf(host, 'bad').errors).to.have.length(1)
  })

  it('rethrows the failure of the last step, which a listener may handle', async () => {
    const { plugin, ctx } = caller()
    const { host } = await running([plugin, listener('outer', (it) => it.on(said, (payload, next) => next(payload)))])
    const last = (): never => {
      throw new RangeError('last')
    }
    expect(await failureOf(() => ctx().waterfall(said, { text: '' }, last))).to.be.instanceOf(RangeError)
    expect(viewOf(host, 'outer').errors).to.deep.equal([])
    await host.add({
      plugin: listener('mender', (it) => it.on(said, (payload, next) => next(payload).catch(() => 'mended'))),
    })
    expect(await ctx().waterfall(said, { text: '' }, last)).to.equal('mended')
  })

  it('skips a plugin that stopped during the waterfall', async () => {
    const waiting = gate()
    const { plugin, ctx } = caller()
    const { host } = await running([
      plugin,
      listener('first', (it) =>
        it.on(said, async (payload, next) => {
          await waiting.promise
          return next(payload)
        }),
      ),
      listener('gone', (it) => it.on(said, () => 'called after its end')),
    ])
    const result = ctx().waterfall(said, { text: '' }, () => 'end')
    await host.enable('gone', false)
    waiting.open()
    expect(await result).to.equal('end')
  })

  it('allows listeners to come and go while it emits', async () => {
    const heard: string[] = []
    const { host } = await running([
      listener('a', (ctx) => {
        const off = ctx.on('said', () => {
          heard.push('once')
          off()
          ctx.on('said', () => heard.push('new'))
        })
        ctx.on('said', () => heard.push('always'))
      }),
    ])
    host.emit(saidToAll, { text: '' })
    expect(heard).to.deep.equal(['once', 'always'])
    host.emit(saidToAll, { text: '' })
    expect(heard.slice(2)).to.deep.equal(['always', 'new'])
  })

  it('does not log failures of listeners of the log to them', async () => {
    let calls = 0
    const { host, log } = await running([
      listener('a', (ctx) =>
        ctx.on(logged, async () => {
          calls++
          throw new Error('disk full')
        }),
      ),
      listener('b', () => {}),
    ])
    host.log.info('hello')
    for (let turn = 0; turn < 5; turn++) await flush()
    expect(calls).to.equal(1)
    expect(log.map(({ message }) => message)).to.deep.equal(['hello', 'a: listener of "kernel.log" failed: disk full'])
  })
})
