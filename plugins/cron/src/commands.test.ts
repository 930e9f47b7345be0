import { expect } from 'chai'
import { toolTests } from './test/people.js'
import { until } from './test/support.js'

describe('jobCommand', () => {
  const { start } = toolTests()

  it('runs a job for a master', async () => {
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
})
