// Time and restarts: requests expire, and survive a restart where there is a database.
import { expect } from 'chai'
import { mkdir, rename, symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { WireError } from '@mynah/contract'
import { TestClock } from '@mynah/kernel/testing'
import { ORIGIN, ending, newHome, start, stopAll, until, waitingId, type Running } from '../test/host.js'

const MINUTE = 60_000

describe('ApprovalService', () => {
  let running: Running
  afterEach(stopAll)

  for (const database of [false, true]) {
    describe(database ? 'in the database' : 'in memory', () => {
      it('expires requests after 30 minutes', async () => {
        const clock = new TestClock()
        running = await start({ clock, database })
        const { approvalId = '' } = await running.exec.request('make all', { origin: ORIGIN })
        const waiting = running.approvals.wait(approvalId)
        await clock.advance(30 * MINUTE - 1)
        expect(await waitingId(running)).to.equal(approvalId)
        await clock.advance(1)
        expect(await waiting).to.equal('expired')
        expect((await running.rpc('exec:pending')).data).to.deep.include({ pending: [], stored: true })
        expect(await running.say(`/approve ${approvalId}`)).to.contain('expired')
        expect(await running.approvals.wait(approvalId)).to.equal('expired')
        expect((await running.exec.request('make all', { origin: ORIGIN })).approvalId).to.not.equal(approvalId)
      })

      it('keeps one request with a known id for each call, until it is used or withdrawn', async () => {
        running = await start({ database })
        const { approvals, exec } = running
        const asker = { turn: 'turn', call: 'call_1' }
        const context = { origin: ORIGIN, cwd: running.work, asker }
        const idFor = (command: string, call = asker.call): Promise<string> =>
          approvals.idFor({
            kind: 'bash',
            text: command,
            origin: ORIGIN,
            folder: running.work,
            asker: { turn: 'turn', call },
          })
        const id = await idFor('touch made')
        expect(await idFor('touch made', 'call_2')).to.not.equal(id)
        expect(await approvals.pending()).to.deep.equal([])
        expect((await exec.request('touch made', context)).approvalId).to.equal(id)
        // Other callers wait for the same request.
        expect(await idFor('touch made', 'call_2')).to.equal(id)
        await approvals.decide(id, false, 'owner')
        expect((await exec.request('touch made', context)).approvalId).to.equal(id)
        expect(await approvals.wait(id)).to.equal('denied')
        expect(await approvals.pending()).to.deep.equal([])
        expect((await exec.request('touch other', context)).approvalId).to.not.equal(id)
        const second = await idFor('touch third')
        await exec.request('touch third', context)
        await approvals.withdraw(second)
        const third = (await exec.request('touch third', context)).approvalId ?? ''
        expect(third).to.not.equal(second)
        await approvals.decide(third, true, 'owner')
        expect((await exec.run('touch third', { ...context, limitMs: 10_000 })).verdict).to.equal('allow')
        // Used up: who asks writes down first for what it waits, so that there is no request yet.
        const { verdict, approvalId } = await exec.run('touch third', { ...context, limitMs: 10_000 })
        expect([verdict, (await approvals.pending()).map(({ title }) => title)]).to.deep.equal(['ask', ['touch other']])
        expect(approvalId).to.not.equal(third)
        expect((await exec.request('touch third', context)).approvalId).to.equal(approvalId)
      })

      it('asks for nothing again that was approved and not used, whichever call asks', async () => {
        running = await start({ database })
        const { approvals } = running
        const about = { kind: 'bash', title: 'Touch', text: 'touch made', origin: ORIGIN, reason: 'it is asked for' }
        const first = await approvals.request({ ...about, asker: { turn: 'turn', call: 'call_1' } })
        await approvals.decide(first.id, true, 'owner')
        const again = { ...about, asker: { turn: 'after a restart', call: 'call_1' } }
        expect(await approvals.idFor(again)).to.equal(first.id)
        expect((await approvals.request(again)).id).to.equal(first.id)
        expect(await approvals.wait(first.id)).to.equal('approved')
        expect((await approvals.get(first.id))?.status).to.equal('approved')
        expect(await approvals.use('bash', 'touch made', ORIGIN)).to.equal(true)
        expect((await approvals.request(again)).id).to.not.equal(first.id)
        expect(await approvals.get('unknown')).to.equal(undefined)
      })

      it('binds an approval to text, origin, the real folder and what it adds', async () => {
        running = await start({ database })
        const { approvals, exec } = running
        const [here, there, link] = ['here', 'there', 'link'].map((name) => join(running.work, name)) as [
          string,
          string,
          string,
        ]
        for (const folder of [here, there]) await mkdir(folder)
        await symlink(here, link)
        const run = (cwd: string) => exec.run('touch made', { origin: ORIGIN, cwd, limitMs: 10_000 })
        const approve = async (cwd: string): Promise<void> => {
          const { approvalId = '' } = await exec.request('touch made', { origin: ORIGIN, cwd })
          await approvals.decide(approvalId, true, 'owner')
        }
        await approve(link)
        expect((await run(there)).verdict, 'another folder').to.equal('ask')
        // The link is what was asked for, and the folder behind it is what counts.
        await unlink(link)
        await symlink(there, link)
        expect((await run(link)).verdict, 'a link to another folder').to.equal('ask')
        expect((await run(here)).verdict, 'the folder itself').to.equal('allow')
        await approve(here)
        await rename(here, `${here}-old`)
        await mkdir(here)
        expect((await run(here)).verdict, 'another folder of the same name').to.equal('ask')
        const bound = { kind: 'path', text: 'read', origin: ORIGIN, folder: here }
        const { id } = await approvals.request({ ...bound, title: 'Read', reason: 'x', adds: ['path:/srv/a'] })
        await approvals.decide(id, true, 'owner')
        expect(await approvals.use('path', 'read', ORIGIN, here), 'what it adds').to.equal(false)
      })

      it('lets an approval be used for 30 minutes', async () => {
        const clock = new TestClock()
        running = await start({ clock, database })
        for (const [after, verdict] of [
          [30 * MINUTE - 1, 'allow'],
          [30 * MINUTE, 'ask'],
        ] as const) {
          const { approvalId = '' } = await running.exec.request('make all', { origin: ORIGIN, cwd: running.work })
          await clock.advance(20 * MINUTE)
          expect(await running.say(`/approve ${approvalId}`)).to.match(/^Approved/)
          await clock.advance(after)
          expect(
            (await running.exec.run('make all', { origin: ORIGIN, ...{ cwd: running.work, limitMs: 10_000 } })).verdict,
          ).to.equal(verdict)
        }
      })
    })
  }

  it('keeps answered and pending requests over a restart with a database', async () => {
    const home = await newHome()
    running = await start({ home, database: true })
    const asked = await running.exec.request('touch made', { origin: ORIGIN, cwd: running.work })
    const approved = await running.exec.request('touch approved', { origin: ORIGIN, cwd: running.work })
    expect(await running.say(`/approve ${approved.approvalId}`)).to.match(/^Approved/)
    const lost = ending(running.approvals.wait(asked.approvalId ?? ''))
    await running.halt()
    expect(await lost, 'the waiting caller learns that the host stops').to.not.be.oneOf([
      'approved',
      'denied',
      'expired',
    ])

    running = await start({ home, database: true })
    expect(await waitingId(running)).to.equal(asked.approvalId)
    const options = { cwd: running.work, limitMs: 10_000 }
    expect((await running.exec.run('touch approved', { origin: ORIGIN, ...options })).approvalId).to.equal(
      approved.approvalId,
    )
    const waiting = running.approvals.wait(asked.approvalId ?? '')
    expect(await running.say(`/approve ${asked.approvalId}`)).to.match(/^Approved/)
    expect(await waiting).to.equal('approved')
    await running.halt()

    running = await start({ home, database: true })
    expect(
      (await running.exec.run('touch approved', { origin: ORIGIN, ...options })).verdict,
      'a used approval stays used',
    ).to.equal('ask')
    expect((await running.exec.run('touch made', { origin: ORIGIN, ...options })).verdict).to.equal('allow')
    expect((await running.exec.audit()).length).to.be.greaterThan(6)
  })

  it('expires requests on time after a restart', async () => {
    const home = await newHome()
    const clock = new TestClock()
    running = await start({ home, clock, database: true })
    const { approvalId = '' } = await running.exec.request('make all', { origin: ORIGIN })
    await running.halt()
    await clock.advance(10 * MINUTE)
    running = await start({ home, clock, database: true })
    const waiting = running.approvals.wait(approvalId)
    await clock.advance(20 * MINUTE)
    expect(await waiting).to.equal('expired')
  })

  it('waits on for an answer where the store fails to be read', async () => {
    const clock = new TestClock()
    running = await start({ clock, database: true })
    const { approvals, database, exec } = running
    const { approvalId = '' } = await exec.request('make all', { origin: ORIGIN })
    const store = database as unknown as { read: (...args: unknown[]) => Promise<unknown> }
    const { read } = store
    let failed = 0
    store.read = async () => {
      if (++failed === 2) store.read = read
      throw new WireError('not_ready', 'The database is not available')
    }
    let end: string | undefined
    const waiting = approvals.wait(approvalId).then((ended) => (end = ended))
    await until(async () => {
      await clock.advance(1_000)
      return failed === 2
    })
    expect(end).to.equal(undefined)
    await approvals.decide(approvalId, true, 'owner')
    expect(await waiting).to.equal('approved')
  })

  it('refuses requests while the database is unavailable', async () => {
    running = await start({ database: { type: 'postgres' } })
    const options = { cwd: running.work, limitMs: 10_000 }
    expect(await ending(running.exec.run('touch made', { origin: ORIGIN, ...options }))).to.equal('not_ready')
    expect((await running.rpc('exec:pending')).code).to.equal('not_ready')
    expect((await running.exec.run('pwd', { origin: ORIGIN, ...options })).verdict).to.equal('allow')
  })

  it('stores requests in a file without a database, and logs what is lost with the process', async () => {
    const home = await newHome()
    running = await start({ home })
    expect(running.log.some(({ level, message }) => level === 'warn' && message.includes('in memory'))).to.equal(true)
    const { approvalId: id } = await running.exec.request('make all', { origin: ORIGIN })
    const { id: door } = await running.approvals.request({
      kind: 'home',
      title: 'Unlock the door',
      text: 'lock.front unlock',
      origin: ORIGIN,
      reason: 'a lock',
    })
    await running.halt()
    running = await start({ home })
    const { data } = await running.rpc('exec:pending')
    expect(data).to.have.property('stored', true)
    expect(
      (data as unknown as { pending: { id: string; kind: string; title: string }[] }).pending.map(
        ({ id: found, kind, title }) => [found, kind, title],
      ),
    ).to.deep.equal([
      [id, 'bash', 'make all'],
      [door, 'home', 'Unlock the door'],
    ])
  })

  it('drops finished requests from the file, by their size and by their number', async () => {
    running = await start()
    const command = (at: number): string => `make ${at} ${'x'.repeat(15_000)}`
    const { approvalId: waiting } = await running.exec.request(command(0), { origin: ORIGIN })
    for (let at = 1; at <= 24; at++) {
      const { approvalId = '' } = await running.exec.request(command(at), { origin: ORIGIN })
      await running.approvals.decide(approvalId, false, 'owner')
    }
    const history = async () =>
      (
        (await running.rpc('exec:history', { limit: 100 })).data as unknown as {
          approvals: { id: string; command: string }[]
        }
      ).approvals
    const kept = (await history()).map(({ id, command: text }) => [id === waiting, /^make (\d+)/.exec(text)?.[1]])
    expect(kept).to.have.length.within(10, 18)
    expect(kept[0]).to.deep.equal([false, '24'])
    expect(kept.at(-1)).to.deep.equal([true, '0'])
    await running.halt()
    running = await start({ home: running.home })
    expect(await history()).to.have.length(kept.length)
  })

  it('stops waiting when the signal aborts', async () => {
    running = await start()
    const { approvalId = '' } = await running.exec.request('make all', { origin: ORIGIN })
    const stop = new AbortController()
    const waiting = ending(running.approvals.wait(approvalId, stop.signal))
    stop.abort(new Error('no longer'))
    expect(await waiting).to.equal('no longer')
    expect(await ending(running.approvals.wait(approvalId, stop.signal))).to.equal('no longer')
    expect(await waitingId(running)).to.equal(approvalId)
  })

  it('ends a running command with the host', async () => {
    running = await start({ config: { 'ai.agent.execAllowlist': ['sleep', 'echo'] } })
    let began = false
    const run = running.exec.run('echo begun; sleep 60', {
      origin: ORIGIN,
      cwd: running.work,
      limitMs: 120_000,
      onOutput: () => {
        began = true
      },
    })
    await until(() => began, 'the command runs')
    await running.halt()
    expect((await run).result?.signal).to.equal('SIGTERM')
  })

  it('takes the kinds that plugins have registered, and no others', async () => {
    running = await start()
    const request = { title: 'x', text: 'x', origin: ORIGIN, reason: 'x' }
    for (const kind of ['bash', 'home', 'skill', 'job', 'pairing', 'host', 'path', 'package'])
      expect((await running.approvals.request({ ...request, kind })).kind).to.equal(kind)
    expect(await ending(running.approvals.request({ ...request, kind: 'door' }))).to.equal('invalid_request')
    expect(await ending(running.approvals.request({ ...request, kind: 'bash', origin: {} }))).to.equal(
      'invalid_request',
    )
  })
})
