import { expect } from 'chai'
import { definePlugin, Supervisor } from '@mynah/kernel'
import { publish } from '@mynah/plugin-events/api'
import { TestClock } from '@mynah/kernel/testing'
import { DEMO, startManagement, type Api } from './test/support.js'

describe('system:restart', () => {
  let api: Api
  afterEach(() => api.host.stop())
  const ask = (token?: string) =>
    api.call('/console/request', { body: { type: 'system:restart', requestId: 1 }, ...(token ? { token } : {}) })

  it('is unsupported without a supervisor', async () => {
    api = await startManagement()
    const { status, body } = await ask()
    expect(status).to.equal(400)
    expect(body).to.include({ success: false, code: 'unsupported', requestId: 1 })
    expect(body.error).to.contain('mynah start')
  })

  it('notifies clients, answers, and then restarts once', async () => {
    const clock = new TestClock()
    const order: string[] = []
    const observer = definePlugin({
      name: 'observer',
      setup(ctx) {
        ctx.on(publish, ({ type }) => void order.push(type))
      },
    })
    api = await startManagement([{ plugin: observer as never }], {
      clock,
      services: [[Supervisor, { restart: async () => void order.push('restart'), abandon: () => {} }]],
    })
    await clock.advance(5_000)
    order.length = 0
    const { status, body } = await ask()
    expect(status).to.equal(200)
    expect(body.data).to.deep.include({ success: true })
    expect(order).to.deep.equal(['system:restarting'])
    await ask()
    await clock.advance(1_000)
    expect(order).to.deep.equal(['system:restarting', 'restart'])
  })

  it('can be requested again after a failure', async () => {
    const clock = new TestClock()
    let attempts = 0
    api = await startManagement([], {
      clock,
      services: [
        [
          Supervisor,
          {
            restart: async () => {
              attempts++
              throw new Error('cannot fork')
            },
          },
        ],
      ],
    })
    await ask()
    await clock.advance(1_000)
    await ask()
    await clock.advance(1_000)
    expect(attempts).to.equal(2)
    expect(api.log.filter(({ level, message }) => level === 'error' && message.includes('cannot fork'))).to.have.length(
      2,
    )
  })

  it('is forbidden for a demo token', async () => {
    api = await startManagement()
    expect((await ask(DEMO)).status).to.equal(403)
  })
})
