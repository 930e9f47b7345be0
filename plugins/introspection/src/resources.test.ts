import { expect } from 'chai'
import { createHost, definePlugin, type AnyPlugin, type Host } from '@mynah/kernel'
import { until } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import { adapters, commands, defineAdapter, defineCommand, type EndpointHandle } from '@mynah/plugin-chat/api'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import { introspectionSources } from './api.js'
import { filterAndPage } from './commands.js'
import introspection from './index.js'

const TOKEN = 'owner-token-6c20d8'

describe('Resources', () => {
  let host: Host | undefined
  let account: EndpointHandle | undefined
  const waiting: ((text: string) => void)[] = []
  afterEach(async () => {
    await host?.stop()
    host = undefined
    account = undefined
  })

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
            send: async (_target, { text }) => waiting.shift()?.(text),
          }),
        }),
      )
      for (let index = 0; index < 30; index++)
        ctx.contribute(
          commands,
          defineCommand({
            name: `item${String(index).padStart(2, '0')}`,
            description: index === 7 ? 'Lucky' : 'Plain',
            run: () => {},
          }),
        )
      ctx.contribute(introspectionSources, {
        resource: 'tools',
        items: () =>
          [
            { name: 'beta', description: 'second' },
            { name: 'alpha', description: 'first', source: 'x' },
          ] as never,
        note: () => 'a note',
      })
    },
  })

  async function start(withChat = true): Promise<void> {
    const plugins = [
      { plugin: httpCore, config: { port: 0, token: TOKEN } },
      { plugin: introspection },
      ...(withChat
        ? [
            {
              plugin: chat,
              config: { endpoints: [{ adapter: 'test', id: 'one', master: 'owner', trusted: 'friend' }] },
            },
            { plugin: platform },
          ]
        : []),
    ]
    host = await createHost(plugins as unknown as { plugin: AnyPlugin }[], { log: () => {} }).start()
    await until(() => !withChat || account !== undefined)
  }
  async function get(path: string): Promise<{
    status: number
    body: { data: { items: Record<string, unknown>[]; [key: string]: unknown }; error?: string }
  }> {
    const response = await fetch(`${host?.get(Http)?.origin}/api/${path}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    return { status: response.status, body: (await response.json()) as never }
  }
  let next = 0
  async function ask(content: string, sender = 'owner', locale: 'en' | 'zh-CN' = 'en'): Promise<string> {
    const answer = new Promise<string>((resolve) => {
      waiting.push(resolve)
    })
    await account?.receive({
      id: `q${next++}`,
      channel: { type: 'private', id: sender },
      sender: { id: sender, locale },
      content,
    })
    return answer
  }

  it('pages and filters', async () => {
    await start()
    const {
      status,
      body: { data },
    } = await get('introspection/commands?page=2&pageSize=10&filter=ITEM')
    expect(status).to.equal(200)
    expect(data).to.include({ page: 2, pageSize: 10, total: 30, totalPages: 3, filter: 'ITEM' })
    expect(data.items[0]).to.include({ pattern: '/item10', desc: 'Plain', plugin: 'test-platform' })
    expect(
      (await get('introspection/commands?filter=lucky')).body.data.items.map(({ pattern }) => pattern),
    ).to.deep.equal(['/item07'])
    expect((await get('introspection/commands?page=99')).body.data.items).to.deep.equal([])
    const { items } = (await get('introspection/endpoints')).body.data
    expect(items).to.have.length(1)
    expect(items[0]).to.include({ adapter: 'test', name: 'one', online: true })
    expect((await get('introspection/tools')).body.data).to.deep.include({ note: 'a note', total: 2 })
  })

  it('rejects invalid pages', async () => {
    await start()
    for (const query of ['page=0', 'page=x', 'pageSize=0', 'pageSize=100000'])
      expect((await get(`introspection/commands?${query}`)).status, query).to.equal(400)
  })

  it('reports what is not ready with an empty page', async () => {
    await start()
    const { status, body } = await get('introspection/mcp')
    expect(status).to.equal(503)
    expect(body.data).to.include({ total: 0, totalPages: 0, page: 1 }).and.to.have.deep.property('items', [])
    expect((await get('agent/sessions/x/tree')).status).to.equal(503)
    await host?.stop()
    account = undefined
    await start(false)
    for (const resource of ['commands', 'endpoints', 'bindings', 'tools', 'mcp'])
      expect((await get(`introspection/${resource}`)).status, resource).to.equal(503)
  })

  it('answers in chat to masters and trusted users only', async () => {
    await start()
    expect(await ask('/cmd lucky')).to.equal('/item07 – Lucky (test-platform)')
    expect(await ask('/cmd item 2', 'friend')).to.contain('page 2 of')
    expect(await ask('/endpoints', 'owner', 'zh-CN')).to.equal('● test/one')
    expect(await ask('/tools')).to.equal('alpha [x] – first\nbeta – second\na note')
    expect(await ask('/mcp')).to.contain('cannot be done at the moment')
    expect(await ask('/cmd nothing like it')).to.equal('Nothing there.')
    for (const command of ['/cmd', '/endpoints', '/bindings', '/tools', '/mcp'])
      expect(await ask(command, 'stranger')).to.contain('for my owner')
  })

  it('answers since when the host runs', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000
    await start()
    const after = Date.now()
    const since = /^The host has been running since (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC\.$/.exec(
      await ask('/uptime', 'friend'),
    )
    expect(Date.parse(`${since?.[1]}T${since?.[2]}Z`)).to.be.within(before, after)
    expect(await ask('/uptime', 'owner', 'zh-CN')).to.equal(`主机自 ${since?.[1]} ${since?.[2]} UTC 起运行。`)
    expect(await ask('/uptime', 'stranger')).to.contain('for my owner')
  })

  it('parses a last word of digits as the page', () => {
    expect(filterAndPage(undefined)).to.deep.equal({})
    expect(filterAndPage('3')).to.deep.equal({ page: 3 })
    expect(filterAndPage('note add 12')).to.deep.equal({ filter: 'note add', page: 12 })
    expect(filterAndPage('v2')).to.deep.equal({ filter: 'v2' })
  })
})
