import { expect } from 'chai'
import { systemClock } from '@mynah/kernel'
import { Rest } from './rest.js'
import { placeOf } from './socket.js'
import * as lk from './test/lark-server.js'

describe('the place of a socket of Lark', function () {
  this.timeout(60_000)
  let server: lk.LarkServer
  beforeEach(async () => {
    server = await new lk.LarkServer().listen()
  })
  afterEach(() => server.stop())

  const place = (url: string, times: object | undefined, domain = server.http.url) => {
    server.http.fault(/callback\/ws\/endpoint/, { body: { code: 0, data: { URL: url, ClientConfig: times } } })
    const config = { appId: lk.APP_ID, appSecret: lk.APP_SECRET, domain: server.http.url }
    return placeOf(new Rest(config, systemClock, new AbortController().signal), { ...config, domain })
  }

  it('is pinged as often as Lark asks, but often enough to notice a silent server', async () => {
    for (const [seconds, ms] of [
      [20, 20_000],
      [120, 40_000],
      [1, 1_000],
      [0, 40_000],
      [-5, 40_000],
      ['20', 40_000],
      [undefined, 40_000],
    ])
      expect((await place('wss://socket.example.org/ws', { PingInterval: seconds })).beatMs, String(seconds)).to.equal(
        ms,
      )
    expect((await place('wss://socket.example.org/ws', undefined)).beatMs).to.equal(40_000)
  })

  it('is not taken where its ticket would be readable on the way', async () => {
    for (const [url, domain] of [
      ['ws://socket.example.org/ws', 'https://open.feishu.cn'],
      ['https://socket.example.org/ws', 'https://open.feishu.cn'],
      ['wss:', 'https://open.feishu.cn'],
      ['', 'http://127.0.0.1'],
    ] as const) {
      const error = await place(url, {}, domain).then(
        () => undefined,
        (reason: Error) => reason,
      )
      expect(error?.message, url).to.contain('check `domain`')
    }
  })
})
