// Tests the nginx and Caddy configurations of this folder with a real host: TLS, the event stream, uploads,
// both ways to serve the console, and the address of the caller.
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { expect } from 'chai'
import { ask, proxies, startProxy } from './proxies.mjs'
import { folderFor, has, skipBecause, startHost, TOKEN } from './support.mjs'

/** Returns the first bytes of a stream that stays open. */
function firstOf(port, name, path, headers) {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        servername: name,
        path,
        rejectUnauthorized: false,
        headers: { host: name, ...headers },
      },
      (response) => {
        response.setEncoding('utf8').once('data', (text) => {
          resolve({ status: response.statusCode, text })
          call.destroy()
        })
      },
    )
    call.once('error', reject)
    call.end()
  })
}

for (const program of Object.keys(proxies)) {
  describe(`a host behind ${program}`, function () {
    this.timeout(60_000)
    let folder, remove, host, port, stop

    before(async function () {
      if (!has(program) || !has('openssl')) return skipBecause(this, `${program} or openssl is not installed`)
      ;({ folder, remove } = folderFor(program))
      host = await startHost(folder, {
        hosts: ['bot.example.com', 'mynah.example.com'],
        trustedProxies: ['127.0.0.1'],
        corsOrigins: ['https://console.example.com'],
      })
      ;({ port, stop } = await startProxy(program, folder, host.origin))
    })
    after(async () => {
      await stop?.()
      await host?.stop()
      remove?.()
    })

    const bearer = { authorization: `Bearer ${TOKEN}` }

    it('answers under its public name over TLS, and under no other', async () => {
      for (const name of ['bot.example.com', 'mynah.example.com']) {
        expect((await ask(port, name, '/api/system/status', { headers: bearer })).status, name).to.equal(200)
        expect((await ask(port, name, '/api/system/status')).status, name).to.equal(401)
      }
      const { headers } = await ask(port, 'bot.example.com', '/pub/health', {
        headers: { origin: 'https://console.example.com' },
      })
      expect(headers['access-control-allow-origin']).to.equal('https://console.example.com')
      expect(headers['strict-transport-security']).to.contain('max-age=')
    })

    it('delivers events at once', async () => {
      for (const name of ['bot.example.com', 'mynah.example.com']) {
        const { status, text } = await firstOf(port, name, '/api/events', { ...bearer, accept: 'text/event-stream' })
        expect(status, name).to.equal(200)
        expect(text, name).to.match(/^(?:retry|event|id|data):/)
      }
    })

    it('accepts uploads up to its own limit', async () => {
      const upload = (bytes) =>
        ask(port, 'mynah.example.com', '/api/console/request', {
          method: 'POST',
          headers: { ...bearer, 'content-type': 'application/json' },
          body: JSON.stringify({ type: 'files:save', requestId: 1, filePath: 'note.txt', content: 'x'.repeat(bytes) }),
        })
      const accepted = await upload(900_000)
      expect(accepted.status, accepted.text).to.equal(200)
      expect(readFileSync(join(folder, 'note.txt'), 'utf8')).to.have.length(900_000)
      // 502 if the host refuses and closes before the proxy has sent the whole body.
      expect((await upload(6_000_000)).status).to.be.oneOf([413, 502])
    })

    it('shares its origin with the console only if configured', async () => {
      for (const name of ['mynah.example.com', 'console.example.com']) {
        for (const path of ['/', '/plugins/adapter.irc', '/apis']) {
          const { status, text, headers } = await ask(port, name, path, { headers: { accept: 'text/html' } })
          expect(status, `${name}${path}`).to.equal(200)
          expect(text, `${name}${path}`).to.contain('<!doctype html>')
          expect(headers['cache-control'], path).to.equal('no-cache')
          expect(headers['content-security-policy']).to.contain("frame-ancestors 'none'")
        }
        const [, asset] = /src="(\/assets\/[^"]+\.js)"/.exec((await ask(port, name, '/')).text)
        const { status, headers } = await ask(port, name, asset, { headers: { 'accept-encoding': 'gzip' } })
        expect(status).to.equal(200)
        expect(headers['content-type']).to.match(/javascript/)
        expect(headers['content-encoding']).to.equal('gzip')
        expect(headers['cache-control']).to.contain('immutable')
      }
      expect(
        (await ask(port, 'console.example.com', '/api/system/status', { headers: bearer })).headers['content-type'],
      ).to.contain('text/html')
      expect((await ask(port, 'bot.example.com', '/')).status).to.equal(404)
      expect(
        (await ask(port, 'mynah.example.com', '/entries', { headers: bearer })).headers['content-type'],
      ).to.contain('application/json')
    })

    it('identifies callers by their own address, and ignores forged ones', async () => {
      for (let attempt = 0; attempt < 12; attempt++)
        await ask(port, 'bot.example.com', '/api/stats', {
          headers: { authorization: 'Bearer wrong-token-0123456789', 'x-forwarded-for': `10.0.0.${attempt}` },
        })
      expect(
        (
          await ask(port, 'bot.example.com', '/api/stats', {
            headers: { authorization: 'Bearer wrong-token-0123456789', 'x-forwarded-for': '10.1.1.1' },
          })
        ).status,
      ).to.equal(429)
    })
  })
}
