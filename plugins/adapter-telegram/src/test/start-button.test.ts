import { expect } from 'chai'
import type { AnyPlugin, Host } from '@mynah/kernel'
import { startHost, until } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import { Chat } from '@mynah/plugin-chat/api'
import telegram from '../index.js'
import { BotApi, TOKEN } from './bot-api.js'

describe('The button "Start" of Telegram', () => {
  let api: BotApi
  let host: Host | undefined
  beforeEach(async () => {
    api = await BotApi.start()
  })
  afterEach(async () => {
    await host?.stop()
    await api.stop()
  })

  /** Starts a host and says some words to its bot. */
  const say = async (texts: readonly string[], commands: object = {}): Promise<void> => {
    const { host: started } = await startHost([
      {
        plugin: chat as unknown as AnyPlugin,
        config: { commands, endpoints: [{ adapter: 'telegram', id: 'bot', token: TOKEN, apiRoot: api.root }] },
      },
      telegram as unknown as AnyPlugin,
    ])
    host = started
    await until(() => started.get(Chat)?.online() === 1, 'the bot to be online')
    for (const text of texts) {
      const user = api.user({ userId: 7, chatId: 7, firstName: 'Alice' })
      const heard = api.texts.length
      await user.sendCommand(user.makeCommand(text))
      await until(() => api.texts.length > heard, `an answer to "${text}"`)
    }
  }

  it('greets and lists the commands, also with the words of a link', async () => {
    await say(['/start', '/start ref-12_3', '/help'])
    const [greeting, withPayload, help] = api.texts
    expect(greeting).to.match(/^Hello, I am .+\.\n\nCommands:\n- \/help /)
    expect(greeting).to.not.include('/start')
    expect(withPayload).to.equal(greeting)
    expect(greeting?.endsWith(help as string)).to.equal(true)
  })

  it('works with another prefix of commands, as /help does', async () => {
    await say(['/start', '/start x', '/help'], { prefix: '!' })
    const [greeting, withPayload, help] = api.texts
    expect(greeting).to.match(/^Hello, I am .+\.\n\nCommands:\n- !help /)
    expect(withPayload).to.equal(greeting)
    expect(help).to.match(/^Commands:\n- !help /)
  })
})
