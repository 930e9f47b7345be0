// A private ngircd on a free port, and a user of it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, until } from '@mynah/kernel/testing'

const PROGRAM = '/usr/sbin/ngircd'
const NOBODY = 65_534

/** Whether the machine has the server. */
export const hasIrcServer = (): boolean => existsSync(PROGRAM)

export interface IrcServer {
  readonly port: number
  stop(): Promise<void>
}

export async function startIrcServer(): Promise<IrcServer> {
  const folder = await mkdtemp(join(tmpdir(), 'mynah-irc-'))
  const port = await freePort()
  const file = join(folder, 'conf')
  await writeFile(
    file,
    `[Global]\nName = irc.loopback.test\nInfo = test\nListen = 127.0.0.1\nPorts = ${port}\nMotdPhrase = "hello"\n` +
      '[Limits]\nMaxConnectionsIP = 0\nMaxPenaltyTime = 0\n[Options]\nIdent = no\nPAM = no\nDNS = no\n',
  )
  if (process.getuid?.() === 0) for (const path of [folder, file]) await chown(path, NOBODY, NOBODY)
  const child = spawn(PROGRAM, ['-n', '-f', file], { stdio: 'ignore' })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const answers = (): Promise<boolean> =>
    new Promise((done) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        done(true)
      })
      socket.once('error', () => done(false))
    })
  await until(answers, 'ngircd')
  return {
    port,
    async stop() {
      const ended = once(child, 'exit')
      if (child.exitCode === null && child.kill()) await ended
      process.off('exit', kill)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Someone who is in a channel. */
export class IrcUser {
  readonly #socket: Socket
  #heard = ''

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setEncoding('utf8').on('data', (text: string) => {
      this.#heard += text
      for (const [, token] of text.matchAll(/^PING (.{1,200})\r$/gm)) this.send(`PONG ${token}`)
    })
  }

  static async join(port: number, nick: string, channel: string): Promise<IrcUser> {
    const user = new IrcUser(connect(port, '127.0.0.1'))
    user.send(`NICK ${nick}`)
    user.send(`USER ${nick} 0 * :${nick}`)
    await user.hears(' 001 ')
    user.send(`JOIN ${channel}`)
    await user.hears(' 366 ')
    return user
  }

  send(line: string): void {
    this.#socket.write(`${line}\r\n`)
  }

  /** Waits until the server has sent a text. */
  async hears(text: string): Promise<void> {
    await until(() => this.#heard.includes(text), `"${text}" on IRC`)
  }

  /** Everything that the server has sent. */
  get heardSoFar(): string {
    return this.#heard
  }

  leave(): void {
    this.#socket.destroy()
  }
}
