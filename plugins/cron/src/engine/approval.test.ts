import { expect } from 'chai'
import type { AnyPlugin } from '@mynah/kernel'
import type { JobNotify } from '@mynah/contract/types'
import execSecurity from '@mynah/plugin-exec-security'
import { Approvals } from '@mynah/plugin-exec-security/api'
import { eachTest, MINUTE, until, type Options, type Rig } from '../test/support.js'

const notify: JobNotify = { channel: 'im', platform: 'test', endpointId: 'one', sceneId: 'owner', scope: 'private' }

describe('requireApproval', () => {
  const tests = eachTest()
  const start = (options: Options = {}): Promise<Rig> =>
    tests.start({ chat: true, ...options, plugins: [execSecurity as unknown as AnyPlugin] })
  const made = async (rig: Rig): Promise<string> =>
    (
      await rig.jobs.add({
        label: 'Gate',
        trigger: { kind: 'im' },
        action: { kind: 'agent', prompt: 'open the gate' },
        notify,
        policy: { approval: true },
        creator: { kind: 'console' },
      })
    ).id
  /** Returns the ids of the requests sent to the owner's chat, oldest first. */
  const asked = (rig: Rig): string[] =>
    rig.sent.flatMap(({ target, text }) =>
      target.id === 'owner' && text.includes('waits for your confirmation')
        ? [/\/approve ([0-9a-f]{10}) /.exec(text)?.[1] as string]
        : [],
    )
  const say = (rig: Rig, text: string, sender = 'owner'): Promise<void> =>
    rig.account.receive({
      id: `${sender} ${text}`,
      channel: { type: 'private', id: sender },
      sender: { id: sender },
      content: text,
    }) as Promise<void>
  const stateOf = async (rig: Rig, id: string): Promise<string | undefined> => (await rig.runs(id))[0]?.state
  const ended = (rig: Rig, id: string): Promise<void> =>
    until(async () => !['queued', 'running', undefined].includes(await stateOf(rig, id)))

  it('lets a run wait until the owner approves it in the chat, once per run', async () => {
    const rig = await start()
    const id = await made(rig)
    await rig.jobs.run(id)
    await until(() => asked(rig).length === 1)
    expect(rig.sent[0]?.text).to.include('Run the task "Gate"').and.include('open the gate')
    const [request = ''] = asked(rig)
    await say(rig, `/approve ${request}`, 'friend')
    await until(() => rig.sent.some(({ target }) => target.id === 'friend'))
    expect(await stateOf(rig, id)).to.equal('queued')
    expect((await rig.runs(id))[0]).to.include({ waiting: true })
    expect(rig.prompts).to.deep.equal([])
    await say(rig, `/approve ${request}`)
    await ended(rig, id)
    expect((await rig.runs(id))[0]).to.not.have.property('waiting')
    await say(rig, `/approve ${request}`)
    await until(() => rig.sent.some(({ text }) => text.includes('done: open the gate')))
    await rig.settled()
    expect(rig.prompts).to.deep.equal(['open the gate'])
    expect(await stateOf(rig, id)).to.equal('ok')
    // The next run is a new request.
    await rig.jobs.run(id)
    await until(() => asked(rig).length === 2)
    expect(asked(rig)[1]).to.not.equal(request)
    await say(rig, `/approve deny ${asked(rig)[1]}`)
    await ended(rig, id)
    expect((await rig.runs(id))[0]).to.include({
      state: 'skipped',
      error: 'the owner did not approve this run (denied)',
    })
    expect(rig.prompts).to.have.length(1)
  })

  it('does not delay a stop, and keeps the same request after it', async () => {
    const first = await start()
    const id = await made(first)
    await first.jobs.run(id)
    await until(() => asked(first).length === 1)
    // The clock does not advance, so a stop that waited for the owner would never end.
    await first.stop(true)
    const second = await start({ data: first.data })
    await until(async () => (await second.host.get(Approvals)?.pending())?.length === 1)
    expect(await stateOf(second, id)).to.equal('queued')
    await say(second, `/approve ${asked(first)[0]}`)
    await ended(second, id)
    expect(await second.runs(id)).to.have.length(1)
    expect([...first.prompts, ...second.prompts]).to.deep.equal(['open the gate'])
    expect(asked(second)).to.deep.equal([])
  })

  it('accepts an approval of the same run that was given before a stop', async () => {
    const rig = await start()
    const id = await made(rig)
    await until(() => rig.host.get(Approvals) !== undefined)
    const approvals = rig.host.get(Approvals) as Approvals
    const text = JSON.stringify({ job: id, slot: 'event:one', action: { kind: 'agent', prompt: 'open the gate' } })
    const request = await approvals.request({
      kind: 'job',
      title: 'x',
      text,
      origin: { adapter: 'test', endpoint: 'one' },
      reason: 'x',
    })
    await approvals.decide(request.id, true, 'owner')
    await rig.jobs.run(id, { slot: 'event:one' })
    await ended(rig, id)
    expect(rig.prompts).to.deep.equal(['open the gate'])
    expect(asked(rig)).to.have.length(1)
    // The approval was for this run only.
    await rig.jobs.run(id, { slot: 'event:two' })
    await until(() => asked(rig).length === 2)
    expect(rig.prompts).to.have.length(1)
  })

  it('skips the run when the request expires or the job is removed', async () => {
    const rig = await start()
    const late = await made(rig)
    await rig.jobs.run(late)
    await until(() => asked(rig).length === 1)
    await rig.clock.advance(31 * MINUTE)
    await ended(rig, late)
    expect((await rig.runs(late))[0]).to.include({
      state: 'skipped',
      error: 'the owner did not approve this run (expired)',
    })
    const gone = await made(rig)
    await rig.jobs.run(gone)
    await until(() => asked(rig).length === 2)
    await rig.jobs.remove(gone)
    // The request is withdrawn.
    await until(async () => (await (rig.host.get(Approvals) as Approvals).pending()).length === 0)
    await say(rig, `/approve ${asked(rig)[1]}`)
    await ended(rig, gone)
    expect((await rig.runs(gone))[0]).to.include({ state: 'skipped', error: 'the job was removed before it ran' })
    expect(rig.prompts).to.deep.equal([])
  })

  it('asks before the first attempt only', async () => {
    let tries = 0
    const rig = await start({
      agent: () => {
        if (++tries < 2) throw Object.assign(new Error('the line was cut'), { code: 'ECONNRESET' })
        return 'opened'
      },
    })
    const id = await made(rig)
    await rig.jobs.run(id)
    await until(() => asked(rig).length === 1)
    await say(rig, `/approve ${asked(rig)[0]}`)
    await until(async () => (await rig.runs(id))[0]?.attempt === 2)
    await until(async () => {
      await rig.clock.advance(5_000)
      return (await stateOf(rig, id)) === 'ok'
    })
    expect((await rig.runs(id))[0]).to.include({ state: 'ok', attempt: 2, result: 'opened' })
    expect(asked(rig)).to.have.length(1)
  })
})
