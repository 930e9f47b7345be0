// A real IRC server and a person on it, for the tests of sending.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PROGRAM = '/usr/sbin/ngircd'
const NOBODY = 65_534

export const hasIrc = (): boolean => existsSync(PROGRAM)

export interface IrcServer {
  readonly port: number
  stop(): Promise<void>
}

/** Starts one on `port`; it gives up its rights where it has any. */
export async function startIrc(port: number): Promise<IrcServer> {
  const folder = await mkdtemp(join(tmpdir(), 'mynah-irc-'))
  const file = join(folder, 'conf')
  await writeFile(
    file,
    [
      '[Global]',
      'Name = irc.loopback.test',
      'Info = test',
      'Listen = 127.0.0.1',
      `Ports = ${port}`,
      'MotdPhrase = "hello"',
      '[Limits]',
      'MaxConnectionsIP = 0',
      'MaxPenaltyTime = 0',
      '[Options]',
      'Ident = no',
      'PAM = no',
      'DNS = no',
      '',
    ].join('\n'),
  )
  if (process.getuid?.() === 0) for (const path of [folder, file]) await chown(path, NOBODY, NOBODY)
  const server: ChildProcess = spawn(PROGRAM, ['-n', '-f', file], {
    stdio: 'ignore',
    ...(process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}),
  })
  return {
    port,
    async stop() {
      if (server.exitCode === null) {
        const ended = once(server, 'exit')
        server.kill('SIGTERM')
        await ended
      }
      await rm(folder, { recursive: true })
    },
  }
}

/** A client in a channel, which records the messages. */
export class IrcPerson {
  readonly #socket: Socket
  #heard = ''
  readonly #waiting = new Set<() => void>()

  private constructor(socket: Socket) {
    this.#socket = socket
    socket
      .setEncoding('utf8')
      .on('data', (text: string) => {
        this.#heard += text
        for (const line of text.split('\r\n')) if (line.startsWith('PING')) this.say(line.replace('PING', 'PONG'))
        for (const wake of this.#waiting) wake()
      })
      .on('error', () => undefined)
  }

  /** Connects, as soon as the server listens, and enters the channel. */
  static async join(port: number, nick: string, channel: string): Promise<IrcPerson> {
    for (;;) {
      const socket = connect(port, '127.0.0.1')
      const connected = await Promise.race([
        once(socket, 'connect').then(() => true),
        once(socket, 'error').then(() => false),
      ]).catch(() => false)
      if (!connected) continue
      const person = new IrcPerson(socket)
      person.say(`NICK ${nick}`)
      person.say(`USER ${nick} 0 * :${nick}`)
      await person.hears('001')
      person.say(`JOIN ${channel}`)
      await person.hears(`JOIN :${channel}`)
      return person
    }
  }

  say(line: string): void {
    this.#socket.write(`${line}\r\n`)
  }

  /** Resolves once the text was heard. */
  hears(text: string): Promise<void> {
    if (this.#heard.includes(text)) return Promise.resolve()
    return new Promise((resolve) => {
      const look = (): void => {
        if (!this.#heard.includes(text)) return
        this.#waiting.delete(look)
        resolve()
      }
      this.#waiting.add(look)
    })
  }

  leave(): void {
    this.#socket.destroy()
  }
}
