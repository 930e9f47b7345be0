// The network of a command in a whole host: what is refused becomes a request, and the answer holds for one run.
import { expect } from 'chai'
import { skipBecause } from '@mynah/kernel/testing'
import { ORIGIN, start, stopAll, waitingId, type Running } from '../test/host.js'
import { findProgram } from '../view/tools.js'

describe('ExecService: network', function () {
  this.timeout(60_000)
  let running: Running
  afterEach(stopAll)

  async function open(config: Record<string, unknown>, context: Mocha.Context): Promise<void> {
    running = await start({ config: { 'ai.agent.execPreset': 'network', ...config } })
    if ((await running.exec.level()).level !== 'wall') skipBecause(context, 'level wall does not work here')
    if ((await findProgram('curl')) === undefined) skipBecause(context, 'curl is not installed')
  }
  const run = (command: string) => running.exec.run(command, { origin: ORIGIN, limitMs: 20_000 })

  it('asks the owner for a host that was refused, and lets one run reach it after the approval', async function () {
    await open({ 'ai.agent.execNetwork': 'listed' }, this)
    const command = 'curl -s -o /dev/null -w "%{http_code}" http://host.invalid/'
    const first = await run(command)
    expect(first.result?.output).to.equal('403')
    expect(first.result?.destinations).to.deep.equal([
      {
        host: 'host.invalid',
        port: 80,
        allowed: false,
        reason: 'it is not listed',
        mayAsk: true,
        sent: 0,
        received: 0,
      },
    ])
    const id = await waitingId(running)
    expect(first.result?.requested).to.deep.equal([id])
    const { data } = await running.rpc('exec:pending')
    expect(data).to.have.nested.property('pending[0].kind', 'host')
    expect(data).to.have.nested.property('pending[0].adds').that.deep.equals(['host:host.invalid'])
    await running.rpc('exec:answer', { id, approve: true })
    // The name is passed now, and has no address.
    expect((await run(command)).result?.output).to.equal('502')
    expect((await run(command)).result?.output, 'once').to.equal('403')
    const [line] = (await running.exec.audit()).filter(({ kind }) => kind === 'net')
    expect(line).to.include({ verdict: 'deny', host: 'host.invalid', port: 80, rule: 'it is not listed', bytes: 0 })
  })

  it('lets a command reach the hosts that its text names, and this machine by no name', async function () {
    await open({}, this)
    const { result } = await run('curl -s -o /dev/null -w "%{http_code}" http://host.invalid/')
    expect(result?.output).to.equal('502')
    const local = await run('curl -s -o /dev/null -w "%{http_code}" http://localhost:1/')
    expect(local.result?.output).to.not.match(/^200/)
  })

  it('gives no way to the network to commands that only read, and to none where it is switched off', async function () {
    await open({ 'ai.agent.execNetwork': 'none' }, this)
    expect((await run('ls')).result?.destinations).to.deep.equal([])
    const { result } = await run('curl -s http://host.invalid/')
    expect(result).to.deep.include({ exitCode: 6, destinations: [] })
  })
})

describe('ExecService: roots', function () {
  this.timeout(60_000)
  let running: Running
  afterEach(stopAll)

  for (const [preset, isWritable] of [
    ['readonly', false],
    ['network', false],
    ['development', true],
    ['custom', true],
  ] as const)
    it(`${isWritable ? 'are' : 'are not'} writable for the preset ${preset}`, async function () {
      running = await start({ config: { 'ai.agent.execPreset': preset, 'ai.agent.execTrust': 'walled' } })
      if ((await running.exec.level()).level !== 'wall') skipBecause(this, 'level wall does not work here')
      const { result } = await running.exec.run('touch made; ls', { origin: ORIGIN })
      expect(result?.output.includes('made\n')).to.equal(isWritable)
      // Unlisted words are not asked about, the blacklist holds.
      expect((await running.exec.run('sudo ls', { origin: ORIGIN })).verdict).to.equal('deny')
    })

  it('are asked about where a path is outside of what commands see, and shown after the approval', async function () {
    running = await start({ config: { 'ai.agent.execPreset': 'network' } })
    if ((await running.exec.level()).level !== 'wall') skipBecause(this, 'level wall does not work here')
    const command = 'ls -d /srv'
    const asked = await running.exec.run(command, { origin: ORIGIN })
    expect(asked.verdict).to.equal('ask')
    expect(asked.decision.reason).to.contain('outside of what commands see')
    await running.rpc('exec:answer', { id: asked.approvalId, approve: true })
    expect((await running.exec.run(command, { origin: ORIGIN })).result?.output).to.equal('/srv\n')
  })

  it('are not asked about under readonly, where such a path is just not there', async function () {
    running = await start({ config: { 'ai.agent.execPreset': 'readonly' } })
    if ((await running.exec.level()).level !== 'wall') skipBecause(this, 'level wall does not work here')
    const { verdict, result } = await running.exec.run('ls -d /srv', { origin: ORIGIN })
    expect(verdict).to.equal('allow')
    expect(result?.exitCode).to.not.equal(0)
    expect(result?.output).to.contain('No such file')
  })

  it('ask about all but the provable below level wall, unless the owner wants texts to be judged', async () => {
    const unwalled = { 'ai.agent.execSandbox': 'off', 'ai.agent.execUnwalled': 'ask' }
    running = await start({ config: { 'ai.agent.execPreset': 'development', ...unwalled } })
    const verdictOf = async (command: string) => (await running.exec.request(command, { origin: ORIGIN })).verdict
    for (const command of ['ls', 'cat a.txt', 'head -n 3 a/b.txt', 'wc -l a.txt | head -1'])
      expect(await verdictOf(command), command).to.equal('allow')
    const open = ['git status', 'grep -r x .', 'find . -name x', 'cat *', 'node a.js', 'ls | xargs cat', 'ls -R']
    for (const command of open) expect(await verdictOf(command), command).to.equal('ask')
    await running.configure({
      'ai.agent.execSecurity': 'allowlist',
      'ai.agent.execPreset': 'development',
      'ai.agent.execSandbox': 'off',
      'ai.agent.execUnwalled': 'text',
    })
    expect(await verdictOf('git status')).to.equal('allow')
  })
})
