import { expect } from 'chai'
import { Type } from 'typebox'
import { createHost, definePlugin, NotReady } from '../index.js'
import { flush, TestClock } from '../testing.js'
import { assertNoResidue, gate, running, states, viewOf } from '../test/support.js'

describe('the delay before a retry', () => {
  const random = Math.random
  afterEach(async () => {
    Math.random = random
    await assertNoResidue()
  })

  for (const [what, chance, factor] of [
    ['the least', 0, 0.8],
    ['the middle', 0.5, 1],
    ['the most', 1 - Number.EPSILON, 1.2],
  ] as const) {
    it(`with ${what} jitter doubles from 5 s and ends at 10 min`, async () => {
      Math.random = () => chance
      const clock = new TestClock()
      const at: number[] = []
      await running(
        [
          definePlugin({
            name: 'flaky',
            setup(ctx) {
              at.push(ctx.clock.now())
              throw new NotReady('no')
            },
          }),
        ],
        { clock },
      )
      await clock.advance(2 * 3_600_000)
      const pauses = at.slice(1).map((time, index) => time - (at[index] as number))
      expect(pauses.length).to.be.greaterThan(10)
      for (const [index, pause] of pauses.entries())
        expect(pause, `pause ${index}`).to.be.closeTo(
          Math.min(Math.max(5_000 * 2 ** index * factor, 5_000), 600_000),
          1,
        )
    })
  }

  for (const [asked, least, most] of [
    [0, 0, 0],
    [1, 1, 1],
    [3_600_000, 3_600_000, 3_600_000],
    [-1, 5_000, 6_000],
    [Number.NaN, 5_000, 6_000],
    [Number.POSITIVE_INFINITY, 5_000, 6_000],
    ['7' as unknown as number, 5_000, 6_000],
    [undefined, 5_000, 6_000],
  ] as const) {
    it(`is ${least === most ? least : `${least} to ${most}`} ms where ${String(asked)} is asked for`, async () => {
      const clock = new TestClock()
      let attempts = 0
      const error = new NotReady('no')
      Object.defineProperty(error, 'retryAfter', { value: asked })
      const { host } = await running(
        [
          definePlugin({
            name: 'flaky',
            setup() {
              if (attempts++ === 0) throw error
            },
          }),
        ],
        { clock },
      )
      const { retryAt } = viewOf(host, 'flaky')
      expect((retryAt as number) - clock.now()).to.be.within(least, most)
      await clock.advance(most)
      expect({ attempts, state: states(host)['flaky'] }).to.deep.equal({ attempts: 2, state: 'active' })
    })
  }

  it('applies to a NotReady of another copy of the kernel', async () => {
    const clock = new TestClock()
    const foreign = Object.assign(new Error('no'), { name: 'NotReady', retryAfter: 50 })
    const { host } = await running(
      [
        definePlugin({
          name: 'flaky',
          async setup() {
            throw foreign
          },
        }),
      ],
      { clock },
    )
    expect((viewOf(host, 'flaky').retryAt as number) - clock.now()).to.equal(50)
  })

  it('grows also after a delay that was asked for', async () => {
    Math.random = () => 0.5
    const clock = new TestClock()
    const errors = [new NotReady('asked', { retryAfter: 1 }), new NotReady('own')]
    const { host } = await running(
      [
        definePlugin({
          name: 'flaky',
          setup() {
            const error = errors.shift()
            if (error) throw error
          },
        }),
      ],
      { clock },
    )
    await clock.advance(1)
    expect((viewOf(host, 'flaky').retryAt as number) - clock.now()).to.equal(10_000)
  })

  it('does not apply to other failures, also of a retry', async () => {
    const clock = new TestClock()
    const errors: Error[] = [new NotReady('wait', { retryAfter: 10 }), new TypeError('bug')]
    const { host } = await running(
      [
        definePlugin({
          name: 'flaky',
          setup() {
            throw errors.shift() ?? new Error('never')
          },
        }),
      ],
      { clock },
    )
    await clock.advance(10)
    expect(viewOf(host, 'flaky')).to.deep.include({ state: 'failed' }).and.not.to.have.property('retryAt')
    expect(viewOf(host, 'flaky').error?.message).to.equal('bug')
    await clock.advance(3_600_000)
    expect(viewOf(host, 'flaky').error?.message).to.equal('bug')
    expect(clock.pending).to.equal(0)
  })

  it('ends at once with a new section, whose delays start again', async () => {
    const clock = new TestClock()
    let ready = false
    const { host } = await running(
      [
        definePlugin({
          name: 'flaky',
          config: { key: 'flaky', schema: Type.Object({ n: Type.Optional(Type.Integer()) }) },
          setup() {
            if (!ready) throw new NotReady('wait')
          },
        }),
      ],
      { clock },
    )
    ready = true
    expect(await host.update('flaky', { n: 1 })).to.equal('restarted')
    expect({ state: states(host)['flaky'], pending: clock.pending }).to.deep.equal({ state: 'active', pending: 0 })
  })
})

describe('the deadline of a disposer', () => {
  afterEach(assertNoResidue)

  it('is 5 s for each, one after the other, and ends with it', async () => {
    const clock = new TestClock()
    const log: string[] = []
    const late = gate()
    const plugin = definePlugin({
      name: 'slow',
      setup(ctx) {
        ctx.onDispose('first', () => void log.push('first'))
        ctx.onDispose('never', () => new Promise(() => {}))
        ctx.onDispose('late', () => late.promise.then(() => log.push('late')))
        ctx.onDispose('quick', async () => {
          await undefined
          log.push('quick')
        })
      },
    })
    const { host } = await running([plugin], { clock })
    const gone = host.enable('slow', false).then(() => log.push('gone'))
    await clock.advance(4_999)
    expect(log).to.deep.equal(['quick'])
    late.open()
    await flush()
    expect(log).to.deep.equal(['quick', 'late'])
    await clock.advance(4_999)
    expect(log).to.deep.equal(['quick', 'late'])
    await clock.advance(1)
    await gone
    expect(log).to.deep.equal(['quick', 'late', 'first', 'gone'])
    expect(viewOf(host, 'slow').errors.map(({ code, message }) => [code, message])).to.deep.equal([
      ['scope/dispose-late', 'slow: "never" was not undone within 5 s'],
    ])
    expect(clock.pending).to.equal(0)
  })

  it('applies to all plugins at once when the host stops', async () => {
    const clock = new TestClock()
    const stuck = (name: string) =>
      definePlugin({
        name,
        setup(ctx) {
          ctx.onDispose('never', () => new Promise(() => {}))
        },
      })
    const { host } = await running([stuck('a'), stuck('b'), stuck('c')], { clock })
    let stopped = false
    const stop = host.stop().then(() => {
      stopped = true
    })
    await clock.advance(4_999)
    expect(stopped).to.equal(false)
    await clock.advance(1)
    await stop
    expect(host.inspect().map(({ errors }) => errors.length)).to.deep.equal([1, 1, 1])
  })

  it("does not apply to an effect disposed early, whose failure is the caller's", async () => {
    let undo!: () => unknown
    const { host } = await running([
      definePlugin({
        name: 'a',
        setup(ctx) {
          undo = ctx.onDispose('x', () => Promise.reject(new Error('mine')))
        },
      }),
    ])
    expect(await (undo() as Promise<unknown>).catch((error: Error) => error.message)).to.equal('mine')
    expect(undo()).to.equal(undefined)
    expect(viewOf(host, 'a').errors).to.deep.equal([])
  })
})

describe('the timeout of a start', () => {
  afterEach(assertNoResidue)

  it('is 10 s, or less when all plugins are settled, and leaves no timer', async () => {
    const clock = new TestClock()
    const open = gate()
    const host = createHost([{ plugin: definePlugin({ name: 'slow', setup: () => open.promise }) }], { clock })
    let started = false
    const starting = host.start().then(() => {
      started = true
    })
    await clock.advance(9_999)
    expect(started).to.equal(false)
    await clock.advance(1)
    await starting
    expect(states(host)).to.deep.equal({ slow: 'starting' })
    open.open()
    await host.settled()
    expect({ states: states(host), pending: clock.pending }).to.deep.equal({ states: { slow: 'active' }, pending: 0 })
    await host.stop()
  })

  for (const [setupTimeout, seconds] of [
    [undefined, 60],
    [1_000, 1],
    [120_000, 120],
  ] as const) {
    it(`of a setup is exactly ${seconds} s for a setupTimeout of ${String(setupTimeout)}`, async () => {
      const clock = new TestClock()
      const starting = running(
        [
          definePlugin({
            name: 'slow',
            ...(setupTimeout ? { setupTimeout } : {}),
            setup: () => new Promise<void>(() => {}),
          }),
        ],
        { clock },
      )
      await clock.advance(Math.min(seconds * 1_000 - 1, 10_000))
      const advanced = Math.min(seconds * 1_000 - 1, 10_000)
      await clock.advance(seconds * 1_000 - 1 - advanced)
      await clock.advance(1)
      const { host, log } = await starting
      expect(viewOf(host, 'slow').error).to.include({
        code: 'plugin/setup-timeout',
        message: `slow: setup did not finish within ${seconds} s`,
      })
      expect(log.filter(({ level }) => level === 'warn').length).to.equal(seconds > 10 ? 1 : 0)
      expect(clock.pending).to.equal(0)
    })
  }
})

describe('Clock.setInterval', () => {
  afterEach(assertNoResidue)

  it('skips ticks while the callback runs, and continues after it ends or fails', async () => {
    const clock = new TestClock()
    const gates = [gate(), gate()]
    const ends = [
      () => gates[0]?.promise,
      () =>
        gates[1]?.promise.then(() => {
          throw new Error('bad')
        }),
    ]
    let begun = 0
    const { log } = await running(
      [
        definePlugin({
          name: 'sweeper',
          setup(ctx) {
            ctx.clock.setInterval(() => ends[begun++]?.(), 1_000)
          },
        }),
      ],
      { clock },
    )
    await clock.advance(10_000)
    expect(begun).to.equal(1)
    gates[0]?.open()
    await clock.advance(10_000)
    expect(begun).to.equal(2)
    gates[1]?.open()
    await clock.advance(3_000)
    expect(begun).to.equal(5)
    expect(log.filter(({ message }) => message.includes('bad'))).to.have.length(1)
  })
})
