import { expect } from 'chai'
import { startBot, type RunningBot } from './bot.js'
import { joins, scripted, type Scripted } from './scripted.js'
import { until } from '@mynah/kernel/testing'

describe('Quit message', function () {
  this.timeout(20_000)
  let server: Scripted
  let bot: RunningBot
  let lines: string[] = []
  beforeEach(async () => {
    lines = []
    server = await scripted((line, say, socket) => {
      lines.push(line)
      if (line === 'CAP LS 302') say(':s CAP * LS :')
      if (line === 'CAP END') say(':s 001 mynah :Welcome')
      joins(line, say)
      if (line.startsWith('QUIT')) socket.end()
    })
  })
  afterEach(async () => {
    await bot.stop()
    await server.stop()
  })
  const quits = async (config: Record<string, unknown>): Promise<string[]> => {
    bot = await startBot(server, config)
    await bot.stop()
    return lines.filter((line) => line.startsWith('QUIT'))
  }

  it('is the configured text', async () => {
    expect(await quits({ quitMessage: 'Back in a minute: 再见' })).to.deep.equal(['QUIT :Back in a minute: 再见'])
  })

  it('is a goodbye by default', async () => {
    expect(await quits({})).to.deep.equal(['QUIT :Goodbye'])
  })

  it('is refused with a line end or without text', async () => {
    for (const quitMessage of ['gone\r\nJOIN #elsewhere', '', 'x'.repeat(121)]) {
      bot = await startBot(server, { quitMessage }, { eager: true })
      await until(async () => (await bot.error()) !== '', 'until the value is refused')
      expect(await bot.error(), JSON.stringify(quitMessage)).to.contain('quitMessage')
      await bot.stop()
    }
  })
})
