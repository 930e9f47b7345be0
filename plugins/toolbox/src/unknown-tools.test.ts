import { TestClock } from '@mynah/kernel/testing'
import { expect } from 'chai'
import { eachTest, results } from './test/support.js'

describe('UnknownToolCheck', () => {
  const hosts = eachTest()

  it('warns of names in ai.toolbox.roles that no tool has, with the nearest one, and applies the others', async () => {
    const clock = new TestClock()
    const { host, models } = await hosts.start([{ calls: [{ name: 'list_files', input: {} }] }, 'done'], {
      clock,
      exec: { 'ai.agent.execSecurity': 'deny' },
      toolbox: { roles: { list_files: ['user'], reed_file: ['user'], 'far away': ['master'] } },
    })
    expect((await host.say('list')).join()).to.equal('done')
    expect(results(models.requests[1]).join()).to.not.include('it needs one of')
    const warned = (): string[] => host.log.filter(({ level }) => level === 'warn').map(({ message }) => message)
    expect(warned().join()).to.not.include('ai.toolbox.roles')
    await clock.advance(61_000)
    expect(warned().filter((message) => message.startsWith('ai.toolbox.roles.'))).to.deep.equal([
      'ai.toolbox.roles.reed_file has no effect: there is no such tool; did you mean read_file?',
      'ai.toolbox.roles.far away has no effect: there is no such tool',
    ])
  })
})
