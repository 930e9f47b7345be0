import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { eachTest, until } from './test/support.js'

const older = (more: Record<string, unknown> = {}) => ({
  id: 'morning',
  label: 'Morning',
  enabled: true,
  trigger: { kind: 'schedule', schedule: { cron: '0 8 * * *', timezone: 'Europe/Berlin' } },
  action: { kind: 'agent', prompt: 'good morning' },
  notify: { channel: 'log' },
  policy: { requiresMaster: true },
  state: { lastStatus: 'ok' },
  ...more,
})

describe('importJobFiles', () => {
  const tests = eachTest()
  let data = ''
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'mynah-older-'))
  })
  afterEach(() => rm(data, { recursive: true, force: true }))
  const write = (name: string, value: unknown) =>
    writeFile(join(data, name), typeof value === 'string' ? value : JSON.stringify(value))

  it('imports jobs once, and reports jobs without notify', async () => {
    await write('assistant-jobs.json', {
      jobs: [
        older(),
        older({ id: 'mute', notify: undefined }),
        older({ id: 'bad', trigger: { kind: 'schedule', schedule: { cron: '99 * * * *' } } }),
        older({ id: 'text', trigger: { kind: 'schedule', schedule: '*/5 * * * *' } }),
        null,
        7,
        older({
          id: 'im',
          trigger: { kind: 'im' },
          notify: { channel: 'im', target: { platform: 'test', endpointId: 'one', sceneId: 'g/c', scope: 'channel' } },
        }),
      ],
    })
    await write('cron-jobs.json', [
      { id: 'old', cronExpression: '0 9 * * 1', prompt: 'week', notify: { channel: 'silent' }, enabled: false },
      { id: 'mute-too', cronExpression: '* * * * *', prompt: 'x' },
    ])
    const rig = await tests.start({ config: { enabled: true }, data })
    expect(rig.jobs.list().map(({ id, enabled }) => [id, enabled])).to.deep.equal([
      ['text', true],
      ['old', false],
      ['morning', true],
      ['im', true],
    ])
    expect(rig.jobs.get('morning')).to.deep.include({
      label: 'Morning',
      policy: { requiresMaster: true },
      trigger: { kind: 'schedule', schedule: { cron: '0 8 * * *', timezone: 'Europe/Berlin' } },
    })
    expect(rig.jobs.get('im')?.notify).to.deep.equal({
      channel: 'im',
      platform: 'test',
      endpointId: 'one',
      sceneId: 'g/c',
      scope: 'channel',
    })
    expect(rig.logged)
      .to.include('failed to import job "mute" of assistant-jobs.json: it has no notify')
      .and.include('"mute-too" of cron-jobs.json')
      .and.include('"bad" of assistant-jobs.json')
      .and.include('number 5')
      .and.include('number 6')
    expect((await readdir(data)).filter((name) => name.includes('jobs.json')).sort()).to.deep.equal([
      'assistant-jobs.json.imported',
      'cron-jobs.json.imported',
    ])
    await rig.jobs.remove('morning')
    await rig.stop(true)
    const again = await tests.start({ config: { enabled: true }, data })
    expect(again.jobs.get('morning')).to.equal(undefined)
  })

  it('keeps the valid parts of a job’s history', async () => {
    await write('assistant-jobs.json', [
      older({
        createdAt: 1_700_000_000_000,
        state: { lastRunAt: 1_750_000_000_000, lastStatus: 'error', lastError: 'no key', retryCount: 2 },
      }),
      older({ id: 'other', createdAt: 'yesterday', state: { lastStatus: 'fine', lastRunAt: 7 } }),
      older({ id: 'none', state: 'x' }),
    ])
    const rig = await tests.start({ config: { enabled: true }, data })
    expect(rig.jobs.get('morning')).to.deep.include({
      createdAt: 1_700_000_000_000,
      state: { lastRunAt: 1_750_000_000_000, lastStatus: 'error', lastError: 'no key', retryCount: 2 },
    })
    expect(rig.jobs.get('other')).to.deep.include({ createdAt: rig.clock.now(), state: { lastRunAt: 7 } })
    expect(rig.jobs.get('none')?.state).to.deep.equal({})
  })

  it('leaves truncated files in place and reports them', async () => {
    const whole = JSON.stringify([older()])
    await write('assistant-jobs.json', whole.slice(0, whole.length / 2))
    const rig = await tests.start({ config: { enabled: true }, data })
    expect(rig.logged).to.include('failed to import assistant-jobs.json, which stays in place: it is not valid JSON')
    expect(rig.host.inspect().find(({ name }) => name === 'assistant')?.state).to.equal('degraded')
    expect(await readFile(join(data, 'assistant-jobs.json'), 'utf8')).to.equal(whole.slice(0, whole.length / 2))
    expect(rig.jobs.list()).to.deep.equal([])
  })

  it('leaves the files alone when the assistant is off', async () => {
    await write('assistant-jobs.json', [older()])
    const rig = await tests.start({ data })
    expect(rig.jobs.list()).to.deep.equal([])
    expect(await readdir(data)).to.include('assistant-jobs.json')
  })

  it('writes the file after each change with legacyDualWrite, and does not import it again', async () => {
    const rig = await tests.start({ config: { enabled: true, legacyDualWrite: true }, data })
    const read = async (): Promise<{ id: string; enabled: boolean }[]> =>
      (
        JSON.parse(await readFile(join(data, 'assistant-jobs.json'), 'utf8').catch(() => '{"jobs":[]}')) as {
          jobs: { id: string; enabled: boolean }[]
        }
      ).jobs
    const { id } = await rig.jobs.add({
      trigger: { kind: 'im' },
      action: { kind: 'agent', prompt: 'x' },
      notify: { channel: 'log' },
      creator: { kind: 'console' },
    })
    await until(async () => (await read()).some((job) => job.id === id && job.enabled))
    await rig.jobs.setEnabled(id, false)
    await until(async () => (await read()).some((job) => job.id === id && !job.enabled))
    await rig.jobs.remove(id)
    await until(async () => (await read()).length === 0)
    await rig.stop(true)
    await write('assistant-jobs.json', [older()])
    const again = await tests.start({ config: { enabled: true, legacyDualWrite: true }, data })
    expect(again.jobs.list()).to.deep.equal([])
  })
})
