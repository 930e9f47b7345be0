import { expect } from 'chai'
import { definePlugin } from '@mynah/kernel'
import { startHost } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import { Card, commands, defineCommand, param } from '@mynah/plugin-chat/api'
import telegram from '../index.js'
import { BotApi, TOKEN } from './bot-api.js'
import { until } from './telegram-host.js'

describe('A third-party Bot API server', () => {
  it('is used for messages, commands and buttons', async () => {
    const api = await BotApi.start({ keepsUpdates: true })
    const greeter = definePlugin({
      name: 'greeter',
      setup(ctx) {
        ctx.contribute(
          commands,
          defineCommand({
            name: 'hello',
            description: 'Greets',
            args: { name: param.rest({ default: 'world' }) },
            run: ({ args }) => `Hello, ${args.name}!`,
          }),
        )
        ctx.contribute(
          commands,
          defineCommand({
            name: 'menu',
            description: 'Shows buttons',
            run: () => [Card({ title: 'Menu', buttons: [{ text: 'Greet', command: '/hello button' }] })],
          }),
        )
      },
    })
    const { host } = await startHost([
      {
        plugin: chat as never,
        config: { endpoints: [{ adapter: 'telegram', id: 'bot', token: TOKEN, apiRoot: api.thirdParty }] },
      },
      telegram as never,
      greeter as never,
    ])
    try {
      const user = api.user({ userId: 7, chatId: 7 })
      await user.sendCommand(user.makeCommand('/hello'))
      await until(() => api.texts.length === 1, 'the greeting')
      await user.sendCommand(user.makeCommand('/menu'))
      await until(() => api.texts.length === 2, 'the menu')
      await user.sendCallback(user.makeCallbackQuery('/hello button'))
      await until(() => api.texts.length === 3, 'the second greeting')
      expect(api.texts).to.deep.equal(['Hello, world!', 'Menu', 'Hello, button!'])
    } finally {
      await host.stop()
      await api.stop()
    }
  })
})
