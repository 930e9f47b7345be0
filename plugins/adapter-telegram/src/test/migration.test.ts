import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { definePlugin, type AnyPlugin, type Host } from '@mynah/kernel'
import { until } from '@mynah/kernel/testing'
import { Chat, commands, defineCommand, type Content, type Receipt } from '@mynah/plugin-chat/api'
import { BotApi } from './bot-api.js'
import { startStoringHost } from './telegram-host.js'

const OLD = -4_001
const NEW = -1_001_557_912_345
const GROUP = { id: OLD, type: 'group', title: 'Tea' }
const SUPERGROUP = { id: NEW, type: 'supergroup', title: 'Tea' }
const ALICE = { id: 7, is_bot: false, first_name: 'Alice' }

/** Says by which id the host knows a channel. */
const where = definePlugin({
  name: 'where',
  setup(ctx) {
    ctx.contribute(
      commands,
      defineCommand({
        name: 'where',
        description: 'Says where it is',
        run: ({ message: { channel } }) => `in ${channel.id}${channel.parent ? ` of ${channel.parent.id}` : ''}`,
      }),
    )
  },
})

describe('A group of Telegram that became a supergroup', () => {
  let api: BotApi
  let root = ''
  let host: Host | undefined
  let said = 0
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
    host = await startStoringHost(api, root, where as AnyPlugin)
    return host.get(Chat) as Chat
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
    becomes()
    const { last } = api
    await until(() => api.offsets.some((offset) => offset > (last?.update_id ?? Infinity)), 'both reports to be taken')
    await send(now, 'one')
    expect(sent()).to.deep.equal([[NEW, 'one']])
  })

  const hear = (chat: object, text: string, more: object = {}): void =>
    api.push({ message: { message_id: ++said, date: 2, chat, from: ALICE, text, ...more } } as never)
  const answers = async (count: number): Promise<unknown[]> => {
    await until(() => sent().length === count, `${count} answers`)
    return sent()
  }
  const becomes = (): void => {
    hear(GROUP, undefined as never, { migrate_to_chat_id: NEW })
    hear(SUPERGROUP, undefined as never, { migrate_from_chat_id: OLD })
  }

  it('is the same group for the host: what is said there goes on under the first id, also after a restart', async () => {
    api.on('sendMessage', ({ payload }) => ({ result: { message_id: 5, date: 1, chat: { id: payload.chat_id } } }))
    await start()
    hear(GROUP, '/where')
    expect(await answers(1)).to.deep.equal([[OLD, `in ${OLD}`]])
    becomes()
    hear(SUPERGROUP, '/where')
    expect((await answers(2)).at(-1)).to.deep.equal([NEW, `in ${OLD}`])
    await host?.stop()
    await start()
    hear(SUPERGROUP, '/where')
    expect((await answers(3)).at(-1)).to.deep.equal([NEW, `in ${OLD}`])
  })

  it('has its topics below its first id', async () => {
    api.on('sendMessage', ({ payload }) => ({ result: { message_id: 5, date: 1, chat: { id: payload.chat_id } } }))
    await start()
    becomes()
    hear(SUPERGROUP, '/where', { is_topic_message: true, message_thread_id: 42 })
    expect(await answers(1)).to.deep.equal([[NEW, `in ${OLD}:42 of ${OLD}`]])
    expect(api.called('sendMessage')[0]?.payload).to.include({ message_thread_id: 42 })
  })

  it('stays apart from a supergroup that the host knows already', async () => {
    const now = await start()
    hear(SUPERGROUP, '/where')
    expect(await answers(1)).to.deep.equal([[NEW, `in ${NEW}`]])
    await send(now, 'one')
    hear(SUPERGROUP, '/where')
    expect((await answers(4)).slice(1)).to.deep.equal([
      [OLD, 'one'],
      [NEW, 'one'],
      [NEW, `in ${NEW}`],
    ])
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
