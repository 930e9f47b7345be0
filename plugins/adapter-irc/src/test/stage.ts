// Starts an IRC server once for all tests of a suite, and stops bots and users after each test. The tests are pending
// where the server is not installed.
import { skipBecause } from '@mynah/kernel/testing'
import { startBot, type BotOptions, type RunningBot } from './bot.js'
import { IrcServer, whyNot, type Kind, type ServerOptions } from './servers.js'
import { User } from './user.js'

export interface Stage {
  readonly server: IrcServer
  bot(config?: Record<string, unknown>, options?: BotOptions): Promise<RunningBot>
  user(nick: string, ...channels: string[]): Promise<User>
}

export function onStage(feature: string, kind: Kind, options: ServerOptions, tests: (stage: Stage) => void): void {
  const reason = whyNot(kind)
  describe(`${feature} on ${kind}${reason ? ` (${reason})` : ''}`, function () {
    this.timeout(30_000)
    let server: IrcServer | undefined
    // Logging in takes a second on some servers: users that are logged in already only change their name.
    const spare: Promise<User>[] = []
    const more = (): number =>
      spare.push(User.enter((server as IrcServer).port, `spare${Math.random().toString(36).slice(2, 8)}`))
    const ends: (() => Promise<void> | void)[] = []
    before(async function () {
      if (reason) skipBecause(this, reason)
      server = await IrcServer.start(kind, options)
      if (!options.password) for (let count = 0; count < 3; count++) more()
    })
    after(async () => {
      for (const user of await Promise.all(spare.splice(0))) await user.leave()
      await server?.stop()
    })
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end()
    })
    tests({
      get server() {
        return server as IrcServer
      },
      async bot(config, how) {
        const bot = await startBot(server as IrcServer, config, how)
        ends.push(() => bot.stop())
        return bot
      },
      async user(nick, ...channels) {
        more()
        const user = await (spare.shift() as Promise<User>)
        ends.push(() => user.leave())
        await user.rename(nick)
        for (const channel of channels) await user.join(channel)
        return user
      },
    })
  })
}
