import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { HostPaths, type AnyPlugin, type Host, type PluginEntry } from '@mynah/kernel'
import { startHost, until } from '@mynah/kernel/testing'
import sandbox from '@mynah/plugin-adapter-sandbox'
import chat from '@mynah/plugin-chat'
import { Chat } from '@mynah/plugin-chat/api'
import consoleRpc from '@mynah/plugin-console-rpc'
import database from '@mynah/plugin-database'
import events from '@mynah/plugin-events'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import inbox from '@mynah/plugin-inbox'

const TOKEN = 'owner-token-93f1c2'
const crew = { type: 'group', id: 'crew', name: 'The crew' } as const

describe('Groups of the sandbox', () => {
  let data: string
  let host: Host

  const start = async (): Promise<void> => {
    const plugins = [consoleRpc, events, database, inbox, sandbox] as unknown as AnyPlugin[]
    const configured = [
      { plugin: httpCore, config: { port: 0, token: TOKEN } },
      { plugin: chat, config: { endpoints: [{ adapter: 'sandbox', id: 'bot' }] } },
    ] as unknown as PluginEntry[]
    ;({ host } = await startHost([...plugins, ...configured], { services: [[HostPaths, { root: data, data }]] }))
    await until(() => host.get(Chat)?.online() === 1)
  }
  const restart = async (): Promise<void> => {
    await host.stop()
    await start()
  }
  async function call<T>(type: string, fields: Record<string, unknown> = {}): Promise<T> {
    const response = await fetch(`${host.get(Http)?.origin}/api/console/request`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ type, data: { adapter: 'sandbox', endpointId: 'bot', ...fields } }),
    })
    const answer = (await response.json()) as { data: T; error?: string }
    expect(answer.error).to.equal(undefined)
    return answer.data
  }
  const say = (): Promise<unknown> =>
    call('sandbox:send', { channel: crew, sender: { id: 'dave', name: 'Dave' }, content: 'hello' })

  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'mynah-sandbox-'))
    await start()
  })
  afterEach(async () => {
    await host.stop()
    await rm(data, { recursive: true, force: true })
  })

  it('take what waited for them over a restart', async () => {
    await say()
    await restart()
    const sent = await (host.get(Chat) as Chat).send('sandbox', 'bot', crew, 'here is your answer', { key: 'turn/1' })
    expect(sent.messageId).to.not.equal('')
    const { messages } = await call<{ messages: { text: string }[] }>('sandbox:history', { channel: crew })
    expect(messages.map(({ text }) => text)).to.deep.equal(['hello', 'here is your answer'])
  })

  it('are listed after a restart, with the users who wrote in them', async () => {
    await say()
    await restart()
    const { groups } = await call<{ groups: { id: string; name: string }[] }>('endpoint:groups')
    expect(groups.map(({ id }) => id)).to.deep.equal(['lobby', 'crew'])
    const { members } = await call<{ members: { id: string; name: string }[] }>('endpoint:groupMembers', {
      groupId: 'crew',
    })
    expect(members).to.deep.include({ id: 'dave', name: 'Dave', role: 'member' })
  })

  it('keep out who was removed until the host stops', async () => {
    await say()
    await restart()
    await call('endpoint:groupKick', { groupId: 'crew', userId: 'dave' })
    await call('endpoint:groups')
    const { members } = await call<{ members: { id: string }[] }>('endpoint:groupMembers', { groupId: 'crew' })
    expect(members.map(({ id }) => id)).to.not.include('dave')
  })

  it('do not exist because something was sent to them', async () => {
    const nowhere = { type: 'group', id: 'nowhere' } as const
    const send = (): Promise<unknown> =>
      (host.get(Chat) as Chat).send('sandbox', 'bot', nowhere, 'x').then(
        () => 'sent',
        (error: { code: string }) => error.code,
      )
    expect(await send()).to.equal('invalid_request')
    await restart()
    expect(await send()).to.equal('invalid_request')
  })

  it('can be joined by a request from before the restart, once', async () => {
    const { id } = await call<{ id: string }>('sandbox:request', {
      kind: 'group-invite',
      sender: { id: 'dave' },
      channel: { type: 'group', id: 'club' },
    })
    await restart()
    await call('endpoint:requestApprove', { requestId: id })
    for (let starts = 0; starts < 2; starts++) {
      const { groups } = await call<{ groups: { id: string }[] }>('endpoint:groups')
      expect(groups.map((group) => group.id)).to.include('club')
      await restart()
    }
  })
})
