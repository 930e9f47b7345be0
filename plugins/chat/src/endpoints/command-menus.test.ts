import { expect } from 'chai'
import { definePlugin, type AnyPlugin, type BaseContext } from '@mynah/kernel'
import { commands, defineCommand, MessageStore, type CommandMenu } from '../api.js'
import { MemoryMessageStore } from '../store/memory-store.js'
import { eachTest, until } from '../test/support.js'

const command = (name: string, more: object = {}) =>
  defineCommand({ name, description: `Does ${name}`, ...more, run: () => 'done' })

describe('CommandMenus', () => {
  const platforms = eachTest()

  async function start(shows: (menu: CommandMenu) => Promise<void>) {
    let plugin: BaseContext<unknown> | undefined
    const bot = await platforms.start({
      commands: [command('tea'), command('cake', { requiredAnyRole: ['master'] }), command('secret', { hidden: true })],
      setup: (ctx) => (plugin = ctx),
      bot: { commands: shows },
    })
    await until(() => bot.chat.online() === 1)
    return { bot, contribute: (name: string) => plugin?.contribute(commands, command(name)) }
  }
  const namesOf = ({ commands: all }: CommandMenu): string[] => all.map(({ name }) => name)

  it('shows the commands after connecting, and again only when they have changed', async () => {
    const shown: CommandMenu[] = []
    const { bot, contribute } = await start(async (menu) => void shown.push(menu))
    await bot.clock.advance(5_000)
    expect(shown).to.have.length(1)
    expect(shown[0]?.prefix).to.equal('/')
    expect(namesOf(shown[0] as CommandMenu))
      .to.include.members(['cake', 'tea'])
      .and.not.include('secret')
    expect(shown[0]?.commands.find(({ name }) => name === 'cake')).to.deep.equal({
      name: 'cake',
      description: 'Does cake',
      requiredAnyRole: ['master'],
    })

    bot.accounts.get('one')?.lost('reset')
    await bot.clock.advance(1_000)
    await until(() => bot.chat.online() === 1)
    await bot.clock.advance(5_000)
    expect(shown, 'after a reconnect').to.have.length(1)

    contribute('coffee')
    contribute('juice')
    await bot.clock.advance(5_000)
    expect(shown, 'after two changes').to.have.length(2)
    expect(namesOf(shown[1] as CommandMenu)).to.include.members(['coffee', 'juice'])
  })

  it('shows nothing again after a restart, unless the commands or the account have changed', async () => {
    const store = new MemoryMessageStore()
    const keeping = definePlugin({
      name: 'kept-store',
      provides: [MessageStore],
      setup: (ctx) => void ctx.provide(MessageStore, store),
    }) as unknown as AnyPlugin
    let shown = 0
    const life = async (names: readonly string[], config = {}): Promise<number> => {
      const bot = await platforms.start({
        commands: names.map((name) => command(name)),
        plugins: [keeping],
        config: { endpoints: [{ adapter: 'test', id: 'one', ...config }] },
        bot: { commands: async () => void shown++ },
      })
      await until(() => bot.chat.online() === 1)
      await bot.clock.advance(5_000)
      await bot.stop()
      return shown
    }
    expect(await life(['tea'])).to.equal(1)
    expect(await life(['tea'])).to.equal(1)
    expect(await life(['tea', 'cake'])).to.equal(2)
    expect(await life(['tea', 'cake'], { trusted: 'ann' })).to.equal(3)
  })

  it('warns when the platform refuses, and tries again after the next connection', async () => {
    let attempts = 0
    const { bot } = await start(async () => {
      attempts++
      throw new Error('too many commands')
    })
    await bot.clock.advance(5_000)
    await until(() => bot.log.some(({ message }) => message.includes('too many commands')))
    expect(bot.chat.online()).to.equal(1)
    bot.accounts.get('one')?.lost('reset')
    await bot.clock.advance(1_000)
    await until(() => bot.chat.online() === 1)
    await bot.clock.advance(5_000)
    expect(attempts).to.equal(2)
  })
})
