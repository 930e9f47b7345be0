import { adapterContract } from '@mynah/plugin-chat/testing'
import telegram from '../index.js'
import { BotApi, TOKEN, type Answer } from './bot-api.js'

/** Refusals of Telegram for messages of the bot. */
class SendFaults {
  refusals = 0
  early = 0
  limit: { readonly ms: number; readonly now: () => number; until?: number } | undefined

  /** Returns the refusal of the next message, if any. */
  next(): Answer | undefined {
    if (this.refusals > 0) {
      this.refusals--
      return { status: 403, description: 'Forbidden: bot was blocked by the user' }
    }
    const { limit } = this
    if (!limit) return undefined
    if (limit.until === undefined) limit.until = limit.now() + limit.ms
    else if (limit.now() < limit.until) this.early++
    else return void (this.limit = undefined)
    const seconds = Math.ceil((limit.until - limit.now()) / 1000)
    return { status: 429, description: 'Too Many Requests', parameters: { retry_after: seconds } }
  }
}

adapterContract({
  name: 'telegram',
  retains: true,
  async start() {
    const api = await BotApi.start()
    const user = api.user({ userId: 7, chatId: 7, firstName: 'Alice' })
    const faults = new SendFaults()
    let isTyping = false
    api.on('sendMessage', () => faults.next())
    api.on('sendChatAction', () => {
      isTyping = true
      return { result: true }
    })
    let reactions: string[] = []
    api.on('setMessageReaction', ({ payload }) => {
      reactions = (payload.reaction as { emoji: string }[]).map(({ emoji }) => emoji)
      return { result: true }
    })
    api.on('editMessageText', ({ payload }) => {
      api.texts.splice(-1, 1, String(payload.text))
      return { result: true }
    })
    let file = Buffer.alloc(0)
    api.on('getFile', () => ({ result: { file_id: 'f1', file_unique_id: 'u1', file_path: 'photos/1.png' } }))
    api.on('file', () => ({ result: file }))
    return {
      plugins: [telegram as never],
      secrets: [TOKEN],
      endpoint: { adapter: 'telegram', id: 'bot', token: TOKEN, apiRoot: api.root },
      target: { type: 'private', id: '7' },
      say: async (text) => void (await user.sendMessage(user.makeMessage(text))),
      async press(button) {
        const pressed = api.keyboard.find(({ text }) => text === button)
        if (!pressed || !('callback_data' in pressed)) throw new Error(`there is no button "${button}"`)
        await user.sendCallback(user.makeCallbackQuery(pressed.callback_data))
      },
      redeliver: async () => api.redeliver(),
      edit: async (text) =>
        api.push({ edited_message: { ...api.last?.message, edit_date: Math.floor(Date.now() / 1000), text } } as never),
      reactions: () => reactions,
      show: async ({ bytes }) => {
        file = Buffer.from(bytes)
        const photo = [{ file_id: 'f1', file_unique_id: 'u1', width: 1, height: 1, file_size: bytes.length }]
        const alice = { id: 7, is_bot: false, first_name: 'Alice' }
        api.push({
          message: { message_id: 900, date: 1, chat: { id: 7, type: 'private' }, from: alice, photo },
        } as never)
      },
      isTyping: () => isTyping,
      refuse: (times) => void (faults.refusals = times),
      limit: (ms, now) => void (faults.limit = { ms, now }),
      early: () => faults.early,
      frames: async (values) => {
        for (const value of values) api.push({ message: value } as never)
      },
      kill: () => api.kill(),
      restart: () => api.restart(),
      sent: () => api.texts,
      stop: () => api.stop(),
    }
  },
})
