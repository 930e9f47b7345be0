import { expect } from 'chai'
import { definePlugin, type PluginEntry } from '@mynah/kernel'
import chat from '@mynah/plugin-chat'
import { adapters, Chat, defineAdapter, type EndpointHandle } from '@mynah/plugin-chat/api'
import consoleRpc from '@mynah/plugin-console-rpc'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import introspection from '@mynah/plugin-introspection'
import management from '@mynah/plugin-management'
import { eachTest, odd, until, type Rig } from './test/support.js'

const TOKEN = 'a-token-for-the-tests-of-mcp'

describe('mcp', function () {
  this.timeout(20_000)
  const rigs = eachTest()
  const answers: ((text: string) => void)[] = []
  let account: EndpointHandle | undefined
  let next = 0

  const platform = definePlugin({
    name: 'test-platform',
    setup: (ctx) => {
      ctx.contribute(
        adapters,
        defineAdapter({
          name: 'test',
          acknowledges: 'never',
          create: (endpoint) => ({
            connect: async () => {
              account = endpoint
            },
            disconnect: async () => {},
            send: async (_target, { text }) => answers.shift()?.(text),
          }),
        }),
      )
    },
  })
  async function start(servers: Parameters<typeof rigs.start>[0]): Promise<Rig> {
    const plugins = [
      { plugin: httpCore, config: { port: 0, token: TOKEN } },
      { plugin: consoleRpc },
      { plugin: management },
      { plugin: introspection },
      { plugin: platform },
      { plugin: chat, config: { endpoints: [{ adapter: 'test', id: 'one', master: 'owner' }] } },
    ]
    const rig = await rigs.start(servers, { plugins: plugins as unknown as PluginEntry[] })
    await until(() => rig.host.get(Chat)?.online() === 1)
    return rig
  }
  async function get(
    rig: Rig,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; text: string; data: Record<string, unknown> }> {
    const response = await fetch(`${rig.host.get(Http)?.origin}/api/${path}`, {
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      text,
      data: text.startsWith('{') ? (JSON.parse(text) as { data: Record<string, unknown> }).data : {},
    }
  }
  const rpc = (rig: Rig, type: string, params: object = {}) =>
    get(rig, 'console/request', { type, requestId: 1, ...params })
  async function ask(content: string, sender = 'owner'): Promise<string> {
    const answer = new Promise<string>((resolve) => {
      answers.push(resolve)
    })
    await account?.receive({
      id: `q${next++}`,
      channel: { type: 'private', id: sender },
      sender: { id: sender },
      content,
    })
    return answer
  }

  it('lists, measures and restarts servers', async () => {
    const rig = await start({ odd: odd(), gone: odd({ dies: 'No token' }) })
    await rig.connected('odd')
    await until(() => rig.server('gone').lastError !== undefined)
    const { servers } = (await rpc(rig, 'mcp:list')).data as {
      servers: (Record<string, unknown> & { tools: unknown[] })[]
    }
    expect(servers[0])
      .to.include({ name: 'odd', transport: 'stdio', connected: true, toolCount: 10, since: rig.clock.now() })
      .and.to.not.have.any.keys('lastError', 'nextTryAt')
    expect(servers[0]?.tools[1]).to.deep.equal({ name: 'die', description: 'Does die', held: false })
    expect(servers[1])
      .to.include({ name: 'gone', connected: false, toolCount: 0 })
      .and.to.have.property('nextTryAt')
      .above(rig.clock.now())
    expect(servers[1]?.['lastError']).to.equal('the process ended with code 3: No token')
    expect((await get(rig, 'introspection/mcp')).data['items']).to.deep.equal([
      { name: 'gone', connected: false, toolCount: 0 },
      { name: 'odd', connected: true, toolCount: 10 },
    ])
    const metrics = (await get(rig, 'metrics')).text
    expect(metrics)
      .to.include('mcp_server_connected{server="odd"} 1')
      .and.include('mcp_server_connected{server="gone"} 0')
      .and.include('mcp_tools{server="odd",state="usable"} 10')
    const ready = (await get(rig, 'ready')).text
    expect(ready).to.match(/"mcp":\{"status":"degraded","reason":"gone: the process ended with code 3/)
    expect((await rpc(rig, 'mcp:restart', { name: 'odd' })).data).to.deep.equal({ success: true })
    expect(await rig.text('odd', 'lists')).to.equal('1')
    expect((await rpc(rig, 'mcp:restart', { name: 'gone' })).data).to.deep.equal({ success: false })
    const unknown = await rpc(rig, 'mcp:restart', { name: 'od' })
    expect(unknown.text).to.include('There is no MCP server od; did you mean odd?')
  })

  it('lists the tools that cannot be used, with the reasons', async () => {
    const rig = await start({
      odd: odd({ tools: [{ name: 'ask', inputSchema: { type: 'Person' } }, { name: 'fine' }] }),
      whole: odd(),
    })
    await Promise.all(['odd', 'whole'].map((name) => rig.connected(name)))
    const { servers } = (await rpc(rig, 'mcp:list')).data as { servers: Record<string, unknown>[] }
    const reason = 'has a schema that cannot be used: type is "Person", which is not a type'
    expect(servers[0]).to.include({ toolCount: 11, lastError: `ask ${reason}` })
    expect(servers[0]?.['leftOut']).to.deep.equal([{ name: 'ask', reason }])
    expect(servers[1]).to.not.have.any.keys('leftOut', 'lastError')
  })

  it('accepts held tools by a command of privileged users', async () => {
    const rig = await start({ odd: odd({ tools: [{ name: 'door', description: 'Opens' }] }) })
    await rig.connected('odd')
    expect(await ask('/mcp accept odd')).to.equal('odd has no tool that is held back.')
    await rig.servers.call('odd', 'change', { tools: [{ name: 'door', description: 'Opens all' }] })
    await rig.passes(() => !rig.tools.includes('odd__door'))
    expect(await ask('/mcp')).to.equal('● odd, 10 tools\nTools changed and are held back until /mcp accept: odd (1)')
    expect(await ask('/mcp accept odd', 'stranger')).to.not.include('accepted')
    expect(rig.tools).to.not.include('odd__door')
    expect(await ask('/mcp accept odd')).to.equal('1 tool of odd accepted.')
    expect(rig.tools).to.include('odd__door')
    expect(await ask('/mcp accept nothing')).to.include('There is no MCP server nothing')
    expect(await ask('/mcp od')).to.equal('● odd, 11 tools')
  })

  it('does not load the protocol without servers', async () => {
    const rig = await start({})
    expect((await get(rig, 'introspection/mcp')).data).to.include({
      total: 0,
      note: 'No MCP server is configured: add one under ai.mcpServers',
    })
    expect((await rpc(rig, 'mcp:list')).data).to.deep.equal({ servers: [] })
    expect(rig.clock.pending).to.equal(0)
  })
})
