import { expect } from 'chai'
import { EVENT_TOKEN, eachTest, TOKEN, until } from './test/support.js'

const on = (events: Record<string, unknown> = {}) => ({
  enabled: true,
  events: { enabled: true, token: EVENT_TOKEN, ...events },
})
const ring = (more: Record<string, unknown> = {}) => ({
  source: 'doorbell',
  type: 'ring',
  payload: { door: 'front' },
  action: { kind: 'agent', prompt: 'who is it' },
  notify: { channel: 'log' },
  ...more,
})

describe('EventIngress', () => {
  const tests = eachTest()

  for (const database of [true, false]) {
    it(`accepts an event with a stored run, and runs it (${database ? 'database' : 'memory'})`, async () => {
      const rig = await tests.start({ config: on(), database })
      const {
        status,
        body: { data },
      } = await rig.event(ring())
      expect(status).to.equal(202)
      expect(data).to.include({ status: 'queued' }).and.have.all.keys('jobId', 'runId', 'status')
      await until(() => rig.calls.length === 1)
      expect(rig.calls[0]).to.deep.include({
        prompt: 'who is it',
        creator: { kind: 'event', source: 'doorbell' },
        trigger: { kind: 'event', source: 'doorbell', type: 'ring', payload: { door: 'front' } },
      })
      expect([...(rig.calls[0]?.roles ?? [])]).to.deep.equal(['user'])
      await until(() => rig.jobs.list().length === 0)
      const {
        body: {
          data: { runs },
        },
      } = await rig.ask('POST', '/console/request', { type: 'jobs:runs', id: data.jobId })
      expect(runs).to.have.length(1)
      expect(runs?.[0]).to.include({ id: data.runId, state: 'ok', result: 'done: who is it' })
    })
  }

  it('requires a token, and accepts the events token for events only', async () => {
    const rig = await tests.start({ config: on() })
    expect((await rig.event(ring(), EVENT_TOKEN)).status).to.equal(202)
    expect((await rig.event(ring(), null)).status).to.equal(401)
    expect((await rig.event(ring(), 'wrong-token-wrong-token')).status).to.equal(401)
    for (const [method, path] of [
      ['GET', '/assistant/jobs'],
      ['GET', '/assistant/events'],
      ['GET', '/system/status'],
      ['POST', '/console/request'],
      ['GET', '/no/such/path'],
      ['GET', '/assistant/../assistant/jobs'],
    ] as const) {
      expect(
        (await rig.ask(method, path, method === 'POST' ? { type: 'ping' } : undefined, EVENT_TOKEN)).status,
        path,
      ).to.equal(403)
    }
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push((await rig.event(ring(), `wrong-token-number-${n}`)).status)
    expect(statuses.at(-1)).to.equal(429)
    expect((await rig.event(ring(), EVENT_TOKEN)).status).to.equal(202)
  })

  it('answers 404 unless both switches are on', async () => {
    for (const config of [{}, { enabled: false, events: { enabled: true, token: EVENT_TOKEN } }]) {
      const rig = await tests.start({ config })
      expect((await rig.event(ring())).status).to.equal(404)
      expect((await rig.ask('GET', '/assistant/jobs')).status).to.equal(404)
      expect((await rig.event(ring(), EVENT_TOKEN)).status).to.equal(401)
    }
    const rig = await tests.start({ config: { enabled: true, events: { token: EVENT_TOKEN } } })
    expect((await rig.event(ring())).status).to.equal(404)
    expect((await rig.event(ring(), EVENT_TOKEN)).status).to.equal(401)
    expect((await rig.ask('GET', '/assistant/jobs')).body.data).to.deep.equal({ jobs: [], eventsActive: false })
  })

  it('runs events of one id and source once a day', async () => {
    const rig = await tests.start({ config: on() })
    const first = await rig.event(ring({ eventId: 'e1' }))
    const [second, third] = await Promise.all([
      rig.event(ring({ eventId: 'e1' })),
      rig.event(ring({ eventId: 'e1', payload: 'other' })),
    ])
    for (const repeated of [second, third]) {
      expect(repeated.status).to.equal(200)
      expect(repeated.body.data).to.deep.equal({ ...(first.body.data as object), deduplicated: true })
    }
    expect((await rig.event(ring({ eventId: 'e1', source: 'other' }))).status).to.equal(202)
    await until(() => rig.calls.length === 2)
    await rig.clock.advance(25 * 3_600_000)
    const later = await rig.event(ring({ eventId: 'e1' }))
    expect(later.status).to.equal(202)
    expect((await rig.event(ring({ eventId: 'e1' }))).body.data).to.deep.equal({
      ...(later.body.data as object),
      deduplicated: true,
    })
    await until(() => rig.calls.length === 3)
  })

  it('runs concurrent events of one id once', async () => {
    const rig = await tests.start({ config: on() })
    const answers = await Promise.all(Array.from({ length: 20 }, () => rig.event(ring({ eventId: 'same' }))))
    expect(answers.filter(({ status }) => status === 202)).to.have.length(1)
    expect(new Set(answers.map(({ body }) => (body.data as unknown as { runId: string }).runId)).size).to.equal(1)
    await until(() => rig.jobs.list().length === 0)
    expect(rig.calls).to.have.length(1)
  })

  it('triggers a registered job with the roles of its creator', async () => {
    const rig = await tests.start({ config: on() })
    const { id } = await rig.jobs.add({
      trigger: { kind: 'im' },
      action: { kind: 'agent', prompt: 'good morning' },
      notify: { channel: 'silent' },
      creator: { kind: 'console' },
    })
    expect((await rig.event({ jobId: id, eventId: 'a' }, EVENT_TOKEN)).status).to.equal(202)
    expect((await rig.event({ jobId: id, eventId: 'a' }, EVENT_TOKEN)).status).to.equal(200)
    await until(() => rig.calls.length === 1)
    expect([...(rig.calls[0]?.roles ?? [])]).to.include('master')
    expect((await rig.event({ jobId: 'none' })).status).to.equal(404)
    await rig.jobs.setEnabled(id, false)
    expect((await rig.event({ jobId: id })).status).to.equal(409)
    expect((await rig.event({ jobId: id, source: 'doorbell' })).status).to.equal(400)
  })

  for (const database of [true, false]) {
    it(`runs a job once a day for one event id, despite many others (${database ? 'database' : 'memory'})`, async () => {
      const rig = await tests.start({ config: on({ rateLimit: 1_000, token: 'short' }), database })
      const { id } = await rig.jobs.add({
        trigger: { kind: 'im' },
        action: { kind: 'agent', prompt: 'look' },
        notify: { channel: 'silent' },
        creator: { kind: 'console' },
      })
      const first = await rig.event({ jobId: id, eventId: 'a' }, 'short')
      for (let n = 0; n < 260; n += 20)
        await Promise.all(Array.from({ length: 20 }, (_, index) => rig.event({ jobId: id, eventId: `n${n + index}` })))
      await until(() => rig.calls.length === 261)
      const {
        status,
        body: { data },
      } = await rig.event({ jobId: id, eventId: 'a' })
      expect([status, data]).to.deep.equal([200, { ...(first.body.data as object), deduplicated: true }])
      await rig.clock.advance(25 * 3_600_000)
      expect((await rig.event({ jobId: id, eventId: 'a' })).status).to.equal(202)
      await until(() => rig.calls.length === 262)
    })
  }

  it('refuses incomplete, contradictory and forbidden events', async () => {
    const rig = await tests.start({ config: on({ rateLimit: 100 }) })
    const refusals: [Record<string, unknown>, number, string?][] = [
      [{}, 400, 'source'],
      [{ source: 'x' }, 400, 'action'],
      [ring({ action: undefined }), 400, 'action'],
      [ring({ action: { kind: 'handler', handler: 'followup' } }), 400, 'action.kind'],
      [ring({ notify: { channel: 'im', platform: 'x' } }), 400, 'notify.endpointId'],
      [ring({ notify: undefined }), 400, 'notify'],
      [ring({ action: { kind: 'agent', prompt: '' } }), 400],
      [ring({ source: '' }), 400],
      [ring({ eventId: 'x'.repeat(300) }), 400],
      [ring({ payload: 'x'.repeat(65_535) }), 413],
      [ring({ notify: { channel: 'pigeon' } }), 400],
    ]
    for (const [body, status, path] of refusals) {
      const answer = await rig.event(body)
      expect(answer.status, JSON.stringify(body).slice(0, 100)).to.equal(status)
      if (path)
        expect(answer.body).to.deep.include({
          error: `body.${path} ${String((answer.body as { details?: { message: string }[] }).details?.[0]?.message)}`,
        })
    }
    expect((await rig.event('{"source":')).status).to.equal(400)
    expect((await rig.event(ring({ payload: 'x'.repeat(65_000) }))).status).to.equal(202)
    await until(() => rig.calls.length === 1)
  })

  it('accepts allowed sources only, up to the rate limit', async () => {
    const rig = await tests.start({ config: on({ allowedSources: ['doorbell', 'mail'], rateLimit: 3 }) })
    expect((await rig.event(ring({ source: 'stranger' }))).status).to.equal(403)
    const statuses: number[] = []
    for (let n = 0; n < 5; n++) statuses.push((await rig.event(ring())).status)
    expect(statuses).to.deep.equal([202, 202, 202, 429, 429])
    const refused = await rig.event(ring())
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60)
    expect((await rig.event(ring({ source: 'mail' }))).status).to.equal(202)
    await rig.clock.advance(60_000)
    expect((await rig.event(ring())).status).to.equal(202)
    const none = await tests.start({ config: on({ allowedSources: [] }) })
    expect((await none.event(ring())).status).to.equal(403)
  })

  it('runs accepted events after a restart', async () => {
    let release = (): void => {}
    const held = new Promise<string>((resolve) => {
      release = () => resolve('late')
    })
    const first = await tests.start({ config: on(), agent: () => held })
    for (let n = 0; n < 8; n++) expect((await first.event(ring({ payload: n }))).status).to.equal(202)
    await until(() => first.calls.length === 4)
    // Active events end first. Waiting ones are left to the next start.
    const stopping = first.stop(true)
    release()
    await stopping
    const second = await tests.start({ config: on(), data: first.data })
    await until(() => second.jobs.list().length === 0)
    const payloads = [...first.calls, ...second.calls].map(({ trigger }) => (trigger as { payload?: number }).payload)
    expect(payloads.sort()).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it('stores as many runs as it accepts in a burst', async function () {
    this.timeout(60_000)
    const rig = await tests.start({ config: on({ rateLimit: 300 }), agent: () => 'x' })
    const statuses: number[] = []
    for (let batch = 0; batch < 20; batch++)
      statuses.push(...(await Promise.all(Array.from({ length: 50 }, async () => (await rig.event(ring())).status))))
    expect(statuses.filter((status) => status === 202)).to.have.length(300)
    expect(statuses.filter((status) => status === 429)).to.have.length(700)
    await until(() => rig.jobs.list().length === 0)
    expect(rig.calls).to.have.length(300)
  })

  it('does nothing without assistant.enabled', async () => {
    const rig = await tests.start()
    expect(rig.tool('home_list')).to.equal(undefined)
    const views = rig.host.inspect().find(({ name }) => name === 'assistant')
    expect(views).to.include({ state: 'active' })
    expect(JSON.stringify(views)).to.not.include('http.routes')
    const {
      body: { data },
    } = await rig.ask('POST', '/console/request', { type: 'cron:add', cronExpression: '* * * * *', prompt: 'x' })
    expect((data as unknown as { notify: unknown }).notify).to.deep.equal({ channel: 'log' })
    expect((await rig.ask('GET', '/assistant/jobs', undefined, TOKEN)).status).to.equal(404)
  })
})
