import { expect } from 'chai'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isLoopback } from './address.js'
import { weaknessReason } from './token-strength.js'
import { ask, CONSOLE, DEMO, serve, stopAll, TOKEN, type Served } from './test/support.js'

const STRONG = 'kT9vQ2mZ7xL4pR8sW1yB'
const config = (served: Served, change: Record<string, unknown>) =>
  served.host.update('http-core', {
    port: 0,
    token: TOKEN,
    tokens: [{ token: DEMO, scope: 'demo', name: 'visitor' }],
    corsOrigins: [CONSOLE],
    ...change,
  })

describe('admin token', () => {
  const before = process.env.HTTP_TOKEN
  beforeEach(() => {
    delete process.env.HTTP_TOKEN
  })
  after(() => {
    if (before === undefined) delete process.env.HTTP_TOKEN
    else process.env.HTTP_TOKEN = before
  })
  afterEach(stopAll)

  it('comes from the configuration before the environment', async () => {
    process.env.HTTP_TOKEN = 'from-environment'
    const both = await serve()
    expect((await both.fetch('/api/things')).status).to.equal(200)
    expect((await both.fetch('/api/things', { token: 'from-environment' })).status).to.equal(401)
    for (const token of [undefined, '', '${NOT_SET_ANYWHERE}']) {
      const served = await serve({ token })
      expect((await served.fetch('/api/things', { token: 'from-environment' })).status, String(token)).to.equal(200)
      expect(await readdir(served.data).catch(() => 'none')).to.equal('none')
    }
  })

  it('is generated at the first start, readable by its owner only, found again, and never logged', async () => {
    process.env.HTTP_TOKEN = ''
    const served = await serve({ token: '' })
    const path = join(served.data, 'http-token')
    const token = (await readFile(path, 'utf8')).trim()
    expect(token).to.match(/^[\w-]{32,}$/)
    expect((await stat(path)).mode & 0o777).to.equal(0o600)
    expect(await readdir(served.data)).to.deep.equal(['http-token'])
    expect((await served.fetch('/api/things', { token })).status).to.equal(200)
    expect((await served.fetch('/api/things', { token: 'undefined' })).status).to.equal(401)
    expect(JSON.stringify(served.log)).not.to.contain(token)
    expect(served.log.map(({ message }) => message)).to.include('generated a token; it is in data/http-token')
    expect(JSON.stringify(served.log), 'no absolute path').not.to.contain(served.data)

    await chmod(path, 0o644)
    await served.host.enable('http-core', false)
    await served.host.enable('http-core', true)
    expect((await readFile(path, 'utf8')).trim()).to.equal(token)
    expect((await stat(path)).mode & 0o777).to.equal(0o600)
  })

  it('is generated again if the file is empty', async () => {
    const served = await serve()
    await mkdir(served.data, { recursive: true })
    await writeFile(join(served.data, 'http-token'), '\n')
    expect(await config(served, { token: '' })).to.equal('updated')
    expect((await served.fetch('/api/things', { token: '' })).status).to.equal(401)
    expect(
      (await served.fetch('/api/things', { token: (await readFile(join(served.data, 'http-token'), 'utf8')).trim() }))
        .status,
    ).to.equal(200)
  })

  it('ends the start with a hint if it cannot be stored', async () => {
    const served = await serve()
    await writeFile(served.data, 'a file where the directory should be')
    await served.host.enable('http-core', false)
    expect(await config(served, { token: '' })).to.equal('updated')
    await served.host.enable('http-core', true)
    await served.host.settled()
    const { error } = served.host.inspect()[0] ?? {}
    expect(error).to.include({ name: 'FatalError', exitCode: 2 })
    expect(error).to.have.property('hint').that.contains('data directory')
    expect(error?.message).not.to.contain(served.data)
  })

  it('must be strong on an address that is not loopback', async () => {
    for (const change of [
      { token: 'tiny1' },
      { token: 'changemechangeme' },
      { token: 'xxxxxxxxxxxxxxxxxxxxxxxx' },
      { token: 'Your-Secret-Token' },
      { token: '0123456789abcdef' },
      { token: STRONG, tokens: [{ token: 'demo', scope: 'demo', name: 'weak' }] },
    ]) {
      const served = await serve({ host: '0.0.0.0', tokens: [], ...change })
      const [view] = served.host.inspect()
      expect(view?.state).to.equal('failed')
      expect(view?.error).to.include({ code: 'config/invalid' })
      expect(view?.error?.message).to.contain('http.host').and.to.contain('0.0.0.0')
      expect(view?.error?.message, 'no token in a message').not.to.contain(change.token)
      await served.stop()
    }
    const served = await serve({ host: '0.0.0.0', token: STRONG, tokens: [] })
    expect((await served.fetch('/api/things', { token: STRONG })).status).to.equal(200)
  })

  it('must be strong in its file on an address that is not loopback', async () => {
    const served = await serve({ token: '' })
    await writeFile(join(served.data, 'http-token'), 'changeme')
    const refused = JSON.stringify(await config(served, { token: '', host: '0.0.0.0' }))
    expect(refused).to.contain('the token of the data directory is shorter')
    await served.host.settled()
    expect(served.host.inspect()[0]?.state, 'as it was').to.equal('active')
  })

  it('may be weak on loopback', async () => {
    const served = await serve({ token: 'x', tokens: [] })
    expect((await served.fetch('/api/things', { token: 'x' })).status).to.equal(200)
  })
})

describe('weaknessReason', () => {
  for (const token of [
    '',
    'password',
    'a'.repeat(40),
    'abababababababababab',
    'change_me-change_me',
    'REPLACE-WITH-YOUR-TOKEN',
    '<your-access-token>',
  ]) {
    it(`rejects ${JSON.stringify(token)}`, () => expect(weaknessReason(token)).to.be.a('string'))
  }
  it('accepts random tokens', () => expect(weaknessReason(STRONG)).to.equal(undefined))
})

describe('isLoopback', () => {
  for (const host of [
    '127.0.0.1',
    '127.8.8.8',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    'localhost',
    'LOCALHOST',
    'localhost.',
  ])
    it(`accepts ${host}`, () => expect(isLoopback(host)).to.equal(true))
  for (const host of [
    '0.0.0.0',
    '::',
    '10.0.0.1',
    'example.org',
    '127.1',
    '2130706433',
    'localhost.evil.test',
    '::ffff:8.8.8.8',
    '',
  ])
    it(`rejects ${JSON.stringify(host)}`, () => expect(isLoopback(host)).to.equal(false))
})

describe('LiveSettings', () => {
  afterEach(stopAll)

  it('applies new tokens in place and ends the streams of removed ones', async () => {
    const served = await serve({
      tokens: [
        { token: DEMO, scope: 'demo', name: 'visitor' },
        { token: 'second-token', scope: 'full', name: 'second' },
      ],
    })
    const open = await Promise.all([TOKEN, DEMO, 'second-token'].map((token) => served.fetch('/api/open', { token })))
    await served.streams.reach(3)
    expect(
      await config(served, { token: 'rotated', tokens: [{ token: DEMO, scope: 'demo', name: 'visitor' }] }),
    ).to.equal('updated')
    await served.streams.reach(1)
    expect(await (open[0] as Response).text()).to.equal(': open\n\n')
    expect(await (open[2] as Response).text()).to.equal(': open\n\n')
    expect((await served.fetch('/api/things')).status).to.equal(401)
    expect((await served.fetch('/api/things', { token: 'second-token' })).status).to.equal(401)
    expect((await served.fetch('/api/things', { token: 'rotated' })).status).to.equal(200)
    await (open[1] as Response).body?.cancel()
    await served.streams.reach(0)
  })

  it('ends the streams of a token whose scope changed', async () => {
    const served = await serve()
    const open = await served.fetch('/api/open', { token: DEMO })
    await served.streams.reach(1)
    expect(await config(served, { tokens: [{ token: DEMO, scope: 'full', name: 'visitor' }] })).to.equal('updated')
    await open.text()
    expect(served.streams.open).to.equal(0)
  })

  it('changes origins, names and limits in place, and an address by a restart', async () => {
    const served = await serve()
    const open = await served.fetch('/api/open')
    await served.streams.reach(1)
    expect(
      await config(served, { corsOrigins: ['http://new.example'], hosts: ['new.example'], bodyLimit: 2048 }),
    ).to.equal('updated')
    const answer = await served.fetch('/pub/hello', { headers: { origin: 'http://new.example' } })
    expect(answer.headers.get('access-control-allow-origin')).to.equal('http://new.example')
    expect((await ask(served.port, '/pub/hello', { headers: { host: 'new.example' } })).status).to.equal(200)
    expect(
      (await served.fetch('/api/echo', { method: 'POST', body: `{"value":"${'x'.repeat(3000)}"}` })).status,
    ).to.equal(413)
    expect(served.streams.open).to.equal(1)
    expect(await config(served, { base: '/other' })).to.equal('restarted')
    expect(await open.text()).to.equal(': open\n\n')
  })

  it('keeps the old settings when new ones are invalid', async () => {
    const served = await serve()
    expect(await config(served, { corsOrigins: ['*'] })).to.have.property('mistakes')
    expect((await served.fetch('/api/things')).status).to.equal(200)
    expect(await config(served, { trustedProxies: ['nowhere'] })).to.have.property('mistakes')
    const open = await served.fetch('/api/open')
    await served.streams.reach(1)
    expect(await config(served, { host: '0.0.0.0', token: 'test' })).to.have.property('mistakes')
    expect(served.streams.open).to.equal(1)
    await open.body?.cancel()
    await served.host.settled()
    expect(served.host.inspect()[0]?.state).to.equal('active')
  })
})
