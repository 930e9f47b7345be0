// Standing approvals: always, rules, and taking them back, each for one endpoint.
import { expect } from 'chai'
import { TestClock } from '@mynah/kernel/testing'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ORIGIN, newHome, start, stopAll, type Running } from '../test/host.js'

const SECOND = { ...ORIGIN, endpoint: 'second' }

describe('PermanentApprovals', () => {
  let running: Running
  const verdict = (command: string, origin = ORIGIN): string =>
    running.exec.evaluate(command, { origin: origin }).verdict
  const file = (): string => join(running.data, 'owner-approve-always.json')
  const stored = () =>
    JSON.parse(readFileSync(file(), 'utf8')) as {
      version: number
      endpoints: Record<
        string,
        { bashAlways: boolean; bashRules: { id: string; pattern: string; createdAt: number }[] }
      >
    }
  afterEach(stopAll)

  it('approves everything on one endpoint after /approve always bash', async () => {
    running = await start()
    const { approvalId = '' } = await running.exec.request('make all', { origin: ORIGIN })
    const other = await running.exec.request('make all', { origin: SECOND })
    const waiting = running.approvals.wait(approvalId)
    expect(await running.say('/approve always bash')).to.contain('1 waiting approved')
    expect(await waiting).to.equal('approved')
    expect([
      verdict('make all'),
      verdict('rm -r x'),
      verdict('make all', SECOND),
      verdict('sudo ls'),
      verdict('$x'),
    ]).to.deep.equal(['allow', 'allow', 'ask', 'deny', 'deny'])
    expect(stored()).to.deep.equal({ version: 2, endpoints: { 'sandbox|bot': { bashAlways: true, bashRules: [] } } })
    expect(statSync(file()).mode & 0o777).to.equal(0o600)
    expect(readdirSync(running.data).filter((name) => name.includes('tmp'))).to.deep.equal([])
    expect((await running.rpc('exec:pending')).data).to.have.nested.property('pending[0].id', other.approvalId)
    expect(await running.say('/approve list')).to.contain('Without confirmation: yes')
  })

  it('approves everything after /approve always, but only while a command waits', async () => {
    const clock = new TestClock()
    running = await start({ clock })
    await running.exec.request('make all', { origin: SECOND })
    expect(await running.say('/approve always')).to.contain('No command waits')
    await running.exec.request('make all', { origin: ORIGIN })
    await clock.advance(30 * 60_000)
    expect(await running.say('/approve always')).to.contain('No command waits')
    expect(verdict('make all')).to.equal('ask')
    await running.exec.request('make all', { origin: ORIGIN })
    await clock.advance(29 * 60_000)
    expect(await running.say('/approve always')).to.contain('without confirmation from now on')
    await clock.advance(24 * 3_600_000)
    expect(verdict('make other')).to.equal('allow')
  })

  it('approves subcommands that match a rule as a whole', async () => {
    running = await start()
    const covered = await running.exec.request('ls && make all', { origin: ORIGIN })
    await running.exec.request('make all; rm x', { origin: ORIGIN })
    const answer = await running.say('/approve rule make (all|test)')
    expect(answer).to.contain('make (all|test)').and.contain('1 waiting approved').and.contain('1 still waiting')
    expect(await running.approvals.wait(covered.approvalId ?? '')).to.equal('approved')
    expect([
      verdict('make all'),
      verdict('make "test" | head'),
      verdict('make all install'),
      verdict('make all; rm x'),
      verdict('make all', SECOND),
    ]).to.deep.equal(['allow', 'allow', 'ask', 'ask', 'ask'])
    const [rule] = stored().endpoints['sandbox|bot']?.bashRules ?? []
    expect(answer).to.contain(rule?.id.slice(0, 8))
    expect(rule).to.include({ pattern: 'make (all|test)' })
  })

  it('approves exactly the redirections and the input that a request has shown', async () => {
    running = await start()
    const subagent = { ...ORIGIN, subagent: true }
    const offered = async (command: string): Promise<string> => {
      await running.exec.request(command, { origin: ORIGIN })
      const { data } = await running.rpc('exec:pending')
      const { pending } = data as unknown as { pending: readonly { suggestion?: string }[] }
      return pending.at(-1)?.suggestion ?? ''
    }
    for (const [command, pattern, others] of [
      ['{ make all; } > made', 'make all > made', ['make all', 'make all > other', '{ make all; } >> made']],
      ['cat in | make new', 'make new < <\\(cat in\\)', ['make new', 'cat other | make new', 'make new < in']],
      ['make old <<< x', 'make old <<< x', ['make old', 'make old <<< y', 'make old 3<<< x']],
    ] as const) {
      expect(await offered(command)).to.equal(pattern)
      expect(await running.say(`/approve rule ${pattern}`))
        .to.match(/^Rule .* only as written: /)
        .and.contain(pattern)
      expect([verdict(command), verdict(command, subagent)], command).to.deep.equal(['allow', 'allow'])
      for (const other of others)
        expect([verdict(other), verdict(other, subagent)], other).to.deep.equal(['ask', 'ask'])
    }
    expect(stored().endpoints['sandbox|bot']?.bashRules.map(({ pattern }) => pattern)).to.deep.equal([
      'make all > made',
      'make new < <\\(cat in\\)',
      'make old <<< x',
    ])
  })

  it('keeps rules of earlier versions, whose wildcards reach no redirection any more', async () => {
    const home = await newHome()
    mkdirSync(join(home, 'data'))
    const rule = (pattern: string, match: readonly string[] = []) => ({
      id: `id of ${pattern}`,
      pattern,
      createdAt: 1,
      match,
    })
    const bashRules = [rule('make all > made'), rule('touch .*', ['touch a', 'touch a > made'])]
    const text = JSON.stringify({ version: 2, endpoints: { 'sandbox|bot': { bashAlways: false, bashRules } } })
    writeFileSync(join(home, 'data', 'owner-approve-always.json'), text, { mode: 0o600 })
    running = await start({ home })
    expect(['make all > made', 'make all', 'touch a', 'touch a > made'].map((line) => verdict(line))).to.deep.equal([
      'allow',
      'ask',
      'allow',
      'ask',
    ])
    await running.say('/approve rule make new')
    expect(stored().endpoints['sandbox|bot']?.bashRules).to.have.length(3)
  })

  it('refuses invalid rules, and takes linear time for any rule', async () => {
    running = await start()
    expect(await running.say('/approve rule (')).to.contain('no rule')
    expect(await running.say('/approve rule ma(?=ke)')).to.contain('no rule')
    expect(await running.say('/approve rule make\nall')).to.contain('no rule')
    expect(await running.say(`/approve rule ${'a'.repeat(1001)}`)).to.contain('no rule')
    expect(await running.say('/approve rule x (a+)+b')).to.match(/^Rule/)
    expect(await running.say('/approve rule (x|x)*(a|a|aa)+b')).to.match(/^Rule/)
    expect(verdict(`x ${'a'.repeat(5000)}`)).to.equal('ask')
  })

  it('revokes one rule or everything', async () => {
    running = await start()
    for (const rule of ['make all', 'make test', 'make more']) await running.say(`/approve rule ${rule}`)
    await running.say('/approve rule make all', { endpoint: 'second' })
    const ids = (stored().endpoints['sandbox|bot']?.bashRules ?? []).map(({ id }) => id)
    expect(await running.say('/approve revoke rule nothing1')).to.contain('No rule')
    expect(await running.say(`/approve revoke rule ${ids[0]?.slice(0, 7)}`)).to.contain('No rule')
    expect(await running.say(`/approve revoke rule ${ids[0]?.slice(0, 8)}`)).to.contain('make all')
    expect(await running.say(`/approve revoke rule ${ids[1]}`)).to.contain('make test')
    expect(['make all', 'make test', 'make more'].map((command) => verdict(command))).to.deep.equal([
      'ask',
      'ask',
      'allow',
    ])
    expect(await running.say('/approve revoke everything')).to.not.contain('taken back')
    expect(verdict('make more')).to.equal('allow')
    await running.say('/approve always bash')
    expect(await running.say('/approve revoke')).to.contain('taken back')
    expect([verdict('make more'), verdict('make all'), verdict('make all', SECOND)]).to.deep.equal([
      'ask',
      'ask',
      'allow',
    ])
    expect(Object.keys(stored().endpoints)).to.deep.equal(['sandbox|second'])
  })

  it('ends an approval by a rule with the rule', async () => {
    running = await start()
    const { approvalId = '' } = await running.exec.request('touch made', { origin: ORIGIN })
    await running.say('/approve rule touch made')
    expect(await running.approvals.wait(approvalId)).to.equal('approved')
    await running.say('/approve revoke')
    expect(
      (await running.exec.run('touch made', { origin: ORIGIN, ...{ cwd: running.work, limitMs: 10_000 } })).verdict,
    ).to.equal('ask')
  })

  it('keeps approvals over a restart', async () => {
    const home = await newHome()
    running = await start({ home })
    await running.say('/approve rule make all')
    await running.say('/approve always bash', { endpoint: 'second' })
    await running.halt()
    running = await start({ home })
    expect([verdict('make all'), verdict('make x'), verdict('make x', SECOND)]).to.deep.equal(['allow', 'ask', 'allow'])
    await running.say('/approve revoke')
    await running.halt()
    running = await start({ home })
    expect(verdict('make all')).to.equal('ask')
  })

  for (const [what, text] of Object.entries({
    'is no JSON': '{"version":2,"endpoints":{"sandbox|bot":{"bashAlways":true',
    'has another version': '{"version":1,"bashAlways":true,"bashRules":[]}',
    'has another form': '{"version":2,"endpoints":{"sandbox|bot":{"bashAlways":"yes","bashRules":[]}}}',
    'has a rule that is none':
      '{"version":2,"endpoints":{"sandbox|bot":{"bashAlways":true,"bashRules":[{"id":"12345678","pattern":"(","createdAt":1}]}}}',
    'may be written by others': '{"version":2,"endpoints":{"sandbox|bot":{"bashAlways":true,"bashRules":[]}}}',
  })) {
    it(`ignores a file that ${what}, and keeps a copy of it`, async () => {
      const home = await newHome()
      mkdirSync(join(home, 'data'))
      writeFileSync(join(home, 'data', 'owner-approve-always.json'), text)
      chmodSync(join(home, 'data', 'owner-approve-always.json'), what.includes('others') ? 0o666 : 0o600)
      running = await start({ home })
      expect(verdict('make all')).to.equal('ask')
      const [aside = ''] = readdirSync(running.data).filter((name) => name.includes('unreadable'))
      expect(readFileSync(join(running.data, aside), 'utf8')).to.equal(text)
      const line = running.log.find(({ level, message }) => level === 'error' && message.includes(aside))
      expect(line?.message).to.contain('none of them apply').and.not.contain(home)
      await running.say('/approve rule make all')
      expect(verdict('make all')).to.equal('allow')
    })
  }

  it('refuses a rule that would make the file too large to read', async () => {
    const home = await newHome()
    running = await start({ home })
    // Examples are stored with their rule, so a few rules of the greatest size fill the file.
    const rule = {
      ...ORIGIN,
      pattern: 'make [a-z]+',
      match: Array.from({ length: 50 }, () => `make ${'a'.repeat(1_900)}`),
    }
    let kept = 0
    let answer = await running.rpc('exec:rule-add', { ...rule, endpointId: 'bot-0' })
    while (answer.status === 200 && ++kept < 60)
      answer = await running.rpc('exec:rule-add', { ...rule, endpointId: `bot-${kept}` })
    expect(answer).to.include({
      code: 'conflict',
      error: 'All approvals together would be larger than 256 KiB; revoke some first',
    })
    expect((await running.rpc('exec:revoke', { ...ORIGIN, endpointId: 'bot-0' })).status).to.equal(200)
    await running.halt()
    running = await start({ home })
    expect((await running.rpc('exec:standing')).data)
      .to.have.property('endpoints')
      .with.length(kept - 1)
    expect((await running.rpc('exec:rule-add', { ...rule, adapter: 'x'.repeat(600) })).status).to.equal(400)
  })

  it('grants no approval that cannot be stored, and revokes without storing', async () => {
    running = await start()
    await running.say('/approve rule make all')
    // A directory in the way of the file: replacing it fails for every user.
    rmSync(file())
    mkdirSync(join(file(), 'in the way'), { recursive: true })
    expect(await running.say('/approve always bash'))
      .to.contain('cannot be done at the moment')
      .and.not.contain(running.home)
    expect([verdict('make all'), verdict('make x')]).to.deep.equal(['allow', 'ask'])
    expect(await running.say('/approve revoke')).to.contain('cannot be done at the moment')
    expect(verdict('make all')).to.equal('ask')
    expect(readdirSync(running.data).filter((name) => name.includes('tmp'))).to.deep.equal([])
  })
})
