import { expect } from 'chai'
import { HttpConfig } from './config.js'
import httpCore from './index.js'
import { serve, stopAll } from './test/support.js'

const WRONG: readonly (readonly [change: Record<string, unknown>, path: string, also?: string])[] = [
  [{ prot: 1 }, 'http.prot', '"port"'],
  [{ port: 65_536 }, 'http.port'],
  [{ port: '8086' }, 'http.port'],
  [{ host: '' }, 'http.host'],
  [{ tokens: [{ token: 'x', scope: 'full' }] }, 'http.tokens[0].name'],
  [{ tokens: [{ token: '', scope: 'full', name: 'x' }] }, 'http.tokens[0].token'],
  [{ tokens: [{ token: 'x', scope: 'admin', name: 'x' }] }, 'http.tokens[0].scope', '"demo"'],
  [{ corsOrigins: 'http://localhost:5173' }, 'http.corsOrigins'],
  [{ bodyLimit: 10 }, 'http.bodyLimit'],
  [{ serveClientHost: true }, 'http.serveClientHost'],
]

describe('HttpConfig', () => {
  afterEach(stopAll)

  for (const [change, path, also] of WRONG) {
    it(`rejects ${JSON.stringify(change)} at ${path}`, async () => {
      const { host, origin } = await serve(change)
      const [view] = host.inspect()
      expect(view?.state).to.equal('failed')
      expect(view?.error?.message).to.contain(path)
      if (also) expect(view?.error?.message).to.contain(also)
      expect(origin).to.equal('')
    })
  }

  it('accepts serveClientHost: false', async () => {
    expect((await (await serve({ serveClientHost: false })).fetch('/')).status).to.equal(404)
  })

  it('ends the start of the host when it is invalid, and marks secrets', () => {
    expect(httpCore.config).to.include({ key: 'http', fatal: true })
    expect(HttpConfig.properties.token).to.include({ secret: true })
    expect(HttpConfig.properties.tokens.items.properties.token).to.include({ secret: true })
  })
})
