// Endpoints, and messages sent in their name.
import { expect } from 'chai'
import type { EndpointItem } from '@mynah/contract'
import { DEMO, chatEntry, postbox, startManagement, until, type Api, type Sent } from './test/support.js'

const message = { context: 'postbox', endpoint: 'up', id: 'alice', type: 'private', content: 'hello' }

describe('endpoints', () => {
  let api: Api
  afterEach(() => api.host.stop())

  it('are listed as online or offline, and messages leave through those online', async () => {
    const sent: Sent[] = []
    api = await startManagement([chatEntry, { plugin: postbox(sent) as never }])
    const list = async (): Promise<EndpointItem[]> => (await api.call('/endpoints', { token: DEMO })).body.data
    await until(async () => (await list()).some(({ connected }) => connected), 'an account is online')
    const [up, down, ...others] = await list()
    expect(up).to.include({ name: 'up', adapter: 'postbox', connected: true, status: 'online' })
    expect(down).to.include({ name: 'down', adapter: 'postbox', connected: false, status: 'offline' })
    expect(others).to.deep.equal([])

    const answer = await api.call('/message/send', { body: message })
    expect(answer.status, answer.text).to.equal(200)
    expect(answer.body.data).to.have.property('messageId', 'm1')
    expect(answer.body.data).to.have.property('timestamp').that.is.a('number')
    await api.call('/message/send', {
      body: {
        ...message,
        type: 'channel',
        id: 'c',
        parent: { type: 'guild', id: 'g' },
        content: [{ type: 'text', data: { text: 'hi' } }],
      },
    })
    expect(sent).to.deep.equal([
      { target: { type: 'private', id: 'alice' }, text: 'hello' },
      { target: { type: 'channel', id: 'c', parent: { type: 'guild', id: 'g' } }, text: 'hi' },
    ])
  })

  it('that are unknown, offline or asked for by a guest send nothing', async () => {
    const sent: Sent[] = []
    api = await startManagement([chatEntry, { plugin: postbox(sent) as never }])
    const refused = async (change: object, token?: string): Promise<unknown[]> => {
      const { status, body } = await api.call('/message/send', {
        body: { ...message, ...change },
        ...(token ? { token } : {}),
      })
      return [status, body.code?.split(':')[0]]
    }
    expect(await refused({ endpoint: 'nobody' })).to.deep.equal([404, 'not_found'])
    expect(await refused({ context: 'nowhere' })).to.deep.equal([404, 'not_found'])
    expect(await refused({ endpoint: 'down' })).to.deep.equal([503, 'not_ready'])
    expect(await refused({ type: 'letter' })).to.deep.equal([400, 'invalid_request'])
    expect(await refused({ content: [{ type: 'file', data: { file: 'data/http-token' } }] })).to.deep.equal([
      400,
      'invalid_request',
    ])
    expect(await refused({}, DEMO)).to.deep.equal([403, 'forbidden'])
    expect(sent).to.deep.equal([])
  })

  it('are none without chat, which sending says', async () => {
    api = await startManagement()
    expect((await api.call('/endpoints')).body.data).to.deep.equal([])
    expect(await api.call('/message/send', { body: message })).to.deep.include({ status: 503 })
    expect((await api.call('/stats')).body.data).to.deep.include({ endpoints: { total: 0, online: 0 }, commands: 0 })
  })
})
