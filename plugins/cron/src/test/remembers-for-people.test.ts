// What people and the agent do with jobs: tools, follow-ups, the command, the heartbeat, and plugins' own tasks.
import { expect } from 'chai'
import { tools, type Tool, type ToolCall } from '@mynah/plugin-ai/api'
import { heartbeatFiles, memoryTasks } from '../api.js'
import { asksForSomething, isWithin } from '../heartbeat.js'
import { DAY, eachTest, HOUR, MINUTE, until, type Options, type Rig } from './support.js'

const origin = (user: string) => ({
  adapter: 'test',
  endpoint: 'one',
  channel: { type: 'private' as const, id: user },
  user,
})

describe('jobs for people', () => {
  const tests = eachTest()
  let find: (name: string) => Tool
  const start = (options: Options = {}) =>
    tests.start({
      chat: true,
      ...options,
      setup(ctx) {
        const reader = ctx.read(tools)
        find = (name) => reader.get(name)?.value as Tool
        options.setup?.(ctx)
      },
    })
  const use = async (rig: Rig, name: string, input: Record<string, unknown>, user = 'owner'): Promise<string> => {
    const call = {
      roles: rig.chat.rolesOf('test', 'one', user),
      origin: origin(user),
      session: 's',
      turn: 't',
      id: 'c',
    } as unknown as ToolCall
    const output = (await find(name).run(input as never, call)) as { content?: readonly { text: string }[] } | string
    return typeof output === 'string'
      ? output
      : output.content
        ? `! ${output.content[0]?.text}`
        : JSON.stringify(output)
  }

  it('are made by words, run, and told in the chat', async () => {
    const rig = await start()
    const made = JSON.parse(
      await use(rig, 'cron_add', {
        cron_expression: '*/5 * * * *',
        prompt: 'say hello',
        notify_channel: 'im',
        timezone: 'Europe/Berlin',
      }),
    ) as { id: string; next_runs: string[]; timezone: string }
    expect(made).to.deep.include({ timezone: 'Europe/Berlin' }).and.have.property('next_runs').with.length(5)
    await rig.pass(5 * MINUTE)
    await until(() => rig.sent.length === 1)
    expect(rig.sent[0]).to.deep.equal({ target: { type: 'private', id: 'owner' }, text: 'done: say hello' })
    expect(await use(rig, 'cron_list', {}))
      .to.include(made.id)
      .and.include('last ok')
    expect(await use(rig, 'cron_remove', { id: made.id })).to.include('is removed')
    expect(await use(rig, 'cron_list', {})).to.equal('There are no tasks.')
    expect(await use(rig, 'cron_add', { cron_expression: '99 * * * *', prompt: 'x', notify_channel: 'log' })).to.match(
      /^! .*field "minute"/,
    )
  })

  it('are for masters and trusted, who see and end their own', async () => {
    const rig = await start()
    for (const name of ['cron_add', 'cron_list', 'cron_remove'])
      expect(find(name).requiredAnyRole).to.deep.equal(['trusted', 'master'])
    const { id } = JSON.parse(
      await use(rig, 'cron_add', { cron_expression: '0 0 * * *', prompt: 'secret plans', notify_channel: 'log' }),
    ) as { id: string }
    expect(await use(rig, 'cron_list', {}, 'friend')).to.equal('There are no tasks.')
    expect(await use(rig, 'cron_remove', { id }, 'friend')).to.match(/^! There is no task/)
    const mine = JSON.parse(
      await use(rig, 'cron_add', { cron_expression: '0 0 * * *', prompt: 'mine', notify_channel: 'silent' }, 'friend'),
    ) as { id: string }
    expect((await use(rig, 'cron_list', {})).split('\n')).to.have.length(2)
    expect(await use(rig, 'cron_remove', { id: mine.id }, 'friend')).to.include('is removed')
  })

  it('run by a command', async () => {
    const rig = await start()
    const id = await rig.task('0 0 1 1 *', { notify: { channel: 'silent' } })
    const say = (text: string, sender: string) =>
      rig.account.receive({
        id: `${sender} ${text}`,
        channel: { type: 'private', id: sender },
        sender: { id: sender },
        content: text,
      })
    await say(`/job run ${id}`, 'anybody')
    await say(`/job run ${id}`, 'owner')
    await until(() => rig.prompts.length === 1)
    await say('/job run none', 'owner')
    await until(() => rig.sent.some(({ text }) => text.includes('There is no job "none"')))
    expect(rig.sent.map(({ text }) => text)).to.include(`The job ${id} runs.`)
    expect(rig.prompts).to.have.length(1)
  })

  it('follow up once, over a stop; a new one cancels the one that waits', async () => {
    const rig = await start()
    await use(rig, 'schedule_followup', { action: 'create', delay_minutes: 30, message: 'first' }, 'anybody')
    const [old] = rig.jobs.list()
    await use(rig, 'schedule_followup', { action: 'create', delay_minutes: 60, message: 'second' }, 'anybody')
    await use(rig, 'schedule_followup', { action: 'create', delay_minutes: 45, message: 'of the owner' }, 'owner')
    expect(rig.jobs.list()).to.have.length(2)
    expect((await rig.runs(old?.id ?? ''))[0]).to.include({
      state: 'skipped',
      error: 'cancelled: a newer one took its place',
    })
    await rig.stop(true)
    const later = await start({ data: rig.data, at: rig.clock.now() + 2 * DAY })
    await later.pass(1)
    await until(() => later.sent.length === 2)
    expect(later.sent.map(({ text, target }) => `${target.id}: ${text}`).sort()).to.deep.equal([
      'anybody: second',
      'owner: of the owner',
    ])
    expect([later.jobs.list(), later.prompts]).to.deep.equal([[], []])
  })

  it('beat for the owner while there is something to look after', async () => {
    let list: string | undefined = '# List\n- [ ] water the plants\n'
    const rig = await start({
      agent: (prompt) => (prompt.includes('plants') ? 'The plants are dry.' : 'HEARTBEAT_OK'),
      setup: (ctx) => void ctx.contribute(heartbeatFiles, { name: 'test', read: () => Promise.resolve(list) }),
    })
    await until(() => rig.jobs.get('heartbeat') !== undefined)
    expect(rig.jobs.get('heartbeat')).to.deep.include({
      trigger: { kind: 'heartbeat' },
      notify: { channel: 'im', platform: 'test', endpointId: 'one', sceneId: 'owner', scope: 'private' },
    })
    await rig.pass(30 * MINUTE)
    await until(() => rig.sent.length === 1)
    expect(rig.sent[0]).to.deep.equal({ target: { type: 'private', id: 'owner' }, text: 'The plants are dry.' })
    list = '# List\n<!-- nothing -->\n- [ ]\n- [x] water\n'
    await rig.pass(HOUR)
    expect(rig.prompts).to.have.length(1)
    list = 'look around'
    await rig.pass(30 * MINUTE)
    await until(() => rig.prompts.length === 2)
    await rig.settled()
    expect(rig.sent).to.have.length(1)
    list = undefined
    await rig.pass(30 * MINUTE)
    await until(() => rig.jobs.get('heartbeat') === undefined)
  })

  it('beat no more where whoever keeps the list is gone, and stay paused where it comes back', async () => {
    let take = (): void => {}
    let give = (): void => {}
    const rig = await start({
      setup: (ctx) => {
        give = () => {
          take = ctx.contribute(heartbeatFiles, {
            name: 'test',
            read: () => Promise.resolve('look around'),
          }) as () => void
        }
      },
    })
    give()
    await until(() => rig.jobs.get('heartbeat') !== undefined)
    await rig.rpc('cron:pause', { id: 'heartbeat' })
    take()
    await rig.pass(30_000)
    give()
    await rig.pass(HOUR)
    expect(rig.jobs.get('heartbeat')).to.include({ enabled: false })
    expect(rig.prompts).to.deep.equal([])
    await rig.stop(true)
    expect(rig.logged.join('\n')).to.not.include('cannot be read')
    const later = await start({
      data: rig.data,
      at: rig.clock.now(),
      setup: (ctx) => {
        give = () => {
          take = ctx.contribute(heartbeatFiles, {
            name: 'test',
            read: () => Promise.resolve('look around'),
          }) as () => void
        }
      },
    })
    give()
    await later.pass(HOUR)
    expect(later.jobs.get('heartbeat')).to.include({ enabled: false })
    take()
    await later.pass(MINUTE)
    await until(() => later.jobs.get('heartbeat') === undefined)
  })

  it('know what asks for something, and when', () => {
    for (const nothing of [
      '',
      '\n \n',
      '# Only\n## headings',
      '<!-- a\nb -->',
      '<!-- never closed\n- do it',
      '- [ ]\n* [ ]  \n- ',
      '- [x] done\n1. [X] done',
      '---',
    ])
      expect(asksForSomething(nothing), nothing).to.equal(false)
    for (const something of ['do it', '- [ ] do it', '# x\ndo', '1. do', '<!-- a --> do', '[ ] do'])
      expect(asksForSomething(something), something).to.equal(true)
    expect([
      isWithin(['08:00', '22:00'], 8 * 60),
      isWithin(['08:00', '22:00'], 22 * 60),
      isWithin(['22:00', '06:00'], 60),
      isWithin(['22:00', '06:00'], 7 * 60),
    ]).to.deep.equal([true, false, true, false])
  })

  it('of plugins are rows of memory, and their failures their plugin’s', async () => {
    let ran = 0
    const rig = await tests.start({
      setup(ctx) {
        ctx.contribute(memoryTasks, {
          id: 'helper.tick',
          expression: '*/10 * * * *',
          description: 'Ticks',
          run: () => {
            ran++
            if (ran === 2) throw new Error('tock')
          },
        })
        ctx.contribute(memoryTasks, { id: 'helper.wrong', expression: 'never', run() {} })
      },
    })
    const start_ = rig.clock.now()
    for (let n = 0; n < 3; n++) await rig.pass(10 * MINUTE)
    expect(ran).to.equal(3)
    const { data } = await rig.rpc<{ memory: unknown[] }>('cron:list')
    expect(data.memory).to.deep.equal([
      {
        id: 'helper.tick',
        expression: '*/10 * * * *',
        plugin: 'helper',
        description: 'Ticks',
        running: false,
        nextRun: start_ + 40 * MINUTE,
        lastRun: start_ + 30 * MINUTE,
      },
    ])
    expect(rig.logged.join('\n'))
      .to.include('helper: the task "helper.tick" failed: tock')
      .and.include('helper: The cron expression "never"')
  })
})
