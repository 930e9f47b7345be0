// The console: checking a command, seeing what waits, answering, and who may see it.
import { expect } from 'chai'
import { ORIGIN, demoToken, start, stopAll, until, waitingId, type Running } from './test/host.js'

describe('execMethods', () => {
  let running: Running
  afterEach(stopAll)

  it('returns the decision on a command', async () => {
    running = await start()
    const { data } = await running.rpc('exec:check', { command: 'ls && make all' })
    expect(data).to.deep.include({ verdict: 'ask', suggestion: 'make all' })
    expect(data).to.have.nested.property('parts[1].text', 'make all')
    expect((await running.rpc('exec:check', { command: 5 })).status).to.equal(400)
    expect((await running.rpc('exec:pending')).data).to.deep.include({ pending: [], stored: true })
  })

  it('answers a request once, for an endpoint without an owner too', async () => {
    running = await start()
    const origin = { ...ORIGIN, endpoint: 'orphan' }
    const { approvalId = '' } = await running.exec.request('make all', { origin: origin })
    expect((await running.rpc('exec:pending')).data)
      .to.have.nested.property('pending[0]')
      .that.deep.includes({
        id: approvalId,
        command: 'make all',
        adapter: 'sandbox',
        endpointId: 'orphan',
        requestedBy: 'bob',
        channel: 'group:g1',
        status: 'pending',
        suggestion: 'make all',
      })
    const waiting = running.approvals.wait(approvalId)
    expect((await running.rpc('exec:answer', { id: approvalId, approve: true })).data).to.deep.include({
      id: approvalId,
      status: 'approved',
    })
    expect(await waiting).to.equal('approved')
    expect(await running.rpc('exec:answer', { id: approvalId, approve: false })).to.include({
      code: 'conflict',
      success: false,
    })
    expect((await running.rpc('exec:answer', { id: 'nothing', approve: true })).code).to.equal('not_found')
    expect((await running.exec.request('make all', { origin: origin })).verdict).to.equal('allow')
    expect((await running.exec.audit()).find(({ kind }) => kind === 'answer')?.rule).to.match(/^console:/)
    expect(running.log.some(({ message }) => message.includes('no master'))).to.equal(true)
  })

  it('takes one of several answers that come at once', async () => {
    running = await start()
    const { approvalId: id } = await running.exec.request('make all', { origin: ORIGIN })
    const answers = await Promise.all(
      Array.from(
        { length: 8 },
        async (_, index) => (await running.rpc('exec:answer', { id, approve: index % 2 === 0 })).code ?? 'answered',
      ),
    )
    expect(answers.sort()).to.deep.equal(['answered', ...Array<string>(7).fill('conflict')])
  })

  it('shows and answers nothing to a visitor', async () => {
    running = await start()
    const full = await running.listen()
    const demo = await running.listen(true)
    try {
      await running.exec.request('make secret-plan', { origin: { ...ORIGIN, endpoint: 'orphan' } })
      const id = await waitingId(running)
      for (const [type, params] of [
        ['exec:check', { command: 'ls' }],
        ['exec:pending', {}],
        ['exec:answer', { id, approve: true }],
      ] as const) {
        expect((await running.rpc(type, params, demoToken)).status, type).to.equal(403)
      }
      await running.rpc('exec:answer', { id, approve: false })
      await until(() => full.text.includes('"denied"'), 'the event comes')
      expect(full.text).to.contain('exec:approval').and.contain('make secret-plan').and.contain('"pending"')
      // A later event has arrived, so the earlier one was not delayed but never sent.
      await running.rpc('sandbox:send', {
        data: { endpointId: 'bot', channel: { type: 'private', id: 'bob' }, sender: { id: 'bob' }, content: '/help' },
      })
      await until(() => demo.text.includes('sandbox:message'), 'the visitor sees the sandbox')
      expect(demo.text).to.not.contain('secret-plan').and.not.contain('exec:approval')
    } finally {
      full.close()
      demo.close()
    }
  })

  it('keeps a visitor of the sandbox from speaking as the owner', async () => {
    running = await start()
    const say = (id: string, token: string) =>
      running.rpc(
        'sandbox:send',
        {
          data: {
            endpointId: 'bot',
            channel: { type: 'private', id },
            sender: { id },
            content: '/approve always bash',
          },
        },
        token,
      )
    expect((await say('ann', demoToken)).code).to.equal('forbidden')
    expect((await say('bob', demoToken)).success).to.equal(true)
    await until(async () => (await running.heard({ type: 'private', id: 'bob' })).length === 1, 'bob is refused')
    expect(running.exec.evaluate('make', { origin: ORIGIN }).verdict).to.equal('ask')
  })

  it('works without chat', async () => {
    running = await start({ chat: false })
    await running.exec.request('make all', { origin: ORIGIN })
    const id = await waitingId(running)
    expect((await running.rpc('exec:answer', { id, approve: true })).status).to.equal(200)
  })
})
