import { adapterContract } from '@mynah/plugin-chat/testing'
import telegram from '../index.js'
import { BotApi, TOKEN } from './bot-api.js'

adapterContract({
  name: 'telegram',
  redelivers: true,
  reconnects: true,
  retains: true,
  buttons: true,
  async start() {
    const api = await BotApi.start()
    const user = api.user({ userId: 7, chatId: 7, firstName: 'Alice' })
    return {
      plugins: [telegram as never],
      endpoint: { adapter: 'telegram', id: 'bot', token: TOKEN, apiRoot: api.root },
      target: { type: 'private', id: '7' },
      say: async (text) => void (await user.sendMessage(user.makeMessage(text))),
      async press(button) {
        const pressed = api.keyboard.find(({ text }) => text === button)
        if (!pressed || !('callback_data' in pressed)) throw new Error(`there is no button "${button}"`)
        await user.sendCallback(user.makeCallbackQuery(pressed.callback_data))
      },
      redeliver: async () => api.redeliver(),
      kill: () => api.kill(),
      restart: () => api.restart(),
      sent: () => api.texts,
      stop: () => api.stop(),
    }
  },
})
