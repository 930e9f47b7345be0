// Rules of the specification's agent part that need more than the agent itself, one test for each: a host with every
// plugin, and a model server.
import { createRequire } from 'node:module'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { ModelServer, type Asked } from './model-server.js'
import { lastResults, obey, offeredIn, order } from './obeying-model.js'
import { say, type Where } from './sandbox-talk.js'
import { WholeHost } from './whole-host.js'

const published = (name: string): string =>
  createRequire(import.meta.url).resolve(`@modelcontextprotocol/server-${name}/dist/index.js`)

/** The defaults of the configuration, by path. */
const DEFAULTS = {
  'ai.sessions.sessionIdleArchiveMs': 0,
  'ai.sessions.coldStartMaxMessages': 0,
  'ai.sessions.coldStartMaxAgeMs': 0,
  'ai.sessions.keepArchivedDays': 90,
  'ai.context.enabled': true,
  'ai.context.maxRecentMessages': 100,
  'ai.context.summaryThreshold': 50,
  'ai.context.keepAfterSummary': 10,
  'ai.context.maxContextTokens': 4_000,
  'ai.agent.timeout': 120_000,
  'ai.agent.preExecTimeout': 15_000,
  'ai.agent.maxSkills': 5,
  'ai.agent.maxTools': 12,
  'ai.agent.contextTokens': 128_000,
  'ai.agent.maxHistoryShare': 0.5,
  'ai.agent.toneAwareness': true,
  'ai.agent.execSecurity': 'deny',
  'ai.agent.execPreset': 'custom',
  'ai.agent.execAllowlist': [],
  'ai.agent.execApprovalMode': 'deny',
  'ai.agent.modelSizeHint': '',
  'ai.agent.skillInstructionMaxChars': 0,
  'ai.agent.maxSubagentIterations': 25,
  'ai.agent.subagentTurnWaitMs': 300_000,
  'ai.agent.subagentTools': [],
  'ai.agent.phaseTrace': false,
  'ai.agent.modelHarness.providerPatterns': {},
  'ai.agent.modelHarness.models': {},
  'ai.agent.compaction.enabled': true,
  'ai.agent.compaction.auto': true,
  'ai.agent.compaction.keepRecentTokens': 20_000,
  'ai.agent.compaction.minKeepCount': 2,
  'ai.agent.toolSearch': false,
  'ai.agent.workerBaseTools': ['bash', 'read_file', 'web_search'],
  'ai.agent.deferredToolMaxResults': 8,
  'ai.agent.steeringMode': 'one-at-a-time',
  'ai.agent.followUpMode': 'one-at-a-time',
  'ai.agent.rateLimit.strangersPerHour': 20,
  'ai.trigger.enabled': true,
  'ai.trigger.prefixes': ['ai:'],
  'ai.trigger.respondToAt': true,
  'ai.trigger.respondToPrivate': true,
  'ai.trigger.timeout': 60_000,
  'ai.trigger.collectMs': 1_500,
  'ai.trigger.masters': [],
  'ai.trigger.trusted': [],
  'ai.multimodal.audio.strategy': 'transcribe',
  'ai.memory.scope': 'owner',
  'ai.imageGeneration.watermarkEnabled': true,
  'ai.web.allowHosts': [],
} as const

interface Schema {
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Returns the schema of a path below schemas whose keys may be paths themselves. */
function schemaAt(schema: Schema, path: string): Schema | undefined {
  for (const [key, inner] of Object.entries(schema.properties ?? {})) {
    if (path === key) return inner
    const found = path.startsWith(`${key}.`) ? schemaAt(inner, path.slice(key.length + 1)) : undefined
    if (found) return found
  }
  return undefined
}

describe('specification: the agent with every plugin', function () {
  this.timeout(120_000)
  const asked: Asked[] = []
  let host: WholeHost
  let server: ModelServer
  before(async () => {
    server = await ModelServer.start((request, index) => {
      asked.push(request)
      return obey(request, index)
    })
    host = await WholeHost.start(`ai:
  providers: { play: { sdk: openai-compatible, baseUrl: "${server.url}", apiKey: none, models: [player] } }
  agents: { main: { provider: play, model: player } }
`)
  })
  after(async () => {
    await host.close()
    await server.stop()
  })
  beforeEach(() => void asked.splice(0))

  /** Says something that the model obeys. Returns the results of its calls. */
  async function ask(text: string, where: Where = { user: 'alice' }): Promise<string[]> {
    await say(host, text, where)
    return asked.flatMap((request) => lastResults(request)).filter((result, at, all) => all.indexOf(result) === at)
  }

  /** Returns the first request for a task. */
  const workerFor = (task: string): Asked | undefined =>
    asked.find(
      (request) => !offeredIn(request).includes('spawn_task') && JSON.stringify(request.messages).includes(task),
    )

  describe('defaults of the configuration', () => {
    const schemas: Record<string, Schema> = {}
    before(async () => {
      Object.assign(schemas, (await host.rpc('schema:get-all')).json['data'])
    })
    for (const [path, value] of Object.entries(DEFAULTS))
      it(`${path} is ${JSON.stringify(value)}`, () => {
        const found = Object.entries(schemas)
          .map(([plugin, schema]) => schemaAt(plugin === 'ai' ? { properties: { ai: schema } } : schema, path))
          .find((schema) => schema?.default !== undefined)
        expect(found?.default).to.deep.equal(value)
      })
  })

  it('the agent always has the tools that start tasks, search tools and ask', async () => {
    await ask('hello')
    expect(offeredIn(asked[0])).to.include.members(['spawn_task', 'tool_search', 'run_deferred_task', 'ask_user'])
  })

  it('generate_image is not offered by itself, and a search says that tasks have it', async () => {
    const results = await ask(order('tool_search', { query: 'generate_image' }))
    expect(results.join()).to.match(/^generate_image: .+\(by run_deferred_task\)$/)
    for (const request of asked) expect(offeredIn(request)).to.not.include('generate_image')
  })

  it('a sub-agent that draws has generate_image, and none of the tools that start others', async () => {
    await ask(order('spawn_task', { task: 'a red kite in the wind', label: 'kite', agent: 'draw' }))
    const worker = workerFor('a red kite in the wind')
    expect(offeredIn(worker)).to.include('generate_image')
    for (const name of ['tool_search', 'run_deferred_task', 'spawn_task', 'activate_skill', 'install_skill'])
      expect(offeredIn(worker)).to.not.include(name)
  })

  it('a task has the base tools of workers, and those that its words find', async () => {
    await ask(order('spawn_task', { task: 'remember what day it is', label: 'day' }))
    expect(offeredIn(workerFor('remember what day it is'))).to.include.members(['bash', 'read_file', 'remember'])
  })

  it('user_profile keeps, shows and deletes values of a user, which stand in the next conversation', async () => {
    const where = { user: 'alice', channel: { type: 'private', id: 'profile' } } as const
    await ask(order('user_profile', { action: 'set', key: 'drink', value: 'green tea' }), where)
    expect((await ask(order('user_profile', { action: 'get' }), where)).join()).to.include('green tea')
    await say(host, '/reset', where)
    await ask('hello', where)
    expect(JSON.stringify(asked.at(-1)?.messages)).to.include('green tea')
    await ask(order('user_profile', { action: 'delete', key: 'drink' }), where)
    expect((await ask(order('user_profile', { action: 'get', key: 'drink' }), where)).at(-1)).to.not.include(
      'green tea',
    )
  })
})

describe('specification: agents with their own servers and skills', function () {
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

  async function start(agent: string, more = ''): Promise<{ host: WholeHost; server: ModelServer }> {
    shared = await mkdtemp(join(tmpdir(), 'mynah-spec-'))
    server = await ModelServer.start(obey)
    host = await WholeHost.start(`ai:
  providers: { play: { sdk: openai-compatible, baseUrl: "${server.url}", apiKey: none, models: [player] } }
  agents: { main: { provider: play, model: player${agent} } }
${more}`)
    return { host, server }
  }

  it('an agent with mcpServers has the tools of these servers, and finds and calls those of no other', async () => {
    const command = JSON.stringify(process.execPath)
    const { host: running, server: model } = await start(
      ', mcpServers: [files]',
      `  mcpServers:
    files: { command: ${command}, args: ["${published('filesystem')}", "${tmpdir()}"] }
    brain: { command: ${command}, args: ["${published('memory')}"] }
`,
    )
    await until(async () => {
      const { json } = await running.rpc('mcp:list')
      return (json['data'] as { servers: { connected: boolean }[] }).servers.every(({ connected }) => connected)
    })
    await say(running, `${order('tool_search', { query: 'read graph' })} ${order('brain__read_graph')}`)
    const results = lastResults(model.asked.at(-1))
    expect(results[0]).to.not.include('brain__')
    expect(results[1]).to.include('There is no tool')
    await say(running, order('files__list_allowed_directories'))
    expect(lastResults(model.asked.at(-1)).join()).to.include(tmpdir())
    expect(model.asked.flatMap(offeredIn).filter((name) => name.startsWith('brain__'))).to.deep.equal([])
  })

  it('skillInstructionMaxChars cuts the instructions of a skill for models of any size', async () => {
    const { host: running, server: model } = await start('', '  agent: { skillInstructionMaxChars: 300 }\n')
    const folder = join(running.folder, 'skills', 'tea')
    await mkdir(folder, { recursive: true })
    const text = 'Warm the pot. '.repeat(200)
    await writeFile(join(folder, 'SKILL.md'), `---\nname: tea\ndescription: makes tea\n---\n${text}`)
    await until(async () => {
      await say(running, order('activate_skill', { name: 'tea' }), {
        channel: { type: 'private', id: `c${Math.random()}` },
      })
      return lastResults(model.asked.at(-1)).join().includes('Warm the pot.')
    })
    const [result = ''] = lastResults(model.asked.at(-1))
    expect(result.match(/Warm the pot/g)?.length).to.be.within(10, 25)
  })
})

describe('specification: keys of plugins that are not enabled', function () {
  this.timeout(120_000)

  it('below ai warn, and never make the section of the plugin ai invalid', async () => {
    const whole = await WholeHost.start()
    const claimed = whole.loaded.host.inspect().flatMap(({ name, claims }) => claims.map((path) => ({ name, path })))
    await whole.close()
    const others = claimed.filter(({ name, path }) => path.startsWith('ai.') && name !== 'ai')
    const without = [...new Set(others.map(({ name }) => name)), 'assistant', 'cron']
    const keys = [...new Set(others.map(({ path }) => path.split('.')[1] ?? ''))]
    const lines = keys.map((key) => `  ${key}: { one: 1 }\n`).join('')
    const host = await WholeHost.start(`ai:\n  providers: {}\n${lines}`, { without })
    try {
      const { state, errors } = host.loaded.host.inspect().find(({ name }) => name === 'ai') ?? {}
      expect({ state, errors }).to.deep.equal({ state: 'active', errors: [] })
      const warned = host.log.filter(({ level }) => level === 'warn').map(({ message }) => message)
      for (const key of keys) expect(warned.join('\n'), key).to.include(`ai.${key}`)
    } finally {
      await host.close()
    }
  })
})
