// Hosts and paths that an owner allows for good: over the wire, in the file, and in the next command.
import { expect } from 'chai'
import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ExecApproval, ExecOffer, ExecRefusal } from '@mynah/contract'
import { skipBecause } from '@mynah/kernel/testing'
import { FileHost, VISITOR } from '../test/file-host.js'
import { ORIGIN } from '../test/host.js'
import { findProgram } from '../view/tools.js'

const NETWORK = ['execSecurity: allowlist', 'execPreset: network', 'execApprovalMode: ask', 'execNetwork: listed']
const LISTED = ['execSecurity: allowlist', 'execPreset: network', 'execApprovalMode: ask']
const READONLY = ['execSecurity: allowlist', 'execPreset: readonly', 'execApprovalMode: ask']
const REACH = 'curl -s -o /dev/null -w "%{http_code}" http://host.invalid/'

describe('what an owner allows for good', function () {
  this.timeout(60_000)
  let host: FileHost | undefined
  afterEach(async () => {
    await host?.stop()
    host = undefined
  })

  async function open(agent: readonly string[], context?: Mocha.Context): Promise<FileHost> {
    host = await FileHost.start(agent)
    if (context && (await host.exec.level()).level !== 'wall') skipBecause(context, 'level wall does not work here')
    if (context && (await findProgram('curl')) === undefined) skipBecause(context, 'curl is not installed')
    return host
  }
  const running = (): FileHost => {
    if (!host) throw new Error('no host was started')
    return host
  }
  const run = async (command: string) => (await running().exec.run(command, { origin: ORIGIN, limitMs: 20_000 })).result
  const pending = async (): Promise<ExecApproval[]> =>
    (await running().rpc<{ pending: ExecApproval[] }>('exec:pending')).data.pending
  const refusals = async (): Promise<ExecRefusal[]> =>
    (await running().rpc<{ refusals: ExecRefusal[] }>('exec:refusals')).data.refusals
  const allow = (addition: object) => running().rpc<ExecOffer>('exec:allow', { addition })

  it('is a host of a waiting request: in the file with its comments, in each later run, and in the audit', async function () {
    const { exec, rpc, text } = await open([...NETWORK, 'execHosts: [a.example] # the first'], this)
    expect((await run(REACH))?.output).to.equal('403')
    const [asked] = await pending()
    expect(asked).to.deep.include({
      kind: 'host',
      folder: 'workspace',
      reach: {
        level: 'wall',
        roots: [{ path: 'workspace', write: true }],
        network: 'hosts',
        hosts: ['a.example', 'host.invalid'],
      },
      offers: [{ addition: { kind: 'host', host: 'host.invalid' }, key: 'ai.agent.execHosts' }],
    })
    const answer = await rpc('exec:answer', { id: asked?.id, approve: true, forGood: true })
    expect(answer.data).to.deep.include({ status: 'approved' })
    expect(await text()).to.match(/execHosts: \[ ?a\.example, host\.invalid ?\] # the first\n/)
    // The name is passed each time, and has no address.
    for (let time = 0; time < 3; time++) expect((await run(REACH))?.output, String(time)).to.equal('502')
    const [line] = (await exec.audit()).filter(({ kind }) => kind === 'allow')
    expect(line).to.deep.include({ verdict: 'allow', approvalId: asked?.id })
    expect(line?.rule).to.match(/^console:/)
    expect(line?.text).to.equal('host:host.invalid in ai.agent.execHosts')
  })

  it('is a path of a waiting command, which is not asked about again', async function () {
    const { rpc, text } = await open(LISTED, this)
    const first = await running().exec.run('ls -d /srv', { origin: ORIGIN })
    expect(first.verdict).to.equal('ask')
    const [asked] = await pending()
    expect(asked?.offers).to.deep.equal([
      { addition: { kind: 'path', path: '/srv', write: false }, key: 'ai.agent.execView.read' },
    ])
    expect(asked?.reach).to.deep.include({ network: 'hosts', hosts: [] })
    expect(asked?.reach?.roots).to.deep.include({ path: '/srv', write: false })
    await rpc('exec:answer', { id: asked?.id, approve: true, forGood: true })
    expect(await text()).to.match(/execView:\n\s+read:\n\s+- \/srv\n/)
    for (let time = 0; time < 3; time++) expect((await run('ls -d /srv'))?.output).to.equal('/srv\n')
    expect(await pending()).to.deep.equal([])
  })

  it('is listed as refused before, with what allows it, and as allowed afterwards', async function () {
    const { text } = await open(NETWORK, this)
    await run(REACH)
    await run(REACH)
    await run('curl -s http://127.0.0.1:1/')
    await running().exec.run('ls -d /srv', { origin: ORIGIN })
    const found = await refusals()
    const byName = (name: string) => found.find(({ target }) => target === name)
    expect(byName('host.invalid')).to.deep.include({
      kind: 'host',
      count: 2,
      allowed: false,
      reason: 'it is not listed',
      command: 'curl -s -o …/null -w "%{http_code}" http://host.invalid/',
      offer: { addition: { kind: 'host', host: 'host.invalid' }, key: 'ai.agent.execHosts' },
    })
    expect(byName('/srv')).to.deep.include({ kind: 'path', count: 1, allowed: false })
    expect(byName('127.0.0.1:1')?.offer, 'nothing allows this machine').to.equal(undefined)
    expect((await pending()).map(({ kind }) => kind).sort()).to.deep.equal(['bash', 'host'])
    expect((await allow({ kind: 'host', host: 'host.invalid' })).data.key).to.equal('ai.agent.execHosts')
    expect(await text()).to.contain('host.invalid')
    expect((await refusals()).find(({ target }) => target === 'host.invalid')?.allowed).to.equal(true)
    expect(
      (await pending()).map(({ kind }) => kind),
      'the request for it is approved',
    ).to.deep.equal(['bash'])
  })

  it('keeps all of several changes at once, and what is written to the file meanwhile', async () => {
    const { text, folder } = await open(NETWORK)
    const file = join(folder, 'mynah.config.yml')
    await writeFile(file, `${await text()}logs: { maxRecords: 500 } # by hand\n`)
    const names = ['a.example', 'b.example:8443', 'c.example', 'a.example']
    const answers = await Promise.all([
      ...names.map((name) => allow({ kind: 'host', host: name })),
      allow({ kind: 'host', host: 'd.example', private: true }),
      allow({ kind: 'path', path: '/srv', write: false }),
      allow({ kind: 'path', path: '/mnt', write: true }),
    ])
    for (const answer of answers) expect(answer.status, JSON.stringify(answer)).to.equal(200)
    const now = await text()
    for (const name of [...names, 'd.example', 'private: true', '/srv', '/mnt', '# by hand'])
      expect(now.split(name), name).to.have.length(2)
  })

  it('is no address, no pattern, nothing of the host, no credentials and no whole machine', async () => {
    const { text, folder, rpc } = await open(NETWORK)
    const before = await text()
    const hosts = ['127.0.0.1', '2130706433', '[::1]', '*.example.org', 'a b', 'http://a.example', 'a.example:0']
    const paths = [
      '/',
      homedir(),
      'srv',
      '/srv/not-there',
      '/srv/../etc',
      '/srv/‮x',
      join(folder, 'data'),
      join(folder, 'data/http-token'),
    ]
    const secrets = [join(folder, 'mynah.config.yml'), join(folder, '.env'), join(homedir(), '.ssh'), '/srv/.env']
    for (const name of hosts)
      expect((await allow({ kind: 'host', host: name })).code, name).to.match(/^invalid_request/)
    for (const path of [...paths, ...secrets])
      expect((await allow({ kind: 'path', path, write: false })).code, path).to.match(/^invalid_request/)
    const loaded = { kind: 'path', path: join(folder, 'plugins'), write: true }
    expect((await allow(loaded)).code).to.match(/^invalid_request/)
    const visitor = await rpc('exec:allow', { addition: { kind: 'host', host: 'a.example' } }, VISITOR)
    expect(visitor.status).to.equal(403)
    expect((await rpc('exec:refusals', {}, VISITOR)).status).to.equal(403)
    expect(await text()).to.equal(before)
  })

  it('is no whole machine where nothing holds commands either, and requests say that nothing does', async () => {
    const { text } = await open([...NETWORK, 'execSandbox: off'])
    const before = await text()
    expect((await allow({ kind: 'path', path: '/', write: true })).code).to.equal('invalid_request')
    await running().exec.request('make all', { origin: ORIGIN })
    const [asked] = await pending()
    expect(asked?.reach).to.deep.equal({ level: 'none', roots: [], network: 'any', hosts: [] })
    expect(asked?.offers).to.equal(undefined)
    expect(await text()).to.equal(before)
  })

  it('is refused with the reason where it would have no effect or cannot be written', async () => {
    const { rpc } = await open(READONLY)
    expect((await allow({ kind: 'host', host: 'a.example' })).error).to.contain('ai.agent.execNetwork is none')
    await running().exec.request('make all', { origin: ORIGIN })
    const [asked] = await pending()
    expect(asked?.offers).to.equal(undefined)
    const answer = await rpc('exec:answer', { id: asked?.id, approve: true, forGood: true })
    expect(answer.code).to.equal('invalid_request')
    expect(
      (await pending()).map(({ id }) => id),
      'it waits still',
    ).to.deep.equal([asked?.id])
    await running().stop()
    host = await FileHost.start(NETWORK, 'http-core, console-rpc, events, exec-security')
    expect((await allow({ kind: 'host', host: 'a.example' })).error).to.contain('workspace')
  })
})
