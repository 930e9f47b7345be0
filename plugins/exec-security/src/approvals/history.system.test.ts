// The console's view of approvals: what stands for good, rules with examples, what was asked before, what a rule would
// cover.
import { expect } from 'chai'
import { ORIGIN, demoToken, start, stopAll, type Running } from '../test/host.js'

const WHERE = { adapter: 'sandbox', endpointId: 'bot' }

describe('history of approvals', () => {
  let running: Running
  afterEach(stopAll)

  for (const database of [false, true]) {
    it(`makes, shows and removes rules${database ? ' with a database' : ''}`, async () => {
      running = await start({ database })
      expect((await running.rpc('exec:standing')).data).to.deep.equal({ endpoints: [] })
      const { approvalId = '' } = await running.exec.request('make all', { origin: ORIGIN })
      const added = await running.rpc('exec:rule-add', {
        ...WHERE,
        pattern: 'make \\w+',
        match: ['make all', 'make test'],
        noMatch: ['make all; rm x', 'make'],
      })
      const rule = added.data as unknown as { id: string }
      expect(rule).to.deep.include({
        pattern: 'make \\w+',
        match: ['make all', 'make test'],
        noMatch: ['make all; rm x', 'make'],
      })
      expect((await running.rpc('exec:standing')).data).to.have.nested.property('endpoints[0].bashRules[0].id', rule.id)
      // A waiting request that the rule covers is approved.
      expect(await running.approvals.wait(approvalId)).to.equal('approved')
      expect((await running.exec.request('make test', { origin: ORIGIN })).verdict).to.equal('allow')
      expect((await running.rpc('exec:rule-remove', { ...WHERE, id: rule.id.slice(0, 8) })).data).to.deep.include({
        id: rule.id,
      })
      expect((await running.exec.request('make all', { origin: ORIGIN })).verdict, 'taken back with its rule').to.equal(
        'ask',
      )
      expect((await running.rpc('exec:rule-remove', { ...WHERE, id: rule.id })).code).to.equal('not_found')
      await running.say('/approve always bash')
      expect((await running.rpc('exec:revoke', WHERE)).data).to.deep.equal({
        ...WHERE,
        bashAlways: false,
        bashRules: [],
      })
      expect((await running.rpc('exec:standing')).data).to.deep.equal({ endpoints: [] })
    })

    it(`lists earlier requests, page by page${database ? ', from the database' : ''}`, async () => {
      running = await start({ database })
      const ids: string[] = []
      for (const command of ['make a', 'make b && ls', 'touch c', 'make d'])
        ids.unshift((await running.exec.request(command, { origin: ORIGIN })).approvalId ?? '')
      await running.rpc('exec:answer', { id: ids[0], approve: false })
      const first = (await running.rpc('exec:history', { limit: 3 })).data as unknown as {
        approvals: { id: string; status: string; kind: string; parts: { text: string }[]; answeredBy?: string }[]
        nextBefore?: string
      }
      const second = (await running.rpc('exec:history', { limit: 3, before: first.nextBefore }))
        .data as unknown as typeof first
      expect([...first.approvals, ...second.approvals].map(({ id }) => id).sort()).to.deep.equal([...ids].sort())
      expect(second).to.not.have.property('nextBefore')
      const denied = first.approvals.find(({ id }) => id === ids[0])
      expect(denied).to.include({ status: 'denied', kind: 'bash' })
      expect(denied?.answeredBy).to.match(/^console:/)
      expect(
        [...first.approvals, ...second.approvals].find(({ id }) => id === ids[2])?.parts.map(({ text }) => text),
      ).to.deep.equal(['make b', 'ls'])
      expect((await running.rpc('exec:rule-check', { ...WHERE, pattern: 'make \\w+' })).data).to.deep.equal({
        covered: 3,
        of: 4,
      })
      expect(
        (await running.rpc('exec:rule-check', { ...WHERE, endpointId: 'second', pattern: '.*' })).data,
      ).to.deep.equal({ covered: 0, of: 0 })
    })
  }

  it('refuses rules that contradict their examples, are not patterns, or take too long', async () => {
    running = await start()
    for (const [rule, said] of [
      [{ pattern: 'make .*', noMatch: ['make all'] }, 'it matches "make all"'],
      [{ pattern: 'make', match: ['make all'] }, 'it does not match "make all"'],
      [{ pattern: '(' }, ''],
      [{ pattern: '((a{100}){100}){10}' }, ''],
    ] as const) {
      const answer = await running.rpc('exec:rule-add', { ...WHERE, ...rule })
      expect(answer.code, rule.pattern).to.match(/^invalid_request/)
      expect(answer.error).to.contain(said)
    }
    expect((await running.rpc('exec:rule-check', { ...WHERE, pattern: '(' })).code).to.match(/^invalid_request/)
    expect((await running.rpc('exec:standing')).data).to.deep.equal({ endpoints: [] })
  })

  it('is hidden from visitors', async () => {
    running = await start()
    for (const [type, params] of [
      ['exec:standing', {}],
      ['exec:rule-add', { ...WHERE, pattern: 'x' }],
      ['exec:rule-remove', { ...WHERE, id: '12345678' }],
      ['exec:revoke', WHERE],
      ['exec:history', {}],
      ['exec:rule-check', { ...WHERE, pattern: 'x' }],
    ] as const) {
      expect((await running.rpc(type, params, demoToken)).status, type).to.equal(403)
    }
  })
})
