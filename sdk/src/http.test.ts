import { expect } from 'chai'
import { createClient, NetworkError } from './index.js'
import { rejection } from './test/collector.js'
import { json, ok, TestHost } from './test/test-host.js'

describe('Http.prefix', () => {
  let host: TestHost
  beforeEach(async () => {
    host = await new TestHost('/bots/v1').on('GET /bots/v1/stats', ok({ commands: 3 })).start()
  })
  afterEach(() => host.stop())

  it('is requested once for concurrent calls', async () => {
    const client = createClient({ base: `${host.base}/`, token: 't' })
    const all = await Promise.all([client.rest('GET /stats'), client.rest('GET /stats'), client.rest('GET /stats')])
    expect(all.map(({ commands }) => commands)).to.deep.equal([3, 3, 3])
    expect(host.to('/pub/health')).to.have.length(1)
    expect(host.to('/bots/v1/stats').every(({ headers }) => headers.authorization === 'Bearer t')).to.equal(true)
  })

  it('is also read from a host that is not ready', async () => {
    host.health({ apiPrefix: '/bots/v1', status: 'starting' }, 503)
    expect(await createClient({ base: host.base }).rest('GET /stats')).to.deep.equal({ commands: 3 })
  })

  it('is requested again after a failure', async () => {
    const client = createClient({ base: host.base })
    await host.stop()
    expect(await rejection(client.rest('GET /stats')))
      .to.be.instanceOf(NetworkError)
      .and.include({ reason: 'unreachable' })
    await host.start()
    expect(await client.rest('GET /stats')).to.deep.equal({ commands: 3 })
  })

  it('is refused when it leads to another origin', async () => {
    for (const apiPrefix of ['//evil.example', '/api/../pub', 'api', '/api/', '/a?b', '', 7]) {
      host.health({ apiPrefix })
      expect(await rejection(createClient({ base: host.base, token: 't' }).rest('GET /stats')), String(apiPrefix))
        .to.be.instanceOf(NetworkError)
        .and.include({ reason: 'bad-response' })
    }
    expect(
      host.requests.every(({ url, headers }) => url === '/pub/health' && headers.authorization === undefined),
    ).to.equal(true)
  })

  it('is not requested for public operations, which send no token either', async () => {
    host.on('GET /entries', json({ entries: [], runtimeEnvHint: 'development' }))
    expect(await createClient({ base: host.base, token: 't' }).rest('GET /entries')).to.deep.equal({
      entries: [],
      runtimeEnvHint: 'development',
    })
    expect(host.requests.map(({ url, headers }) => [url, headers.authorization])).to.deep.equal([
      ['/entries', undefined],
    ])
  })

  it('is part of the returned address', async () => {
    const client = createClient({ base: host.base, token: 't' })
    expect(await client.url('GET /introspection/commands', { query: { page: 2, filter: 'a b&c' } })).to.equal(
      `${host.base}/bots/v1/introspection/commands?page=2&filter=a+b%26c`,
    )
    expect(await client.url('GET /pub/marketplace/detail/*name', { params: { name: '@mynah/plugin-chat' } })).to.equal(
      `${host.base}/pub/marketplace/detail/%40mynah/plugin-chat`,
    )
  })
})
