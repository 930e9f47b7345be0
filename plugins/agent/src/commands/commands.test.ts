import { expect } from 'chai'
import type { AnyPlugin } from '@mynah/kernel'
import consoleRpc from '@mynah/plugin-console-rpc'
import { Type } from '@mynah/contract/type'
import { defineTool } from '@mynah/plugin-ai/api'
import { publish } from '@mynah/plugin-events/api'
import cron from '@mynah/plugin-cron'
import { Jobs } from '@mynah/plugin-cron/api'
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

  it('names what sessions are about, and finds what was said in them', async () => {
    const options = seen()
    const rig = await rigs.start((_, index) => `answer ${index + 1}`, {
      ...options,
      plugins: [...(options.plugins ?? []), cron as unknown as AnyPlugin],
    })
    await rig.say('Where is the  blue lamp?', owner)
    const jobs = rig.host.get(Jobs) as Jobs
    const { id } = await jobs.add({
      label: 'Evening round',
      trigger: { kind: 'im' },
      action: { kind: 'agent', prompt: 'look at the lamp' },
      notify: { channel: 'log' },
      creator: { kind: 'console' },
    })
    await jobs.run(id)
    await until(() => jobs.get(id)?.recent.at(-1)?.state === 'ok')
    const { sessions } = (await rpc(rig, 'agent:sessions')) as { sessions: Record<string, unknown>[] }
    expect(sessions.map(({ title, subject }) => [title, subject])).to.deep.equal([
      ['Evening round', 'Evening round'],
      ['Owner', 'Where is the blue lamp?'],
    ])
    const { found } = (await rpc(rig, 'agent:search', { text: 'LAMP' })) as { found: Record<string, unknown>[] }
    expect(found.map(({ sessionKey, subject, role, match }) => [sessionKey, subject, role, match])).to.deep.equal([
      [`job|${id}`, 'Evening round', 'user', 'lamp'],
      [KEY, 'Where is the blue lamp?', 'user', 'lamp'],
    ])
    expect(found[1]).to.deep.include({
      before: 'Where is the blue ',
      after: '?',
      sender: { id: 'owner', name: 'Owner' },
      title: 'Owner',
    })
    const place = (await rpc(rig, 'agent:session', { sessionKey: KEY, leaf: found[1]?.['entryId'] })) as {
      entries: { content: unknown }[]
    }
    expect(place.entries[0]?.content).to.equal('Where is the  blue lamp?')
    const first = (await rpc(rig, 'agent:search', { text: 'lamp', limit: 1 })) as { nextBefore: string }
    const rest = (await rpc(rig, 'agent:search', { text: 'lamp', before: first.nextBefore })) as typeof first & {
      found: { sessionKey: string }[]
    }
    expect(rest.found.map(({ sessionKey }) => sessionKey)).to.deep.equal([KEY])
    expect(rest.nextBefore).to.equal(undefined)
    for (const params of [{ text: ' ' }, { text: '' }, { text: 'x'.repeat(257) }, { text: 'a', before: 'nowhere' }])
      expect((await get(rig, 'console/request', { type: 'agent:search', requestId: 1, ...params })).status).to.equal(
        400,
      )
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

  it('shows the words of a turn that waits, and where on its path it waits, also after a restart', async () => {
    const words = `paint the garden fence, ${'and the gate '.repeat(20)}`.trim()
    const options = seen()
    const ask = { calls: [{ id: 'c1', name: 'ask_user', input: { question: 'Which?' } }] }
    const first = await rigs.start([ask], options)
    await first.hear(words, owner)
    await until(() => first.texts.length === 1)
    const waiting = async (rig: Rig): Promise<Record<string, unknown> | undefined> => {
      const { turns } = (await rpc(rig, 'agent:turns', { active: true })) as unknown as {
        turns: Record<string, unknown>[]
      }
      return turns.find(({ state }) => state === 'waiting')
    }
    const second = await rigs.follow(first, ['Done.'], options)
    await until(async () => (await waiting(second)) !== undefined)
    const turn = (await waiting(second)) ?? {}
    expect(turn).to.deep.include({ text: words, sessionKey: KEY })
    expect(turn['waitingFor']).to.deep.include({ kind: 'question', text: 'Which?', call: 'c1' })
    const { entries } = (await rpc(second, 'agent:session', {
      sessionKey: KEY,
      leaf: turn['entryId'],
    })) as unknown as {
      entries: { role?: string; content: unknown }[]
    }
    expect(entries.slice(0, 2).map(({ role }) => role)).to.deep.equal(['assistant', 'user'])
    expect(entries[1]?.content).to.equal(words)
    await rpc(second, 'agent:answer', { id: (turn['waitingFor'] as { id: string }).id, text: 'blue' })
    await until(() => second.texts.includes('Done.'))
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
