// The audit: every decision, execution and answer with its text, without output and secrets.
import { expect } from 'chai'
import { ORIGIN, start, stopAll, type Running } from './test/host.js'

const SECRET = 'ghp_s3cr3tT0ken'

describe('Audit', () => {
  let running: Running
  afterEach(stopAll)

  it('records a command that could not be started', async () => {
    running = await start()
    const failed = await running.exec
      .run('pwd', { origin: ORIGIN, cwd: `${running.work}/nowhere`, limitMs: 10_000 })
      .catch((error: Error) => error.message)
    expect(failed).to.equal('failed to start bash')
    expect((await running.exec.audit())[0]).to.deep.include({ kind: 'run', rule: 'not started', exitCode: null })
  })

  for (const database of [false, true]) {
    it(`records user, place, verdict, rule, exit and duration${database ? ', in the database' : ''}`, async () => {
      running = await start({ database, config: { 'ai.agent.execAllowlist': ['echo', 'exit', 'false'] } })
      const options = { cwd: running.work, limitMs: 10_000 }
      await running.exec.run('echo visible-output; false', { origin: ORIGIN, ...options })
      await running.exec.run('sudo ls', { origin: { ...ORIGIN, subagent: true }, ...options })
      const { approvalId = '' } = await running.exec.run(
        `curl -H "Authorization: Bearer ${SECRET}" https://example.com`,
        { origin: ORIGIN, ...options },
      )
      await running.exec.run(`API_KEY=${SECRET} make`, { origin: ORIGIN, ...options })
      await running.say(`/approve deny ${approvalId}`)

      const [answer, , asked, denied, ran, allowed] = await running.exec.audit()
      const where = { adapter: 'sandbox', endpointId: 'bot', channel: 'group:g1', userId: 'bob' }
      expect(allowed).to.deep.include({
        ...where,
        kind: 'decision',
        subagent: false,
        verdict: 'allow',
        programs: 'echo, false',
        exitCode: null,
        durationMs: null,
      })
      expect(ran).to.deep.include({
        ...where,
        kind: 'run',
        verdict: 'allow',
        rule: allowed?.rule,
        exitCode: 1,
        timedOut: false,
        digest: allowed?.digest,
      })
      expect(ran?.durationMs).to.be.a('number')
      expect(denied).to.deep.include({ ...where, kind: 'decision', subagent: true, verdict: 'deny', rule: 'blacklist' })
      expect(asked).to.deep.include({
        ...where,
        kind: 'decision',
        verdict: 'ask',
        rule: 'not-covered',
        programs: 'curl',
        approvalId,
      })
      expect(answer).to.deep.include({ ...where, kind: 'answer', verdict: 'deny', rule: 'owner:ann', approvalId })

      const all = JSON.stringify(await running.exec.audit())
      const log = JSON.stringify(running.log)
      expect(all).to.not.contain(SECRET)
      for (const hidden of [SECRET, 'visible-output', 'example.com']) expect(log).to.not.contain(hidden)
      expect(ran?.text).to.equal('echo visible-output; false')
      expect(asked?.text).to.equal('curl -H "Authorization: Bearer ‹hidden›" https://example.com')
      expect((await running.exec.audit()).map(({ text }) => text)).to.include('API_KEY=‹hidden› make')
      expect(log).to.contain(approvalId)
      expect((await running.exec.audit({ limit: 2 })).map(({ kind }) => kind)).to.deep.equal(['answer', 'decision'])
    })
  }
})
