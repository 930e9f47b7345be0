import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { definePlugin, HostPaths, type AnyPlugin, type Host } from '@mynah/kernel'
import { startHost } from '@mynah/kernel/testing'
import adapterSandbox from '@mynah/plugin-adapter-sandbox'
import chat from '@mynah/plugin-chat'
import { middlewares } from '@mynah/plugin-chat/api'
import consoleRpc from '@mynah/plugin-console-rpc'
import database from '@mynah/plugin-database'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import { until } from '@mynah/plugin-database/testing'
import inbox from '../index.js'

const TOKEN = 'a-token-for-the-tests-of-the-inbox'
const NOTES = new URL('../../../../examples/starter/plugins/notes/index.js', import.meta.url)
const at = { adapter: 'sandbox', endpointId: 'bot' }

interface Started {
  readonly host: Host
  readonly handled: string[]
  rpc(type: string, params?: Record<string, unknown>): Promise<Record<string, never>>
}

describe('inbox in a host', () => {
  let data: string
  const hosts: Host[] = []
  before(async () => {
    data = await mkdtemp(join(tmpdir(), 'mynah-inbox-'))
  })
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.stop()
  })
  after(() => rm(data, { recursive: true, force: true }))

  async function start(): Promise<Started> {
    const notes = ((await import(NOTES.href)) as { default: AnyPlugin }).default
    const handled: string[] = []
    const watcher = definePlugin({
      name: 'watcher',
      setup(ctx) {
        ctx.contribute(middlewares, {
          name: 'watcher',
          async handle(message, next) {
            handled.push(message.id)
            await next()
          },
        })
      },
    })
    const { host } = await startHost(
      [
        { plugin: httpCore, config: { port: 0, token: TOKEN } },
        { plugin: consoleRpc },
        { plugin: database },
        { plugin: inbox },
        { plugin: chat, config: { endpoints: [{ adapter: 'sandbox', id: 'bot' }] } },
        { plugin: adapterSandbox },
        { plugin: notes },
        { plugin: watcher },
      ],
      { services: [[HostPaths, { root: data, data }]] },
    )
    hosts.push(host)
    const rpc = async (type: string, params: Record<string, unknown> = {}) => {
      const response = await fetch(`${host.get(Http)?.origin}/api/console/request`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ type, ...params }),
      })
      const reply = (await response.json()) as { success: boolean; error?: string; data: Record<string, never> }
      expect(reply.success, `${type}: ${reply.error}`).to.equal(true)
      return reply.data
    }
    await until(
      async () =>
        ((await rpc('endpoint:list')) as unknown as { endpoints: { connected: boolean }[] }).endpoints[0]?.connected ??
        false,
    )
    return { host, handled, rpc }
  }

  const say = async ({ rpc }: Started, text: string, messageId?: string): Promise<string | undefined> => {
    const channel = { type: 'private', id: 'ann' }
    const read = async (): Promise<{ text: string }[]> => {
      const { messages } = await rpc('sandbox:history', { data: { endpointId: 'bot', channel } })
      return messages as unknown as { text: string }[]
    }
    const before = (await read()).length
    await rpc('sandbox:send', {
      data: {
        endpointId: 'bot',
        channel,
        sender: { id: 'ann', name: 'Ann' },
        content: text,
        ...(messageId ? { messageId } : {}),
      },
    })
    let history: { text: string }[] = []
    await until(async () => (history = await read()).length >= before + 2)
    return history.at(-1)?.text
  }

  it('answers, stores both sides, and shows them after a restart', async () => {
    const first = await start()
    expect(await say(first, '/note add buy milk', 'm1')).to.equal('Noted: buy milk')
    expect(await say(first, '/note add call Bob')).to.equal('Noted: call Bob')
    expect(await say(first, '/note list')).to.equal('1. buy milk (Ann)\n2. call Bob (Ann)')
    expect(await say(first, '/note remove 1')).to.equal('Removed: buy milk')
    expect(await say(first, '/note remove 7')).to.equal('There is no note 7.')
    await first.host.stop()

    const second = await start()
    const { messages, total } = (await second.rpc('endpoint:inboxMessages', {
      data: { ...at, limit: 3 },
    })) as unknown as { messages: { direction: string; text: string; messageId: string }[]; total: number }
    expect(total).to.equal(10)
    expect(messages.map(({ direction, text }) => [direction, text])).to.deep.equal([
      ['out', 'There is no note 7.'],
      ['in', '/note remove 7'],
      ['out', 'Removed: buy milk'],
    ])
    expect(messages.every(({ messageId }) => messageId !== '')).to.equal(true)
    const { endpoints } = (await second.rpc('endpoint:list')) as unknown as { endpoints: { unread: unknown }[] }
    expect(endpoints[0]?.unread).to.deep.equal({ messages: 5, requests: 0, notices: 0 })
    expect(await say(second, '/note list')).to.equal('1. call Bob (Ann)')
  })

  it('handles a message once, though it is delivered again after a restart', async () => {
    const again = await start()
    await again.rpc('sandbox:send', {
      data: {
        endpointId: 'bot',
        channel: { type: 'private', id: 'ann' },
        sender: { id: 'ann', name: 'Ann' },
        content: '/note add buy milk',
        messageId: 'm1',
      },
    })
    expect(await say(again, '/note list', 'm2')).to.equal('1. call Bob (Ann)')
    expect(again.handled).to.deep.equal(['m2'])
  })

  it('shows notes and their settings in the database browser, writable', async () => {
    const { rpc } = await start()
    const { tables } = (await rpc('db:tables')) as unknown as {
      tables: { name: string; kind: string; writable: boolean }[]
    }
    const found = (name: string) => tables.find((table) => table.name === name)
    expect([found('notes'), found('settings')]).to.deep.equal([
      { name: 'notes', kind: 'document', writable: true },
      { name: 'settings', kind: 'keyvalue', writable: true },
    ])
    expect(found('message')).to.deep.include({ kind: 'related', writable: false })
    expect(await rpc('db:kv:get', { table: 'settings', key: 'notes.limit' })).to.deep.equal({
      key: 'notes.limit',
      value: 10,
    })
    const { rows } = (await rpc('db:select', { table: 'notes' })) as unknown as { rows: { text: string }[] }
    expect(rows.map(({ text }) => text)).to.deep.equal(['call Bob'])
  })
})
