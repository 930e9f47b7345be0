import { expect } from 'chai'
import type { AnyPlugin } from '@mynah/kernel'
import consoleRpc from '@mynah/plugin-console-rpc'
import { Type } from '@mynah/contract/type'
import { defineTool } from '@mynah/plugin-ai/api'
import { publish } from '@mynah/plugin-events/api'
import httpCore from '@mynah/plugin-http-core'
import { Http, readinessChecks } from '@mynah/plugin-http-core/api'
import introspection from '@mynah/plugin-introspection'
import { eachTest, said, until, type Options, type Rig, type Script } from '../test/support.js'

const TOKEN = 'a-token-for-the-tests-of-the-agent'
const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
const KEY = 'test|one|private|owner'
const owner = { sender: { id: 'owner', name: 'Owner' }, channel: { type: 'private', id: 'owner' } } as const

describe('commands and RPC of the agent', () => {
  const rigs = eachTest()
  const events: string[] = []
  async function start(script: Script, config: Record<string, unknown> = {}): Promise<Rig> {
    events.length = 0
    return rigs.start(script, seen(config))
  }
  function seen(config: Record<string, unknown> = {}, more: Partial<Options> = {}): Options {
    return {
      database: true,
      config,
      ...more,
      plugins: [
        { plugin: httpCore as unknown as AnyPlugin, config: { port: 0, token: TOKEN } },
        consoleRpc as unknown as AnyPlugin,
        introspection as unknown as AnyPlugin,
      ],
      setup: (ctx) => {
        ctx.on(publish, ({ type, data }) => {
          if (type.startsWith('agent:'))
            events.push(
              `${type} ${(data as { what?: string; state?: string }).what ?? (data as { state?: string }).state}`,
            )
        })
      },
    }
  }
  async function get(
    rig: Rig,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: { data: Record<string, never>; error?: string } }> {
    const response = await fetch(`${rig.host.get(Http)?.origin}/api/${path}`, {
      headers,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as never }
  }
  const rpc = async (rig: Rig, type: string, params: object = {}) =>
    (await get(rig, 'console/request', { type, requestId: 1, ...params })).body.data as Record<string, unknown>

  it('returns its bindings and tools, also without servers', async () => {
    const rig = await start([], {
      'ai.agents': { main: { provider: 'script', model: 'scripted' }, vision: { match: { hasMedia: ['image'] } } },
    })
    const bindings = (await get(rig, 'introspection/bindings')).body.data as { items?: unknown }
    expect(bindings.items).to.deep.equal([
      { name: 'main', provider: 'script', model: 'scripted', mcpServers: [], hasAgentFile: false },
      { name: 'vision', provider: 'script', model: 'scripted', mcpServers: [], hasAgentFile: false },
    ])
    expect(
      ((await get(rig, 'introspection/tools')).body.data as { items?: { name: string }[] }).items?.map(
        ({ name }) => name,
      ),
    ).to.deep.equal(['ask_user', 'chat_history', 'tool_search'])
    const mcp = await get(rig, 'introspection/mcp')
    expect(mcp.status).to.equal(200)
    expect(mcp.body.data).to.include({ total: 0, note: 'MCP is not initialised: the plugin mcp is not running' })
  })

  it('shows the tree of a session and moves its leaf', async () => {
    const rig = await start(['one', 'two'])
    await rig.say('first question', owner)
    await rig.say('second question', owner)
    const path = `agent/sessions/${encodeURIComponent(KEY)}`
    const { points, activeLeafMessageId } = (await get(rig, `${path}/tree`)).body.data as unknown as {
      points: { index: number; messageId: number; preview: string }[]
      activeLeafMessageId: null
    }
    expect(points.map(({ index, preview }) => [index, preview])).to.deep.equal([
      [1, 'first question'],
      [2, 'second question'],
    ])
    expect(activeLeafMessageId).to.equal(null)
    const moved = await get(rig, `${path}/leaf`, { index: 1 })
    expect(moved.body.data).to.include({ sessionKey: KEY, activeLeafMessageId: points[0]?.messageId })
    expect((await get(rig, `${path}/leaf`, { index: 7 })).status).to.equal(400)
    expect((await get(rig, `${path}/leaf`, {})).status).to.equal(400)
    expect((await get(rig, 'agent/sessions/nobody/tree')).status).to.equal(404)
    expect(events).to.include('agent:session leaf')
  })

  it('lists sessions, their entries, branches, turns and usage', async () => {
    const rig = await start(['one', 'two'])
    await rig.say('hello', owner)
    const sessions = (await rpc(rig, 'agent:sessions', { filter: 'owner' })) as {
      sessions?: Record<string, unknown>[]
      total?: number
    }
    expect(sessions.total).to.equal(1)
    expect(sessions.sessions?.[0]).to.include({
      sessionKey: KEY,
      state: 'active',
      adapter: 'test',
      endpointId: 'one',
      messages: 2,
      title: 'Owner',
    })
    const session = (await rpc(rig, 'agent:session', { sessionKey: KEY })) as {
      entries: { kind: string; role?: string; content: unknown; sender?: unknown }[]
    }
    expect(
      session.entries.map(({ kind, role, content }) => [
        kind,
        role,
        typeof content === 'string' ? content.slice(0, 5) : content,
      ]),
    ).to.deep.equal([
      ['message', 'assistant', [{ type: 'text', text: 'one' }]],
      ['message', 'user', 'hello'],
      ['head', 'system', '3 too'],
    ])
    expect(((await rpc(rig, 'agent:branches', { sessionKey: KEY })) as { leaves: unknown[] }).leaves).to.have.length(1)
    const { turns } = (await rpc(rig, 'agent:turns')) as { turns: Record<string, unknown>[] }
    expect(turns[0]).to.include({ sessionKey: KEY, state: 'done', model: 'script:scripted' })
    await until(async () => ((await rpc(rig, 'agent:usage')) as { days: unknown[] }).days.length === 1)
    expect(((await rpc(rig, 'agent:usage')) as { days: Record<string, unknown>[] }).days[0]).to.include({
      provider: 'script',
      model: 'scripted',
      calls: 1,
      input: 10,
      output: 5,
    })
    expect(events).to.include.members([
      'agent:session new',
      'agent:turn queued',
      'agent:turn running',
      'agent:turn delivering',
      'agent:turn done',
    ])
    expect(JSON.stringify(await rpc(rig, 'agent:export', { sessionKey: KEY }))).to.include('Safety')
  })

  it('reports the parts of a request, and the tokens of each server’s tools', async () => {
    const tool = (name: string, source?: string) =>
      defineTool({
        name,
        description: `does ${name} ${'x'.repeat(400)}`,
        parameters: Type.Object({}),
        ...(source ? { source } : {}),
        run: () => 'done',
      })
    const rig = await rigs.start(['hello'], { tools: [tool('own'), tool('far__one', 'far'), tool('far__two', 'far')] })
    await rig.say('hello')
    const lines = (await rig.say('/context')).join('\n')
    expect(lines).to.match(/messages of users: 1, about \d+ tokens/)
    expect(lines).to.match(/ {2}Style: [\d,]+ bytes, about [\d,]+ tokens/)
    const [, tools = '', server = ''] =
      /tools: \d+, about ([\d,]+) tokens\n {4}of the MCP server far: 2, about ([\d,]+) tokens/.exec(lines) ?? []
    expect(Number(server.replace(',', ''))).to.be.within(200, Number(tools.replace(',', '')))
  })

  it('rejects an entry that does not exist', async () => {
    const rig = await start(() => 'ok')
    await rig.say('hello', owner)
    for (const [leaf, code] of [
      [99, 'not_found'],
      [0, 'not_found'],
      [-1, 'invalid_request'],
      [1e300, 'invalid_request'],
    ] as const) {
      expect(
        await get(rig, 'console/request', { type: 'agent:session', requestId: 1, sessionKey: KEY, leaf }),
        String(leaf),
      )
        .to.deep.include({ status: 400 })
        .and.have.nested.property('body.code', code)
    }
    expect((await get(rig, `agent/sessions/${encodeURIComponent(KEY)}/leaf`, { messageId: 1e300 })).status).to.equal(
      400,
    )
  })

  it('reports the health of each part, with the reason of a failure', async () => {
    const rig = await rigs.start(['hello'], {
      ...seen(),
      setup: (ctx) =>
        void ctx.contribute(readinessChecks, {
          name: 'mcp',
          check: () => ({ status: 'degraded', reason: 'far: connection refused' }),
        }),
    })
    expect((await rig.say('/health', owner)).join('\n').split('\n')).to.deep.equal([
      'model script: ready',
      'MCP: degraded, far: connection refused',
      'jobs: the plugin cron is not enabled',
      'database: ok; sessions are stored',
      'all plugins run',
    ])
    const bare = await rigs.start(['hello'])
    expect((await bare.say('/health', owner)).join('\n'))
      .to.include('MCP: the plugin mcp is not enabled')
      .and.include('database: sessions are kept in memory')
  })

  it('lets the console answer a question and stop a turn', async () => {
    const rig = await start([
      { calls: [{ name: 'ask_user', input: { question: 'Which?', choices: ['red', 'blue'] } }] },
      'Blue.',
      { text: 'never', hold: new Promise(() => {}) },
    ])
    const id = await rig.hear('choose', owner)
    let waiting: { id: string; text?: string } | undefined
    await until(async () => {
      const { turns } = (await rpc(rig, 'agent:turns', { active: true })) as {
        turns: { waitingFor?: { id: string; text?: string } }[]
      }
      waiting = turns[0]?.waitingFor
      return waiting?.text !== undefined
    })
    expect(waiting).to.deep.include({ kind: 'question', text: 'Which?', choices: ['red', 'blue'] })
    await rpc(rig, 'agent:answer', { id: waiting?.id, text: '2' })
    await rig.ended(id)
    expect(rig.texts.at(-1)).to.equal('Blue.')
    const second = await rig.hear('go on', owner)
    await until(() => rig.models.requests.length === 3)
    const { turns } = (await rpc(rig, 'agent:turns', { active: true })) as { turns: { id: string }[] }
    await rpc(rig, 'agent:stop', { turnId: turns[0]?.id })
    await rig.ended(second)
    expect(rig.texts.at(-1)).to.equal('Stopped.')
  })

  it('keeps an answer of the console over a restart, and does not ask again', async () => {
    let hold = true
    const tool = defineTool({
      name: 'paint',
      description: 'Paints',
      parameters: Type.Object({}),
      effect: 'repeatable',
      run: async (_, call) => {
        const colour = await call.ask('Which?')
        if (hold) await new Promise(() => {})
        return `painted ${colour}`
      },
    })
    const options = seen({}, { tools: [tool] })
    const first = await rigs.start([{ calls: [{ name: 'paint', input: {} }] }], options)
    await first.hear('paint', owner)
    await until(() => first.texts.length === 1)
    const {
      turns: [turn],
    } = (await rpc(first, 'agent:turns', { active: true })) as unknown as { turns: { waitingFor: { id: string } }[] }
    expect((await rpc(first, 'agent:answer', { id: turn?.waitingFor.id, text: 'blue' })).success).to.equal(true)
    hold = false
    const second = await rigs.follow(first, ['There.'], options)
    await until(() => second.texts.length === 1)
    expect(said(second.models.requests[0]).at(-1)).to.equal('tool: result painted blue')
  })
})
