import { expect } from 'chai'
import { definePlugin, type Context } from '../index.js'
import { TestClock } from '../testing.js'
import { assertNoResidue, failureOf, running, viewOf } from '../test/support.js'

describe('Health', () => {
  let ctx: Context
  const plugin = definePlugin({
    name: 'p',
    setup(it) {
      ctx = it
    },
  })
  afterEach(assertNoResidue)

  it('returns to active when its last reason is removed', async () => {
    const { host } = await running([plugin])
    const [first, second] = [ctx.degrade('slow disk'), ctx.degrade('no network')]
    expect(viewOf(host, 'p')).to.deep.include({ state: 'degraded', reasons: ['slow disk', 'no network'] })
    expect(host.why('p')).to.equal('p is degraded: slow disk; no network')
    first()
    first()
    expect(viewOf(host, 'p').state).to.equal('degraded')
    second()
    expect(viewOf(host, 'p')).to.deep.include({ state: 'active', reasons: [] })
  })

  it('starts a plugin as degraded', async () => {
    let mend = (): void => {}
    const { host } = await running([
      definePlugin({
        name: 'p',
        setup(it) {
          mend = it.degrade('no key yet')
        },
      }),
    ])
    expect(viewOf(host, 'p')).to.deep.include({ state: 'degraded', reasons: ['no key yet'] })
    mend()
    expect(viewOf(host, 'p').state).to.equal('active')
  })

  it('forgets the reasons of the last activation', async () => {
    const { host } = await running([plugin])
    ctx.degrade('slow disk')
    const before = ctx
    await host.enable('p', false)
    expect(viewOf(host, 'p').reasons).to.deep.equal([])
    await host.enable('p', true)
    expect(viewOf(host, 'p').state).to.equal('active')
    expect((await failureOf(() => before.degrade('ghost'))).code).to.equal('scope/closed')
  })

  it('degrades a plugin that is blamed by name, and ignores unknown names', async () => {
    const { host } = await running([plugin])
    expect(host.blame('nobody', new Error('boom'))).to.equal(false)
    expect(host.blame('p', new Error('boom'))).to.equal(true)
    expect(viewOf(host, 'p')).to.deep.include({ state: 'degraded', reasons: ['boom'] })
    expect(viewOf(host, 'p').errors.map(({ code }) => code)).to.deep.equal(['plugin/failed-later'])
  })

  it('keeps the last ten errors and one reason of repeated failures', async () => {
    const clock = new TestClock()
    let n = 0
    const { host } = await running(
      [
        definePlugin({
          name: 'p',
          setup(it) {
            it.clock.setInterval(() => {
              throw new Error(`failure ${++n}`)
            }, 1_000)
          },
        }),
      ],
      { clock },
    )
    await clock.advance(50_000)
    const { reasons, errors } = viewOf(host, 'p')
    expect(reasons).to.deep.equal(['failure 50'])
    expect(errors.map(({ message }) => message)).to.deep.equal(
      Array.from({ length: 10 }, (_, index) => `p: failure ${index + 41}`),
    )
  })

  it('is not changed by a reported error', async () => {
    const { host } = await running([plugin])
    expect(host.report('p', new Error('noted'))).to.equal(true)
    expect(host.report('nobody', new Error('noted'))).to.equal(false)
    expect(viewOf(host, 'p')).to.deep.include({ state: 'active' })
    expect(viewOf(host, 'p').errors.map(({ message }) => message)).to.deep.equal(['noted'])
  })
})
