import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { calling, eachTest, newRoot, results, said } from './test/support.js'

const agent = {
  'ai.agents': {
    ada: { match: { user: ['owner'] }, priority: 1 },
    bob: { match: { user: ['owner'] } },
  },
}

describe('agents with chats of their own', () => {
  const hosts = eachTest()

  it('have bootstrap files of their own, and none of the others', async () => {
    const root = await newRoot()
    await mkdir(join(root, 'agents/ada'), { recursive: true })
    await writeFile(join(root, 'SOUL.md'), 'You are a magpie.')
    await writeFile(join(root, 'agents/ada/SOUL.md'), 'You are an engineer.')
    const { host, models } = await hosts.start(['one', 'two', 'three'], { root, agent })
    await host.say('ada, hello', 'owner')
    expect(said(models.requests[0])[0]).to.include('You are an engineer.').and.not.include('magpie')
    await host.say('bob, hello', 'owner')
    expect(said(models.requests[1])[0]).to.not.match(/engineer|magpie/)
    await host.say('hello', 'ann')
    expect(said(models.requests[2])[0]).to.include('You are a magpie.')
  })

  it('do not see what the others remember', async () => {
    const root = await newRoot()
    const script = calling('remember', { text: 'the key is under the mat' })
    const { host } = await hosts.start(script, { root, agent })
    await host.say('ada, remember it', 'owner')
    const file = await readFile(join(root, 'data/memory/agents/ada/MEMORY.md'), 'utf8')
    expect(file).to.equal('- the key is under the mat\n')
    const others = await hosts.start(
      [
        { calls: [{ name: 'recall', input: { query: 'key' } }] },
        'done',
        { calls: [{ name: 'recall', input: { query: 'key' } }] },
        'done',
      ],
      { root, agent },
    )
    await others.host.say('bob, where is it?', 'owner')
    expect(results(others.models.requests[1])).to.deep.equal(['Nothing like that was remembered.'])
    expect(said(others.models.requests[0]).join()).to.not.include('under the mat')
    await others.host.say('ada, where is it?', 'owner')
    expect(results(others.models.requests[3]).join()).to.include('under the mat')
  })

  it('share the memory of main where the configuration says so', async () => {
    const root = await newRoot()
    await mkdir(join(root, 'data/memory'), { recursive: true })
    await writeFile(join(root, 'data/memory/MEMORY.md'), '- the key is under the mat\n')
    const config = { 'ai.memory': { shared: ['ada'] } }
    const { host, models } = await hosts.start(['one', 'two'], { root, agent, config })
    await host.say('ada, hello', 'owner')
    expect(said(models.requests[0])[0]).to.include('under the mat')
    await host.say('bob, hello', 'owner')
    expect(said(models.requests[1])[0]).to.not.include('under the mat')
  })

  it('keep what users have said about themselves apart', async () => {
    const { host, models } = await hosts.start(
      [
        { calls: [{ name: 'user_profile', input: { action: 'set', key: 'tea', value: 'green' } }] },
        'done',
        { calls: [{ name: 'user_profile', input: { action: 'get' } }] },
        'done',
      ],
      { agent, database: true },
    )
    await host.say('ada, I like green tea', 'owner')
    await host.say('bob, what do I like?', 'owner')
    expect(results(models.requests[3])).to.deep.equal(['Nothing is known.'])
  })

  it('change their own guide', async () => {
    const root = await newRoot()
    const { host } = await hosts.start(calling('update_guide', { action: 'append', text: 'Be brief.' }), {
      root,
      agent,
    })
    await host.say('bob, be brief', 'owner')
    expect(await readFile(join(root, 'agents/bob/AGENTS.md'), 'utf8')).to.equal('Be brief.\n')
  })
})
