// A strict SMTP server that keeps what it gets. It checks each command, and fails the test for a wrong one.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { PASSWORD } from './dovecot.js'

/** A reply that ends a stage otherwise; `close` cuts the connection, `mute` says nothing. */
export type Fault = string | 'close' | 'mute'
type Stage = 'greeting' | 'auth' | 'mail' | 'rcpt' | 'data' | 'end'

export interface Sent {
  readonly to: string
  readonly mail: Email
  readonly source: string
}

export class SmtpSink {
  readonly sent: Sent[] = []
  readonly faults: string[] = []
  readonly texts: string[] = []
  /** Called with each mail that was taken. */
  onMail: ((mail: Sent) => Promise<void>) | undefined
  connections = 0
  readonly #scripted = new Map<Stage, Fault[]>()
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0

  async listen(): Promise<this> {
    const server = createServer((socket) => this.#serve(socket))
    this.#server = server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    this.#port = (server.address() as AddressInfo).port
    return this
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`
  }

  /** Lets the next transactions end otherwise at a stage. */
  script(stage: Stage, ...faults: Fault[]): void {
    this.#scripted.set(stage, faults)
  }

  #serve(socket: Socket): void {
    this.connections++
    this.#sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
    let pending = ''
    let isData = false
    let stage = 0
    let to = ''
    const say = (at: Stage, reply: string): boolean => {
      const fault = this.#scripted.get(at)?.shift()
      if (fault === 'close') socket.destroy()
      else if (fault !== 'mute') socket.write(`${fault ?? reply}\r\n`)
      return fault === undefined
    }
    const expectStage = (wanted: number, line: string): void => {
      if (stage !== wanted) this.faults.push(`"${line.slice(0, 60)}" came at stage ${stage}`)
    }
    const onLine = (line: string): void => {
      if (/^EHLO \S+$/.test(line)) socket.write('250-sink\r\n250-AUTH PLAIN\r\n250 8BITMIME\r\n')
      else if (line.startsWith('AUTH PLAIN ')) {
        expectStage(0, line)
        const [, , password] = Buffer.from(line.slice(11), 'base64').toString().split('\0')
        const reply = password === PASSWORD ? '235 2.7.0 welcome' : '535 5.7.8 wrong password'
        if (say('auth', reply) && password === PASSWORD) stage = 1
      } else if (/^MAIL FROM:<[^<>\s]+@[^<>\s]+>/.test(line)) {
        expectStage(1, line)
        if (say('mail', '250 2.1.0 ok')) stage = 2
      } else if (/^RCPT TO:<[^<>\s]+@[^<>\s]+>$/.test(line)) {
        expectStage(2, line)
        to = /<(.*)>/.exec(line)?.[1] ?? ''
        if (say('rcpt', '250 2.1.5 ok')) stage = 3
      } else if (line === 'DATA') {
        expectStage(3, line)
        isData = say('data', '354 go on')
      } else if (line === 'QUIT') socket.end('221 bye\r\n')
      else this.faults.push(`unknown command "${line.slice(0, 60)}"`)
    }
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      pending += chunk
      for (;;) {
        const mark = isData ? '\r\n.\r\n' : '\r\n'
        const end = pending.indexOf(mark)
        if (end < 0) return
        const part = pending.slice(0, end)
        pending = pending.slice(end + mark.length)
        if (!isData) onLine(part)
        else {
          isData = false
          stage = 1
          void this.#take(to, part.replaceAll('\r\n..', '\r\n.'), () => void say('end', '250 2.0.0 taken'))
        }
      }
    })
    say('greeting', '220 sink ESMTP')
  }

  async #take(to: string, source: string, reply: () => void): Promise<void> {
    const isRefused = /^[45]/.test(this.#scripted.get('end')?.[0] ?? '')
    const mail = await PostalMime.parse(source)
    this.#check(mail)
    if (!isRefused) {
      const sent = { to, mail, source }
      this.sent.push(sent)
      this.texts.push((mail.text ?? '').replace(/\n$/, ''))
      await this.onMail?.(sent)
    }
    reply()
  }

  #check(mail: Email): void {
    const count = (key: string): number => mail.headers.filter((header) => header.key === key).length
    for (const key of ['message-id', 'from', 'to', 'date', 'auto-submitted', 'mime-version'])
      if (count(key) !== 1) this.faults.push(`a mail has ${count(key)} headers ${key}`)
    if (!/^<[\w.-]+@[\w.-]+>$/.test(mail.messageId ?? '')) this.faults.push(`"${mail.messageId}" is no Message-ID`)
    if (mail.references !== undefined && !/^(?:<[^<>\s]+>\s*)+$/.test(mail.references))
      this.faults.push(`"${mail.references}" are no references`)
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    for (const socket of this.#sockets) socket.destroy()
    if (!server?.listening) return
    server.close()
    await once(server, 'close')
  }

  /** Fails where a command was wrong. */
  check(): void {
    if (this.faults.length > 0) throw new Error(`wrong commands: ${this.faults.slice(0, 5).join('; ')}`)
  }
}
