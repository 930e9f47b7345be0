import { expect } from 'chai'
import { heartbeatFiles } from './api.js'
import { hasOpenItems, isWithinHours } from './heartbeat.js'
import { toolTests } from './test/people.js'
import { HOUR, MINUTE, until } from './test/support.js'

describe('Heartbeat', () => {
  const { start } = toolTests()

  it('runs while the list has open items, and reports to the owner', async () => {
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
    // The delivery has ended as well, before its time passes.
    await rig.settled()
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

  it('removes the job without a file, and stays paused when the file returns', async () => {
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
})

describe('hasOpenItems', () => {
  for (const list of [
    '',
    '\n \n',
    '# Only\n## headings',
    '<!-- a\nb -->',
    '<!-- never closed\n- do it',
    '- [ ]\n* [ ]  \n- ',
    '- [x] done\n1. [X] done',
    '---',
  ])
    it(`finds none in ${JSON.stringify(list)}`, () => {
      expect(hasOpenItems(list)).to.equal(false)
    })

  for (const list of ['do it', '- [ ] do it', '# x\ndo', '1. do', '<!-- a --> do', '[ ] do'])
    it(`finds some in ${JSON.stringify(list)}`, () => {
      expect(hasOpenItems(list)).to.equal(true)
    })
})

describe('isWithinHours', () => {
  it('includes the start of the hours', () => {
    expect(isWithinHours(['08:00', '22:00'], 8 * 60)).to.equal(true)
  })

  it('excludes the end of the hours', () => {
    expect(isWithinHours(['08:00', '22:00'], 22 * 60)).to.equal(false)
  })

  it('includes a time after midnight in hours over midnight', () => {
    expect(isWithinHours(['22:00', '06:00'], 60)).to.equal(true)
  })

  it('excludes a time after hours over midnight', () => {
    expect(isWithinHours(['22:00', '06:00'], 7 * 60)).to.equal(false)
  })
})
