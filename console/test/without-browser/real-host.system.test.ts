import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { expect } from 'chai'
import { startHost, startHostIn } from '../real-host.js'

const token = 'token-of-a-test'

describe('a host for tests', function () {
  this.timeout(240_000)

  it('takes another port if the first is in use', async () => {
    const ports: number[] = []
    const takers: Server[] = []
    const host = await startHost((port) => {
      ports.push(port)
      if (ports.length === 1) takers.push(createServer().listen(port, '127.0.0.1'))
      return ['plugins: [http-core]', `http: { port: ${port}, token: ${token} }`]
    })
    try {
      expect(ports).to.have.length(2)
      expect(host.url).to.equal(`http://127.0.0.1:${ports[1]}`)
      expect((await fetch(`${host.url}/pub/health`)).status).to.equal(200)
    } finally {
      await host.stop()
      for (const taker of takers) {
        taker.close()
        await once(taker, 'close')
      }
    }
  })

  it('reports any other reason for its end', async () => {
    const error: unknown = await startHostIn({ config: () => 'plugins: [http-core]\nhttp: { port: none }\n' }).catch(
      (reason: unknown) => reason,
    )
    expect(String(error)).to.match(/^Error: The host ended with \d+: .*http\.port/s)
  })
})
