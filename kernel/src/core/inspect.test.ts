import { expect } from 'chai'
import { Type } from 'typebox'
import { definePlugin, HostControl, ifEnabled, ref, point, service } from '../index.js'
import { TestClock } from '../testing.js'
import { assertNoResidue, running, viewOf } from '../test/support.js'

const Store = service<object>('store')
const names = point<string>({ id: 'names', key: (name) => name })

describe('inspectHost', () => {
  afterEach(assertNoResidue)

  it('returns all fields that pages show', async () => {
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

  it('is available to plugins through HostControl, which also reports and logs in their name', async () => {
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

  it('includes services of the caller, which no plugin may provide', async () => {
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

  it('works when the log fails', async () => {
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
