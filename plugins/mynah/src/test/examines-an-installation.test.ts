// `mynah doctor` and `mynah token`.
import { expect } from 'chai'
import { chmod } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { checkNode } from '../cli/checks.js'
import { Bench, freePort } from './cli.js'

describe('mynah doctor', () => {
  let bench: Bench
  afterEach(() => bench.remove())

  it('finds nothing where all is well', async () => {
    bench = await Bench.of({ 'mynah.config.yml': `plugins: [http-core]\nhttp: { port: ${await freePort()} }` })
    const { code, out } = await bench.run('doctor')
    expect(code, out).to.equal(0)
    for (const subject of ['Node', 'configuration', 'native binding', 'port', 'console port', 'token', 'data']) expect(out).to.contain(`  ${subject}: `)
    expect(out).to.contain('Nothing to mend')
  })

  it('says of each thing what to do', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    bench = await Bench.of({ 'mynah.config.yml': `plugins: [http-core, nonesuch]\nhttp: { port: ${port} }`, 'data/http-token': 'x'.repeat(32) })
    await chmod(join(bench.folder, 'data/http-token'), 0o644)
    const { code, out } = await bench.run('doctor')
    server.close()
    expect(code).to.equal(1)
    expect(out).to.contain('MEND  configuration: mynah.config.yml:1: no plugin "nonesuch" is installed')
    expect(out).to.match(/MEND {2}port: 127\.0\.0\.1:\d+ cannot be used \(EADDRINUSE\)\n +Stop what uses it/)
    expect(out).to.match(/MEND {2}token: other users .*\n +chmod 600 data\/http-token/)
    expect(out).to.contain('3 to mend')
  })

  it('says so where there is no configuration', async () => {
    bench = await Bench.of({})
    const { code, out } = await bench.run('doctor')
    expect(code).to.equal(1)
    expect(out).to.contain('MEND  configuration: mynah.config.yml: mynah.config.yml cannot be read')
  })

  it('knows which Node is too old', async () => {
    bench = await Bench.of({})
    for (const version of ['18.20.0', '20.18.9']) expect(checkNode(version).state).to.equal('mend')
    for (const version of ['20.19.0', '22.0.0', '24.1.0']) expect(checkNode(version).state).to.equal('ok')
  })
})

describe('mynah token', () => {
  let bench: Bench
  afterEach(() => bench.remove())

  it('says where the token is, in the order in which the server looks', async () => {
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: []\nhttp: { token: "${T}" }', 'data/http-token': 'generated\n' })
    expect(await bench.run('token')).to.deep.equal({ code: 0, out: 'The token is in data/http-token.\n', err: '' })
    expect((await bench.run('token --show')).out).to.equal('generated\n')
    expect((await bench.run('token', { HTTP_TOKEN: 'e' })).out).to.equal('The token is in the environment variable HTTP_TOKEN.\n')
    expect((await bench.run('token --show', { HTTP_TOKEN: 'e', T: 'configured' })).out).to.equal('configured\n')
    await bench.write({ '.env': 'HTTP_TOKEN=from-file' })
    expect((await bench.run('token --show')).out).to.equal('from-file\n')
  })

  it('is told apart from one that does not exist yet', async () => {
    bench = await Bench.of({ 'mynah.config.yml': '' })
    expect((await bench.run('token')).out).to.contain('which the first start makes')
    const { code, err } = await bench.run('token --show')
    expect(code).to.equal(1)
    expect(err).to.contain('there is no token yet')
  })
})
