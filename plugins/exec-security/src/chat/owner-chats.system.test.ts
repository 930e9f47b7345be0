// The whole conversation: a command waits, the owner answers in private, it runs once.
import { expect } from 'chai'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { NEEDS_OWNER } from '../api.js'
import { ORIGIN, OWNER, ending, start, stopAll, until, type Running } from '../test/host.js'

describe('OwnerChats', () => {
  let running: Running
  const options = () => ({ limitMs: 10_000 })
  const made = () => existsSync(join(running.home, 'workspace/made'))
  afterEach(stopAll)

  async function asked(command = 'touch made'): Promise<string> {
    const {
      approvalId = '',
      verdict,
      marker,
      result,
    } = await running.exec.run(command, { origin: ORIGIN, ...options() })
    expect({ verdict, marker, result }).to.deep.equal({ verdict: 'ask', marker: NEEDS_OWNER, result: undefined })
    return approvalId
  }

  it('lets a command run once after the approval', async () => {
    running = await start()
    const id = await asked()
    expect(made()).to.equal(false)
    await until(async () => (await running.heard()).length === 1, 'the owner is asked')
    const [question = ''] = await running.heard()
    for (const part of [
      'touch made',
      'bob',
      'group:g1',
      `/approve ${id}`,
      `/approve deny ${id}`,
      '/approve rule touch made',
    ])
      expect(question).to.contain(part)
    expect(await running.heard({ type: 'group', id: 'g1' })).to.deep.equal([])

    expect(await running.say('/approve list')).to.contain(id)
    const waiting = running.approvals.wait(id)
    expect(await running.say(`/approve ${id}`)).to.match(/^Approved/)
    expect(await waiting).to.equal('approved')
    expect(made()).to.equal(false)

    const { verdict, approvalId, result } = await running.exec.run('touch made', { origin: ORIGIN, ...options() })
    expect({ verdict, approvalId, exitCode: result?.exitCode }).to.deep.equal({
      verdict: 'allow',
      approvalId: id,
      exitCode: 0,
    })
    expect(made()).to.equal(true)
    expect(await asked()).to.not.equal(id)
    expect(await running.approvals.wait(id)).to.equal('approved')
  })

  it('does not run denied commands, and takes one answer only', async () => {
    running = await start()
    const id = await asked()
    const waiting = running.approvals.wait(id)
    expect(await running.say(`/approve deny ${id}`)).to.match(/^Denied/)
    expect(await waiting).to.equal('denied')
    expect(await running.say(`/approve ${id}`)).to.contain('denied already')
    expect(await running.say(`/approve deny ${id}`)).to.contain('denied already')
    expect((await running.rpc('exec:answer', { id, approve: true })).code).to.equal('conflict')
    await asked()
    expect(made()).to.equal(false)
  })

  it('ignores other users and groups', async () => {
    running = await start()
    const id = await asked()
    for (const command of [
      `/approve ${id}`,
      `/approve deny ${id}`,
      '/approve always',
      '/approve always bash',
      '/approve rule .*',
      '/approve list',
      '/approve revoke',
      '/approve revoke rule 12345678',
    ]) {
      expect(await running.say(command, { user: 'mallory' }), command).to.match(/is for my owner only/)
      expect(await running.say(command, { channel: { type: 'group', id: 'g1' } }), command).to.match(/private/i)
    }
    // Eve owns another endpoint, and the owner of this one may not answer from there.
    expect(await running.say(`/approve ${id}`, { user: 'eve', endpoint: 'second' })).to.contain('No request')
    expect(await running.say(`/approve ${id}`, { endpoint: 'second' })).to.contain('No request')
    await asked()
    expect(made()).to.equal(false)
  })

  it('takes an approval for the exact text and origin', async () => {
    running = await start()
    const id = await asked()
    expect(await running.say(`/approve ${id}`)).to.match(/^Approved/)
    for (const [command, origin] of [
      ['touch made ', ORIGIN],
      ['touch made; touch other', ORIGIN],
      ['touch made', { ...ORIGIN, user: 'mallory' }],
      ['touch made', { ...ORIGIN, channel: { type: 'group' as const, id: 'g2' } }],
      ['touch made', { ...ORIGIN, endpoint: 'second' }],
    ] as const) {
      expect(
        (await running.exec.run(command, { origin: origin, ...options() })).verdict,
        JSON.stringify([command, origin]),
      ).to.equal('ask')
    }
    // Without an endpoint there is no owner who could be asked.
    const { verdict, decision } = await running.exec.run('touch made', { origin: {}, ...options() })
    expect([verdict, decision.reason]).to.deep.equal([
      'deny',
      'An action without an endpoint has no owner who could approve it',
    ])
    expect(made()).to.equal(false)
    const both = await Promise.all([
      running.exec.run('touch made', { origin: ORIGIN, ...options() }),
      running.exec.run('touch made', { origin: { ...ORIGIN, subagent: true }, ...options() }),
    ])
    expect(both.map(({ verdict }) => verdict).sort()).to.deep.equal(['allow', 'ask'])
  })

  it('keeps one request for a repeated text, and limits the number of requests', async () => {
    running = await start()
    const ids = await Promise.all(Array.from({ length: 5 }, () => asked()))
    expect(new Set(ids).size).to.equal(1)
    for (let index = 1; index < 50; index++) await running.exec.request(`make ${index}`, { origin: ORIGIN })
    const { verdict, decision } = await running.exec.request('make more', { origin: ORIGIN })
    expect({ verdict, said: decision.verdict, reason: decision.reason }).to.deep.equal({
      verdict: 'deny',
      said: 'deny',
      reason: 'too many requests wait for the owner already',
    })
    expect((await running.exec.request('make more', { origin: { ...ORIGIN, endpoint: 'second' } })).verdict).to.equal(
      'ask',
    )
  })

  it('quotes the text so that no line of it looks like one of the bot', async () => {
    running = await start()
    const command = 'make all <<X\nNot covered: nothing\n/approve deadbeef00 – look at it\nX'
    await running.exec.request(command, { origin: { ...ORIGIN, user: 'bob\nNot covered: nothing' } })
    await until(async () => (await running.heard()).length === 1, 'the owner is asked')
    const lines = (await running.heard())[0]?.split('\n') ?? []
    expect(
      lines
        .filter((line) => line.startsWith('> '))
        .map((line) => line.slice(2))
        .join('\n'),
    ).to.equal(command)
    expect(lines.filter((line) => line.startsWith('Not covered')).length).to.equal(1)
    expect(lines.some((line) => line.startsWith('/approve deadbeef00'))).to.equal(false)
    expect((await running.say('/approve list')).split('\n').some((line) => line.startsWith('Not covered'))).to.equal(
      false,
    )
  })

  it('speaks with the prefix and in the language of the bot', async () => {
    running = await start({ commands: { prefix: '!', locale: 'zh-CN' } })
    const id = await asked()
    await until(async () => (await running.heard()).length === 1, 'the owner is asked')
    expect((await running.heard())[0])
      .to.contain(`!approve ${id}`)
      .and.not.contain('/approve')
    expect(await running.say('!approve list'))
      .to.contain('等待中')
      .and.contain(`!approve ${id}`)
    expect(await running.say(`!approve deny ${id}`)).to.contain('已拒绝')
  })

  it('asks every owner of an endpoint, in a private chat with each', async () => {
    running = await start()
    await running.exec.request('make', { origin: { ...ORIGIN, endpoint: 'second' } })
    for (const id of [OWNER, 'eve'])
      await until(async () => (await running.heard({ type: 'private', id }, 'second')).length === 1, `${id} is asked`)
    expect(await running.heard()).to.deep.equal([])
  })

  it('asks no owner about a denied or allowed command', async () => {
    running = await start({ config: { 'ai.agent.execApprovalMode': 'ask' } })
    expect((await running.exec.run('sudo ls', { origin: ORIGIN, ...options() })).verdict).to.equal('deny')
    expect((await running.exec.run('pwd', { origin: ORIGIN, ...options() })).result?.output.trim()).to.equal(
      join(running.home, 'workspace'),
    )
    expect(await running.heard()).to.deep.equal([])
    expect(await ending(running.approvals.wait('nothing'))).to.equal('not_found')
  })

  it('asks the policy again before it runs an approved command', async () => {
    running = await start()
    const id = await asked()
    const waiting = running.approvals.wait(id)
    await running.configure({ 'ai.agent.execSecurity': 'allowlist', 'ai.agent.execApprovalMode': 'deny' })
    expect(await running.say(`/approve ${id}`)).to.match(/^Approved/)
    expect(await waiting, 'who waits is not interrupted by the change').to.equal('approved')
    expect((await running.exec.run('touch made', { origin: ORIGIN, ...options() })).verdict).to.equal('deny')
    await running.configure({ 'ai.agent.execSecurity': 'deny' })
    expect((await running.exec.run('ls', { origin: ORIGIN, ...options() })).verdict).to.equal('deny')
    expect(made()).to.equal(false)
  })

  it('gives sub-agents their own mode', async () => {
    running = await start({ config: { 'ai.agent.subagentExecApprovalMode': 'deny' } })
    const subagent = { ...ORIGIN, subagent: true }
    expect((await running.exec.run('touch made', { origin: subagent, ...options() })).verdict).to.equal('deny')
    const id = await asked()
    await running.say(`/approve ${id}`)
    expect(
      (await running.exec.run('touch made', { origin: subagent, ...options() })).verdict,
      'an approval does not open what is denied',
    ).to.equal('deny')
    expect(await running.say('/approve rule touch made')).to.match(/^Rule/)
    expect(
      (await running.exec.run('touch made', { origin: subagent, ...options() })).verdict,
      'rules hold alike',
    ).to.equal('allow')
  })
})
