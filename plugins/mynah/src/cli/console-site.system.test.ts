import { expect } from 'chai'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { Bench, freePort } from '../test/cli.js'

async function taken(): Promise<{ port: number; free(): Promise<void> }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    free: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

describe('console of the command line', () => {
  let bench: Bench
  afterEach(() => bench.remove())

  it('is served on the given port and may call its host', async () => {
    const [port, console] = [await freePort(), await freePort()]
    bench = await Bench.of({ 'mynah.config.yml': `plugins: [http-core, management]\nhttp: { port: ${port} }\n` })
    const running = bench.start(`start --console=${console}`, { HTTP_TOKEN: 'a-token-for-this-test-only-01' })
    const [, address] = await running.shows(/console: (http:\/\/[^/"]+\/\?apiBaseUrl=[^"\s]+)/)
    expect(address).to.equal(
      `http://127.0.0.1:${console}/?apiBaseUrl=${encodeURIComponent(`http://127.0.0.1:${port}`)}`,
    )
    expect(await (await fetch(address as string)).text()).to.contain('<!doctype html>')
    for (const [origin, allowed] of [
      [`http://127.0.0.1:${console}`, true],
      [`http://localhost:${console}`, true],
      [`http://127.0.0.1:${console + 1}`, false],
    ] as const) {
      const { headers } = await fetch(`http://127.0.0.1:${port}/pub/health`, { headers: { origin } })
      expect(headers.get('access-control-allow-origin'), origin).to.equal(allowed ? origin : null)
    }
    expect(await running.signal('SIGTERM')).to.equal(0)
  })

  it('suggests another port if its port is in use, and the host runs without', async () => {
    const { port, free } = await taken()
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: []' })
    const running = bench.start(`start --console=${port}`)
    await running.shows(
      new RegExp(`no console: port ${port} of the console is taken; choose another: --console=${port + 1}`),
    )
    await running.shows(/plugins are up/)
    expect(await running.signal('SIGTERM')).to.equal(0)
    await free()
  })

  it('is served by mynah console until Ctrl-C', async () => {
    bench = await Bench.of({})
    const running = bench.start('console --port=0')
    const [, origin] = await running.shows(/Console at (http:\/\/127\.0\.0\.1:\d+)\n/)
    const response = await fetch(`${origin}/plugins/any`, { headers: { accept: 'text/html' } })
    expect(response.status).to.equal(200)
    expect(response.headers.get('content-security-policy')).to.contain("frame-ancestors 'none'")
    expect(await running.signal('SIGINT')).to.equal(0)
    expect(running.err).to.equal('')
  })

  it('exits with 3 if its port is in use, and with 64 if it is invalid', async () => {
    const { port, free } = await taken()
    bench = await Bench.of({})
    const { code, err } = await bench.run(`console --port=${port}`)
    expect(code).to.equal(3)
    expect(err).to.contain(`port ${port} of the console is taken; choose another: --port=${port + 1}`)
    await free()
    for (const wrong of ['console --port=often', 'console --port=70000', 'start --console=x']) {
      const refused = await bench.run(wrong)
      expect(refused.code, wrong).to.equal(64)
      expect(refused.err).to.contain('must be a port from 0 to 65535')
    }
  })
})
