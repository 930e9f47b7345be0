import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { Chat, Image, type Draft } from '@mynah/plugin-chat/api'
import { TelegramHost } from './telegram-host.js'

const ann = { type: 'private', id: '7' } as const

describe('Edits on Telegram', () => {
  let telegramHost: TelegramHost
  before(async () => {
    telegramHost = await TelegramHost.start()
    await telegramHost.online()
  })
  beforeEach(() => telegramHost.api.record())
  after(() => telegramHost.stop())
  const chat = (): Chat => telegramHost.host.get(Chat) as Chat
  const { adapter, id } = { adapter: 'telegram', id: () => chat().endpoints()[0]?.name as string }

  /** Starts a message whose beginning is sent. */
  const sent = async (key: string, text: string): Promise<Draft> => {
    const draft = (await chat().draft(adapter, id(), ann, { key })) as Draft
    draft.update(text)
    await until(() => draft.messageId !== undefined)
    return draft
  }

  it('edits one message until the text is complete', async () => {
    const draft = await sent('turn/1', 'Hel')
    const receipt = await draft.end('Hello')
    expect(receipt.messageId).to.match(/^7:\d+$/)
    const calls = telegramHost.api.calls
      .filter(({ method }) => method === 'sendMessage' || method === 'editMessageText')
      .map(({ method, payload }) => [method, payload.text, payload.chat_id])
    expect(calls).to.deep.equal([
      ['sendMessage', 'Hel', 7],
      ['editMessageText', 'Hello', 7],
    ])
  })

  it('replaces a text by a new message where media must be added', async () => {
    telegramHost.api.on('sendPhoto', () => ({ result: { message_id: 900, chat: { id: 7, type: 'private' }, date: 1 } }))
    telegramHost.api.on('deleteMessage', () => ({ result: true }))
    const draft = await sent('turn/2', 'Hel')
    const { messageId } = draft
    expect((await draft.end([Image('https://example.com/a.png')])).messageId).to.equal('7:900')
    expect(
      telegramHost.api.calls
        .filter(({ method }) => method === 'deleteMessage')
        .map(({ payload }) => `${String(payload.chat_id)}:${String(payload.message_id)}`),
    ).to.deep.equal([messageId])
  })

  it('treats an unchanged text as edited', async () => {
    telegramHost.api.on('editMessageText', () => ({ status: 400, description: 'Bad Request: message is not modified' }))
    const draft = await sent('turn/3', 'Hello')
    expect(await draft.end('Hello ')).to.have.property('messageId')
  })
})
