import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { HostPaths, type AnyPlugin, type Host } from '@mynah/kernel'
import { startHost, until } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import { Chat, type Content, type Receipt } from '@mynah/plugin-chat/api'
import database from '@mynah/plugin-database'
import inbox from '@mynah/plugin-inbox'
import telegram from '../index.js'
import { BotApi, TOKEN } from './bot-api.js'

const plain = (plugin: unknown): AnyPlugin => plugin as AnyPlugin
const OLD = -4_001
const NEW = -1_001_557_912_345

describe('A group of Telegram that became a supergroup', () => {
  let api: BotApi
  let root = ''
  let host: Host | undefined
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'mynah-migration-'))
    api = await BotApi.start()
    api.record()
    api.on('sendMessage', ({ payload }) =>
      payload.chat_id === OLD
        ? {
            status: 400,
            description: 'Bad Request: group chat was upgraded to a supergroup chat',
            parameters: { migrate_to_chat_id: NEW },
          }
        : { result: { message_id: 5, date: 1, chat: { id: payload.chat_id, type: 'supergroup' } } },
    )
    api.on('editMessageText', () => ({ result: true }))
  })
  afterEach(async () => {
    await host?.stop()
    await api.stop()
    await rm(root, { recursive: true, force: true })
  })

  async function start(): Promise<Chat> {
    const { host: started } = await startHost(
      [
        plain(database),
        plain(inbox),
        {
          plugin: plain(chat),
          config: { endpoints: [{ adapter: 'telegram', id: 'bot', token: TOKEN, apiRoot: api.root }] },
        },
        plain(telegram),
      ],
      { services: [[HostPaths, { root, data: join(root, 'data') }]] },
    )
    host = started
    await until(() => started.get(Chat)?.online() === 1, 'the bot to be online')
    return started.get(Chat) as Chat
  }
  const target = { type: 'group', id: String(OLD) } as const
  const send = (to: Chat, content: Content): Promise<Receipt> => to.send('telegram', 'bot', target, content)
  const sent = () => api.called('sendMessage').map(({ payload }) => [payload.chat_id, payload.text])

  it('gets what is being sent under its new id, and asks for it once, also after a restart', async () => {
    const first = await start()
    expect((await send(first, 'one')).messageId).to.equal(`${NEW}:5`)
    await send(first, 'two')
    await host?.stop()
    await send(await start(), 'three')
    expect(sent()).to.deep.equal([
      [OLD, 'one'],
      [NEW, 'one'],
      [NEW, 'two'],
      [NEW, 'three'],
    ])
  })

  it('is known by its own report, which comes twice', async () => {
    const now = await start()
    const old = { id: OLD, type: 'group', title: 'Tea' }
    const supergroup = { id: NEW, type: 'supergroup', title: 'Tea' }
    const from = { id: 7, is_bot: false, first_name: 'Alice' }
    api.push({ message: { message_id: 1, date: 1, chat: old, from, migrate_to_chat_id: NEW } } as never)
    api.push({ message: { message_id: 1, date: 1, chat: supergroup, from, migrate_from_chat_id: OLD } } as never)
    const { last } = api
    await until(() => api.offsets.some((offset) => offset > (last?.update_id ?? Infinity)), 'both reports to be taken')
    await send(now, 'one')
    expect(sent()).to.deep.equal([[NEW, 'one']])
  })

  it('has the edits of what was sent to it', async () => {
    const now = await start()
    const draft = await now.draft('telegram', 'bot', target, { key: 'turn/1' })
    draft?.update('Hel')
    await until(() => draft?.messageId !== undefined, 'the beginning to be sent')
    await draft?.end('Hello')
    const [edit] = api.called('editMessageText')
    expect(edit?.payload).to.include({ chat_id: NEW, message_id: 5, text: 'Hello' })
  })

  it('that moves on and on is refused after one try', async () => {
    api.on('sendMessage', ({ payload }) => ({
      status: 400,
      description: 'Bad Request: group chat was upgraded to a supergroup chat',
      parameters: { migrate_to_chat_id: Number(payload.chat_id) - 1 },
    }))
    const now = await start()
    const error = await send(now, 'one').then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).to.include({ code: 'invalid_request' })
    expect(sent()).to.have.length(2)
  })
})
