import { expect } from 'chai'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBot } from './bot.js'
import { IrcServer, KINDS, whyNot } from './servers.js'
import { skipBecause, until } from '@mynah/kernel/testing'

const II = '/usr/bin/ii'

/** The client: a folder for each conversation, with a pipe for what is said and a file of what was heard. */
class Ii {
  readonly #folder: string
  readonly #process: ChildProcess

  private constructor(folder: string, process: ChildProcess) {
    this.#folder = folder
    this.#process = process
  }

  static async enter(port: number, channel: string): Promise<Ii> {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-ii-'))
    const ii = new Ii(
      folder,
      spawn(II, ['-s', '127.0.0.1', '-p', String(port), '-n', 'ivy', '-f', 'Ivy', '-i', folder], { stdio: 'ignore' }),
    )
    try {
      await until(
        async () =>
          /end of message of the day|end of motd|message of the day file is missing/i.test(await ii.#read('')),
        'until ii is welcome',
      )
      await ii.#write('', `/j ${channel}`)
      await until(() => existsSync(ii.#path(channel, 'in')), 'until ii is in the channel')
    } catch (error) {
      await ii.leave()
      throw error
    }
    return ii
  }

  #path(place: string, file: string): string {
    return join(this.#folder, '127.0.0.1', place, file)
  }

  async #read(place: string): Promise<string> {
    return existsSync(this.#path(place, 'out')) ? await readFile(this.#path(place, 'out'), 'utf8') : ''
  }

  #write(place: string, line: string): Promise<void> {
    return appendFile(this.#path(place, 'in'), `${line}\n`)
  }

  say(place: string, line: string): Promise<void> {
    return this.#write(place, line)
  }

  /** Opens a private conversation. */
  async open(nick: string, line: string): Promise<void> {
    await this.#write('', `/j ${nick} ${line}`)
  }

  /** Waits until a message was received. */
  async hears(place: string, nick: string, text: string): Promise<void> {
    await until(
      async () => (await this.#read(place)).split('\n').some((line) => line.endsWith(`<${nick}> ${text}`)),
      `until ii hears "${text}"`,
    )
  }

  async sees(place: string, nick: string): Promise<void> {
    await until(async () => new RegExp(`${nick}.*has joined`).test(await this.#read(place)), `until ii sees ${nick}`)
  }

  async leave(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      this.#process.kill()
      await once(this.#process, 'exit')
    }
    await rm(this.#folder, { recursive: true, force: true })
  }
}

for (const kind of KINDS) {
  const reason = whyNot(kind) ?? (existsSync(II) ? undefined : 'ii is not installed')
  describe(`Conversation with another client on ${kind}${reason ? ` (${reason})` : ''}`, function () {
    this.timeout(60_000)
    const ends: (() => Promise<void>)[] = []
    before(function () {
      if (reason) skipBecause(this, reason)
    })
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end()
    })

    it('works in a channel and in private, also after a restart of the server', async () => {
      const server = await IrcServer.start(kind)
      ends.push(() => server.stop())
      let ii = await Ii.enter(server.port, '#room')
      ends.push(() => ii.leave())
      let turn = 0
      const bot = await startBot(
        server,
        {},
        {
          answer: ({ text, addressed }) =>
            addressed ? `${++turn}. you said: ${text.replace('@mynah ', '')}` : undefined,
        },
      )
      ends.push(() => bot.stop())
      await ii.sees('#room', 'mynah')
      await ii.say('#room', 'no answer to this')
      await ii.say('#room', 'mynah: good morning')
      await ii.hears('#room', 'mynah', '1. you said: good morning')
      await ii.open('mynah', 'a secret')
      await ii.hears('mynah', 'mynah', '2. you said: a secret')

      await server.kill()
      await bot.offline()
      await ii.leave()
      await server.run()
      await bot.online()
      ii = await Ii.enter(server.port, '#room')
      await ii.say('#room', 'mynah, do you remember?')
      await ii.hears('#room', 'mynah', '3. you said: do you remember?')
      expect(bot.heard.map(({ text }) => text)).to.deep.equal([
        'no answer to this',
        '@mynah good morning',
        'a secret',
        '@mynah do you remember?',
      ])
    })
  })
}
