// Whether every part is ready, and why not.
import { expect } from 'chai'
import type { Ready } from '@mynah/contract'
import { definePlugin, service } from '@mynah/kernel'
import { TestClock } from '@mynah/kernel/testing'
import { readinessChecks, type ReadinessCheck } from '@mynah/plugin-http-core/api'
import { DEMO, startManagement, until, type Api } from './test/support.js'

const checking = (...checks: ReadinessCheck[]) => ({
  plugin: definePlugin({
    name: 'checking',
    setup(ctx) {
      for (const check of checks) ctx.contribute(readinessChecks, check)
    },
  }) as never,
})
const degraded = {
  plugin: definePlugin({
    name: 'limping',
    setup(ctx) {
      ctx.degrade('on one leg')
    },
  }) as never,
}
const stuck = { plugin: definePlugin({ name: 'stuck', needs: { moon: service<object>('moon') } }) as never }

describe('readiness', () => {
  let api: Api
  afterEach(() => api.host.stop())

  it('is given when every part is well', async () => {
    api = await startManagement([checking({ name: 'store', check: () => ({ status: 'ok' }) })])
    const { status, body } = await api.call('/ready')
    expect(status).to.equal(200)
    expect(body.data).to.deep.equal({
      status: 'ok',
      checks: Object.fromEntries(
        ['http-core', 'events', 'console-rpc', 'management', 'checking', 'store'].map((name) => [
          name,
          { status: 'ok' },
        ]),
      ),
    })
    expect((await api.call('/ready', { token: DEMO })).status).to.equal(403)
  })

  it('is given though a part is degraded, and says which', async () => {
    api = await startManagement([degraded])
    const { status, body } = await api.call('/ready')
    expect(status).to.equal(200)
    expect(body.data).to.have.property('status', 'degraded')
    expect((body.data as Ready).checks.limping).to.deep.equal({ status: 'degraded', reason: 'on one leg' })
  })

  it('is refused while a plugin waits or a check fails, with the reasons', async () => {
    const clock = new TestClock()
    api = await startManagement(
      [
        stuck,
        checking(
          { name: 'checking', check: () => ({ status: 'failed', reason: 'table is gone' }) },
          {
            name: 'throwing',
            check: () => {
              throw new Error('no connection')
            },
          },
          { name: 'silent', check: () => new Promise(() => {}) },
        ),
      ],
      { clock },
    )
    const before = clock.pending
    const asked = api.call('/ready')
    await until(() => clock.pending > before, 'the checks run')
    await clock.advance(5_000)
    const { status, body } = await asked
    expect(status).to.equal(503)
    expect(body).to.include({ success: false, code: 'not_ready' })
    const { checks } = body.data as Ready
    expect(body.data).to.have.property('status', 'degraded')
    expect(checks.checking).to.deep.equal({ status: 'failed', reason: 'table is gone' })
    expect(checks.throwing).to.deep.equal({ status: 'failed', reason: 'no connection' })
    expect(checks.silent).to.deep.equal({ status: 'failed', reason: 'no answer within 5 s' })
    expect(checks.stuck?.reason).to.contain('waits for moon')
    expect(checks.events).to.deep.equal({ status: 'ok' })
  })
})
