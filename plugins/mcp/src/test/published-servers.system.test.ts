import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { agentLoop } from '@mynah/plugin-ai/api'
import { scriptedModels } from '@mynah/plugin-ai/testing'
import { eachTest, failure, lives, published, until } from './support.js'

const node = process.execPath
const everything = { command: node, args: [published('everything')] }
/** Returns the children of this process that run a script. */
const pidsOf = (script: string): number[] =>
  execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((found) => Number(found?.[2]) === process.pid && found?.[3]?.includes(script))
    .map((found) => Number(found?.[1]))

describe('published MCP servers', function () {
  this.timeout(20_000)
  const rigs = eachTest()

  it('offer their tools, and answer calls', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-mcp-files-'))
    await writeFile(join(folder, 'note.txt'), 'The key is under the mat')
    const rig = await rigs.start({
      everything,
      files: { command: node, args: [published('filesystem'), folder] },
      memory: { command: node, args: [published('memory')], env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } },
    })
    try {
      await Promise.all(['everything', 'files', 'memory'].map((name) => rig.connected(name)))
      expect(rig.tools).to.include.members(['everything__echo', 'files__read_text_file', 'memory__create_entities'])
      expect(rig.tool('memory__create_entities')).to.include({ source: 'memory', effect: 'once' })
      expect(rig.tool('memory__read_graph').effect).to.equal('read')
      expect(rig.tool('memory__delete_entities').effect).to.equal('repeatable')
      const read = await rig.run('files__read_text_file', { path: join(folder, 'note.txt') })
      expect(read.isError).to.equal(false)
      expect(read.content[0])
        .to.have.property('text')
        .that.matches(/^<outside \w+ from="files read_text_file">\nThe key is under the mat\n<\/outside/)
      expect((await rig.run('files__read_text_file', { path: '/etc/passwd' })).isError).to.equal(true)
      await rig.run('memory__create_entities', {
        entities: [{ name: 'Ann', entityType: 'person', observations: ['likes tea'] }],
      })
      expect(await rig.text('memory', 'search_nodes', { query: 'tea' })).to.include('Ann')
      const image = (await rig.run('everything__get-tiny-image', {})).content.find(({ type }) => type === 'image')
      expect(image).to.include({ mediaType: 'image/png' }).and.to.have.property('data').with.length.above(100)
      expect(
        (await rig.servers.call('everything', 'get-structured-content', { location: 'New York' })).structured,
      ).to.have.property('temperature')
      await rig.run('everything__trigger-long-running-operation', { duration: 0.2, steps: 2 })
      expect(rig.progress).to.not.deep.equal([])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('answer the calls of a model', async () => {
    const rig = await rigs.start({ everything })
    await rig.connected('everything')
    const models = scriptedModels([
      {
        calls: [
          { name: 'everything__get-sum', input: { a: 2, b: 40 } },
          { name: 'everything__get-sum', input: { a: 'two' } },
        ],
      },
      'It is 42.',
    ])
    const results: string[] = []
    for await (const event of agentLoop({
      stream: (request, options) => models.stream(request, { ...options, candidates: [] }),
      messages: [{ role: 'user', content: 'Add' }],
      tools: rig.tools.map((name) => rig.tool(name)),
    })) {
      if (event.type === 'end')
        for (const { role, content } of event.messages)
          if (role === 'tool') for (const { output } of content) results.push(typeof output === 'string' ? output : '')
    }
    expect(results).to.have.length(2)
    expect(results[0]).to.match(/^<outside \w+ from="everything get-sum">\n.*42/)
    expect(results[1]).to.match(/b is required|a must be number/)
  })

  it('are offered without tools that run only as tasks', async () => {
    const rig = await rigs.start({ everything })
    await rig.connected('everything')
    await until(
      () =>
        !rig.tools.includes('everything__simulate-research-query') && rig.server('everything').lastError !== undefined,
    )
    expect(rig.server('everything').lastError).to.include('simulate-research-query runs as a task only')
  })

  it('fail active calls at once when killed, and return', async () => {
    const rig = await rigs.start({ everything })
    await rig.connected('everything')
    const [pid] = pidsOf(published('everything'))
    const running = failure(
      rig.servers.call(
        'everything',
        'trigger-long-running-operation',
        { duration: 60, steps: 2 },
        { progress: (text) => rig.progress.push(text) },
      ),
    )
    process.kill(pid as number, 'SIGKILL')
    const error = await running
    expect(error).to.have.property('code', 'not_ready')
    expect(error.message).to.include('ended by SIGKILL')
    await until(() => !rig.server('everything').connected)
    const { lastError, nextTryAt } = rig.server('everything')
    expect(lastError).to.include('ended by SIGKILL')
    expect(nextTryAt).to.be.within(rig.clock.now() + 500, rig.clock.now() + 1_000)
    expect(rig.tools).to.include('everything__echo')
    await rig.clock.advance(1_000)
    await rig.connected('everything')
    expect(await rig.text('everything', 'echo', { message: 'again' })).to.include('again')
    expect(
      rig.events.map(({ type, data }) => `${type} ${(data as { connected: boolean }).connected}`).slice(0, 3),
    ).to.deep.equal(['mcp:changed true', 'mcp:changed false', 'mcp:changed true'])
    const [second] = pidsOf(published('everything'))
    expect(second).to.not.equal(pid)
    await rig.host.stop()
    expect(lives(second as number)).to.equal(false)
  })
})
