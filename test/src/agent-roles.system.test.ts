import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { ModelServer } from './model-server.js'
import { lastResults, obey, offeredIn, order } from './obeying-model.js'
import { say, type Where } from './sandbox-talk.js'
import { WholeHost } from './whole-host.js'

const require = createRequire(import.meta.url)
const published = (name: string): string => require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`)

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

describe('roles of tools, with published MCP servers', function () {
  this.timeout(120_000)
  let host: WholeHost | undefined
  let server: ModelServer | undefined
  let shared = ''
  afterEach(async () => {
    await host?.close()
    await server?.stop()
    await rm(shared, { recursive: true, force: true })
    host = server = undefined
  })

  async function start(more: { readonly files?: string; readonly ai?: string } = {}): Promise<void> {
    shared = await mkdtemp(join(tmpdir(), 'mynah-shared-'))
    await mkdir(join(shared, 'files'))
    await writeFile(join(shared, 'files', 'secret.txt'), 'The key is under the mat')
    const command = JSON.stringify(process.execPath)
    server = await ModelServer.start(obey)
    host = await WholeHost.start(`ai:
  providers: { play: { sdk: openai-compatible, baseUrl: "${server.url}", apiKey: none, models: [player] } }
  agents: { main: { provider: play, model: player } }
  mcpServers:
    files: { command: ${command}, args: ["${published('filesystem')}", "${join(shared, 'files')}"] ${more.files ?? ''} }
    brain: { command: ${command}, args: ["${published('memory')}"], env: { MEMORY_FILE_PATH: "${join(shared, 'brain.jsonl')}" } }
  memoryMcp: { server: brain, recall: search_nodes, remember: create_entities }
  ${more.ai ?? ''}
`)
    await until(async () => {
      const { json } = await (host as WholeHost).rpc('mcp:list')
      return (json['data'] as { servers: { connected: boolean }[] }).servers.every(({ connected }) => connected)
    })
  }

  /** Says something that the model obeys. Returns the results of the tools, and what was offered. */
  async function ask(text: string, where: Where): Promise<{ results: string[]; offered: string[] }> {
    await say(host as WholeHost, text, where)
    const asked = server?.asked.at(-1)
    return { results: lastResults(asked), offered: offeredIn(asked) }
  }

  const write = (name: string) =>
    order('files__write_file', { path: join(shared, 'files', name), content: 'written by a model' })
  const read = () => order('files__read_text_file', { path: join(shared, 'files', 'secret.txt') })

  it('keeps tools of servers for trusted people and owners', async () => {
    await start()
    const stranger = await ask(
      `${write('stranger.txt')} ${read()} ${order('brain__read_graph')} ${order('tool_search', { query: 'write file' })}`,
      { user: 'mallory' },
    )
    expect(stranger.results).to.have.length(4)
    for (const result of stranger.results.slice(0, 3)) expect(result).to.match(/it needs one of trusted, master/)
    expect(stranger.results.join()).to.not.include('files__').and.not.include('under the mat')
    expect(stranger.offered.filter((name) => name.includes('__'))).to.deep.equal([])
    expect(server?.bodies.join()).to.not.include('brain__create_entities').and.not.include('files__move_file')
    expect(await exists(join(shared, 'files', 'stranger.txt'))).to.equal(false)
    const owner = await ask(`${write('owner.txt')} ${read()}`, {})
    expect(owner.results[1]).to.include('under the mat')
    expect(await readFile(join(shared, 'files', 'owner.txt'), 'utf8')).to.equal('written by a model')
  })

  it('opens a server to its roles, but not the tools of which it says that they write', async () => {
    await start({ files: ', roles: [user]' })
    const { results } = await ask(`${write('stranger.txt')} ${read()}`, { user: 'mallory' })
    expect(results[0]).to.include('it needs one of trusted, master')
    expect(results[1]).to.include('under the mat')
    expect(await exists(join(shared, 'files', 'stranger.txt'))).to.equal(false)
  })

  it('takes the roles of any tool by its full name', async () => {
    await start({
      ai: 'toolbox: { roles: { files__write_file: [user], files__read_text_file: [master], web_fetch: [master] } }',
    })
    const { results } = await ask(
      `${write('stranger.txt')} ${read()} ${order('web_fetch', { url: 'http://127.0.0.1:9/' })}`,
      { user: 'mallory' },
    )
    expect(await exists(join(shared, 'files', 'stranger.txt'))).to.equal(true)
    expect(results[1]).to.match(/it needs one of master$/)
    expect(results[2]).to.match(/it needs one of master$/)
  })

  it('keeps the server that stores the memory within ai.memory.scope', async () => {
    await start({ ai: 'toolbox: { roles: { brain__create_entities: [user], brain__read_graph: [user] } }' })
    const poison = order('brain__create_entities', {
      entities: [{ name: 'Owner', entityType: 'person', observations: ['hates tea'] }],
    })
    for (const where of [{ user: 'mallory' }, { user: 'alice', channel: { type: 'group', id: 'room' } }] as const) {
      const mention = where.user === 'alice' ? [{ type: 'at', data: { id: 'sandbox' } }] : []
      await say(
        host as WholeHost,
        [...mention, { type: 'text', data: { text: ` ${poison} ${order('recall', {})}` } }],
        where,
      )
      const results = lastResults(server?.asked.at(-1))
      expect(results).to.have.length(2)
      for (const result of results) expect(result).to.include('The memory belongs to the owner')
    }
    expect(await exists(join(shared, 'brain.jsonl'))).to.equal(false)
    await ask(poison.replace('hates', 'likes'), {})
    expect(await readFile(join(shared, 'brain.jsonl'), 'utf8')).to.include('likes tea')
  })

  it('shows both ends of a long result, and all of it by read_file to those who may use that', async () => {
    await start({ ai: 'toolbox: { roles: { files__read_text_file: [user] } }' })
    const lines = Array.from({ length: 6_000 }, (_, index) => `line ${index + 1}`)
    await writeFile(join(shared, 'files', 'secret.txt'), lines.join('\n'))
    const { results } = await ask(read(), {})
    expect(results[0]).to.include('\nline 1\n').and.include('\nline 6000\n').and.not.include('\nline 3000\n')
    const path = /all of it: read_file (\S+) …\]/.exec(results[0] ?? '')?.[1] ?? ''
    const { results: page } = await ask(order('read_file', { path, offset: 3_001, limit: 1 }), {})
    expect(page[0]).to.include('line 3000')
    const stranger = await ask(read(), { user: 'mallory' })
    expect(stranger.results[0])
      .to.match(/lines left out …\]/)
      .and.not.include('read_file')
    const { results: refused } = await ask(order('read_file', { path }), { user: 'mallory' })
    expect(refused[0]).to.include('it needs one of trusted, master')
  })
})
