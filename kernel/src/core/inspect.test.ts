// Introspection, the log, the host's own service, and the clocks that hosts run on.
import { expect } from 'chai'
import { Type } from 'typebox'
import {
  definePlugin,
  FatalError,
  HostControl,
  ifEnabled,
  ref,
  messageOf,
  closestMatch,
  point,
  service,
  systemClock,
  toError,
} from '../index.js'
import { TestClock } from '../testing.js'
import { assertNoResidue, running, viewOf } from '../test/support.js'

const Store = service<object>('store')
const names = point<string>({ id: 'names', key: (name) => name })

describe('inspectHost', () => {
  afterEach(assertNoResidue)

  it('has all that pages show of it', async () => {
    const clock = new TestClock(1_000)
    const schema = Type.Object({ n: Type.Integer({ default: 1 }) })
    const plugin = definePlugin({
      name: 'busy',
      description: 'Does much',
      version: '1.2.3',
      provides: [Store],
      needs: { host: HostControl, other: ref(service('other')), mail: ifEnabled(service('mail')) },
      config: { key: 'busy', schema },
      setup(ctx) {
        ctx.provide(Store, {})
        ctx.contribute(names, 'x')
        ctx.keep('state', () => 1)
      },
    })
    const origin = { url: 'file:///plugins/busy.js', filename: 'busy.js', filePath: 'plugins/busy.js' }
    const { host } = await running([{ plugin, origin }], { clock })
    const { setupMs, contributions, ...view } = viewOf(host, 'busy')
    expect(setupMs).to.be.at.least(0)
    expect(contributions.map(({ point: id, key, owner }) => [id, key, owner])).to.deep.equal([['names', 'x', 'busy']])
    expect(view).to.deep.equal({
      name: 'busy',
      description: 'Does much',
      version: '1.2.3',
      state: 'active',
      since: 1_000,
      waitingFor: [],
      provides: ['store'],
      requires: ['host', 'other (ref)', 'mail (if-enabled)'],
      claims: ['busy'],
      schemas: { busy: schema },
      effects: ['ref other@1', 'provide store', 'contribute names x'],
      reasons: [],
      errors: [],
      keptKeys: ['state'],
      origin,
    })
  })

  it('is there for plugins through the host service, which also reports and logs in their name', async () => {
    const seen: unknown[] = []
    const looking = definePlugin({
      name: 'looking',
      needs: { host: HostControl },
      setup(ctx) {
        seen.push(ctx.host.status, ctx.host.startedAt, ctx.host.inspect().length, ctx.host.why('looking'))
        ctx.host.report('looking', 'just text')
        ctx.host.loggerOf('looking').info('hello')
        ctx.host.loggerOf('nobody').info('orphan')
      },
    })
    const { host, log } = await running([looking], { clock: new TestClock(5) })
    expect(seen).to.deep.equal(['starting', 5, 1, 'looking is starting'])
    expect(host.get(HostControl)?.status).to.equal('running')
    expect(log.map(({ name, level, message }) => [name, level, message])).to.deep.equal([
      ['looking', 'error', 'just text'],
      ['looking', 'info', 'hello'],
      ['host', 'info', 'orphan'],
    ])
    await host.stop()
    expect(host.get(HostControl)?.status).to.equal('stopping')
  })

  it('receives services that whoever runs the host brings, which no plugin may provide', async () => {
    const { host } = await running(
      [
        definePlugin({ name: 'consumer', needs: { store: Store } }),
        definePlugin({
          name: 'rival',
          provides: [Store],
          setup(ctx) {
            ctx.provide(Store, {})
          },
        }),
      ],
      { services: [[Store, { own: true }]] },
    )
    expect(viewOf(host, 'consumer').state).to.equal('active')
    expect(viewOf(host, 'rival').error).to.include({
      code: 'need/duplicate-provider',
      message: 'rival provides store, which the host provides already',
    })
    expect(host.get(Store)).to.deep.equal({ own: true })
  })

  it('runs on when the log itself fails', async () => {
    const { createHost } = await import('../index.js')
    const warnings: string[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning.message)
    process.on('warning', onWarning)
    const host = await createHost(
      [
        {
          plugin: definePlugin({
            name: 'p',
            setup(ctx) {
              ctx.log.info('hello')
            },
          }),
        },
      ],
      {
        log() {
          throw new Error('no space left')
        },
      },
    ).start()
    expect(viewOf(host, 'p').state).to.equal('active')
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', onWarning)
    expect(warnings).to.deep.equal(['The log failed: no space left'])
    await host.stop()
  })
})

describe('small parts', () => {
  it('nearest finds what was meant, and nothing where nothing is near', () => {
    expect(closestMatch('databse', ['chat', 'database'])).to.equal('database')
    expect(closestMatch('Chat', ['chat'])).to.equal('chat')
    expect(closestMatch('x', ['database'])).to.equal(undefined)
  })

  it('anything thrown becomes an error with a text', () => {
    const error = new Error('boom')
    expect(toError(error)).to.equal(error)
    expect(toError('text')).to.include({ message: 'text' })
    expect(messageOf(new RangeError())).to.equal('RangeError')
    expect(new FatalError('port taken', { exitCode: 3, hint: 'free it', cause: error })).to.include({
      exitCode: 3,
      hint: 'free it',
      cause: error,
    })
  })

  it('the real clock fires, repeats, cancels, and does not fire a far timer at once', async () => {
    const fired: string[] = []
    const far = systemClock.setTimeout(() => fired.push('far'), 2 ** 31 + 1_000)
    const cancelled = systemClock.setTimeout(() => fired.push('cancelled'), 1)
    cancelled()
    await new Promise<void>((resolve) => {
      // Keeps the process up, which the timers of the clock do not.
      const alive = setInterval(() => {}, 1_000)
      const stop = systemClock.setInterval(() => {
        fired.push('tick')
        if (fired.length < 2) return
        stop()
        clearInterval(alive)
        resolve()
      }, 1)
    })
    far()
    expect(fired).to.deep.equal(['tick', 'tick'])
    expect(systemClock.now()).to.be.closeTo(Date.now(), 1_000)
  })

  it('the test clock fires in order of time and knows what is pending', async () => {
    const clock = new TestClock(0)
    const fired: string[] = []
    clock.setTimeout(() => fired.push(`b ${clock.now()}`), 20)
    clock.setTimeout(() => {
      fired.push(`a ${clock.now()}`)
      clock.setTimeout(() => fired.push(`c ${clock.now()}`), 5)
    }, 10)
    const stop = clock.setInterval(() => fired.push(`i ${clock.now()}`), 12)
    await clock.advance(24)
    expect(fired).to.deep.equal(['a 10', 'i 12', 'c 15', 'b 20', 'i 24'])
    expect({ now: clock.now(), pending: clock.pending }).to.deep.equal({ now: 24, pending: 1 })
    stop()
    expect(clock.pending).to.equal(0)
  })
})
