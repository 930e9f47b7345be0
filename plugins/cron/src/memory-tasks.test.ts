import { expect } from 'chai'
import { memoryTasks } from './api.js'
import { eachTest, MINUTE } from './test/support.js'

describe('MemoryTasks', () => {
  const tests = eachTest()

  it('lists tasks of plugins and reports their failures to the plugin', async () => {
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
