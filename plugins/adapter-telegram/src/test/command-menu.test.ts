import { expect } from 'chai'
import type { CommandMenu } from '@mynah/plugin-chat/api'
import { menuItems } from '../command-menu.js'
import { failure } from './telegram-host.js'
import { bot } from './single-bot.js'

const COMMANDS: CommandMenu['commands'] = [
  { name: 'ban', description: 'Removes a user', requiredAnyRole: ['group_admin', 'master'] },
  { name: 'diary', description: 'Writes a diary', privateOnly: true },
  { name: 'note add', description: 'Adds a note' },
  { name: 'note list', description: 'Lists the notes' },
  { name: 'stop all', description: 'Stops everything', requiredAnyRole: ['master'] },
  { name: 'tea', description: { en: 'Makes tea', 'zh-CN': '泡茶' }, requiredAnyRole: ['user'] },
  { name: '茶', description: 'Makes tea' },
]

describe('Menu of commands on Telegram', () => {
  const { api, account } = bot()
  beforeEach(() => {
    api().record()
    api().on('setMyCommands', () => ({ result: true }))
  })

  it('shows everybody what they may run where they are, in both languages', async () => {
    await account().commands({ prefix: '/', commands: COMMANDS })
    const menus = api()
      .called('setMyCommands')
      .map(({ payload }) => {
        const {
          commands,
          scope,
          language_code: language = 'all',
        } = payload as {
          commands: { command: string; description: string }[]
          scope: { type: string }
          language_code?: string
        }
        return [scope.type, language, ...commands.map(({ command, description }) => `${command}: ${description}`)]
      })
    expect(menus).to.deep.equal([
      ['default', 'all', 'note: add, list', 'tea: Makes tea'],
      ['default', 'zh', 'note: add, list', 'tea: 泡茶'],
      ['all_private_chats', 'all', 'diary: Writes a diary', 'note: add, list', 'tea: Makes tea'],
      ['all_private_chats', 'zh', 'diary: Writes a diary', 'note: add, list', 'tea: 泡茶'],
      ['all_chat_administrators', 'all', 'ban: Removes a user', 'note: add, list', 'tea: Makes tea'],
      ['all_chat_administrators', 'zh', 'ban: Removes a user', 'note: add, list', 'tea: 泡茶'],
    ])
  })

  it('is empty where commands have another prefix, since a menu sends "/"', async () => {
    await account().commands({ prefix: '!', commands: COMMANDS })
    const counts = api()
      .called('setMyCommands')
      .map(({ payload }) => (payload.commands as unknown[]).length)
    expect(counts).to.deep.equal([0, 0, 0, 0, 0, 0])
  })

  it('reports a refusal without the token', async () => {
    api().on('setMyCommands', () => ({ status: 400, description: 'Bad Request: BOT_COMMAND_INVALID' }))
    const refused = await failure(account().commands({ prefix: '/', commands: COMMANDS }))
    expect(refused.message).to.include('BOT_COMMAND_INVALID').and.not.include('test-token')
  })

  it('stays within the limits of Telegram', () => {
    const many = Array.from({ length: 150 }, (_, at) => ({ name: `c${at}`, description: '😀'.repeat(300) }))
    const items = menuItems(many, 'en')
    expect(items).to.have.length(100)
    expect(Array.from(items[0]?.description ?? '')).to.have.length(256)
  })
})

describe('Menu of commands on Telegram by default', () => {
  const { api, account } = bot({ menu: false })

  it('leaves the menu of the bot alone', async () => {
    api().record()
    await account().commands({ prefix: '/', commands: COMMANDS })
    expect(api().called('setMyCommands')).to.deep.equal([])
  })
})
