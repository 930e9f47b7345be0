import irc, { type Client, type IrcMessage } from 'irc-framework'
import { setTimeout } from 'node:timers/promises'
import { messageOf } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { EndpointHandle } from '@mynah/plugin-chat/api'
import { configuredNames, lowerCase } from './case-mapping.js'
import { pacingOf, type IrcConfig } from './config.js'
import { LineQueue } from './line-queue.js'
import { NickKeeper } from './nick-keeper.js'
import { Receipts } from './receipts.js'
import { register } from './registration.js'
import { LineSocket } from './line-socket.js'
import { UnfinishedLists } from './unfinished-lists.js'

/** Returns whether a command is a refusal: a numeric error, one for ignored senders, or `FAIL`. */
const isRefusal = (command: string): boolean => /^[45]\d\d$/.test(command) || command === '716' || command === 'FAIL'
const MAX_REASON = 300
const GOODBYE_MS = 1_500
const COMMAND_MS = 5_000
/** IRCv3 capabilities besides those of the library. */
const CAPABILITIES = ['echo-message', 'message-tags', 'server-time', 'account-tag', 'labeled-response']

interface PendingCommand {
  readonly subject: string
  readonly done: (message: IrcMessage) => boolean
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/** The parts of an endpoint that a connection needs. */
export type ConnectionContext = Pick<EndpointHandle<IrcConfig>, 'clock' | 'config' | 'log' | 'self'>

export class Connection {
  readonly client: Client
  readonly queue: LineQueue
  readonly receipts: Receipts
  readonly keeper: NickKeeper
  nick = ''
  /** The bot's `user@host`, which is part of every line that others receive. */
  address: string | undefined
  readonly #endpoint: ConnectionContext
  readonly #configured: readonly string[]
  readonly #asked = new Set<PendingCommand>()
  readonly #closed: Promise<unknown>
  #closing = false
  readonly #lists: UnfinishedLists

  constructor(endpoint: ConnectionContext) {
    this.#endpoint = endpoint
    const { clock, config } = endpoint
    this.#configured = configuredNames(config)
    const client = (this.client = new irc.Client())
    // The library takes a mapping that it does not know for rfc1459.
    client.caseLower = (name) => this.lower(name)
    this.queue = new LineQueue(clock, pacingOf(config), (line, done) => {
      if (client.connected) client.connection.write(line, done)
      else done(new Error('The connection is closed'))
    })
    this.receipts = new Receipts(clock, (token) => this.queue.post(`PING :${token}`))
    this.keeper = new NickKeeper(config.nick, clock, (nick) => this.queue.post(`NICK ${nick}`))
    this.#lists = new UnfinishedLists(client, (lines) =>
      endpoint.log.warn(`the server did not end its lists within ${lines} lines, ignoring them`),
    )
    client.requestCap(CAPABILITIES)
    this.#closed = new Promise((resolve) => {
      client.on('socket close', resolve)
    })
  }

  /** Connects and logs in. `lost` is called when the connection ends without {@link Connection.close}. */
  async open(lost: (reason: unknown) => void): Promise<void> {
    const { client } = this
    const { config, log } = this.#endpoint
    client.connection.on('message', (message) => this.#message(message))
    client.connection.on('malformed', (error) => log.warn(`failed to parse a line of the server: ${messageOf(error)}`))
    const registered = register(client, config, this.#closed)
    const silence = config.pingTimeout ?? 90
    client.connect({
      host: config.host,
      tls: config.tls ?? true,
      port: config.port ?? (config.tls === false ? 6667 : 6697),
      rejectUnauthorized: config.tlsInsecure !== true,
      ...(config.ca === undefined ? {} : { ca: config.ca }),
      nick: config.nick,
      username: config.username ?? config.nick,
      gecos: config.realname ?? config.nick,
      ...(config.password === undefined ? {} : { password: config.password }),
      // Without an account the library would log in with the server's password.
      account: { ...config.sasl },
      sasl_disconnect_on_fail: true,
      auto_reconnect: false,
      enable_echomessage: true,
      ping_interval: silence / 3,
      ping_timeout: silence,
      // The adapter answers CTCP requests within the rate limit.
      version: '',
      transport: LineSocket,
    })
    try {
      this.nick = await registered
    } catch (error) {
      await this.close()
      throw error
    }
    let said: string | undefined
    client.on('irc error', ({ reason }) => {
      said = reason
    })
    client.on('ping timeout', () => {
      if (!this.#closing) lost(new Error(`The server has said nothing for ${silence} s`))
    })
    void this.#closed.then((error) => {
      const reason = error ? messageOf(error) : (said ?? 'The server closed the connection')
      this.#end(reason)
      if (!this.#closing) lost(new Error(reason))
    })
    client.on('nick', ({ nick, new_nick }) => {
      if (!this.isMe(nick)) return
      this.nick = new_nick
      this.keeper.setCurrent(new_nick)
      this.#endpoint.self({ id: new_nick, name: new_nick })
    })
    this.keeper.setCurrent(this.nick)
  }

  isMe(nick: string): boolean {
    return this.same(nick, this.nick)
  }

  same(a: string, b: string): boolean {
    return this.lower(a) === this.lower(b)
  }

  lower(name: string): string {
    return lowerCase(name, this.caseMapping)
  }

  /** How the server folds the case of names. Until it says so, as the first servers did. */
  get caseMapping(): string {
    return String(this.client.network.options.CASEMAPPING)
  }

  /** Returns a name as the configuration writes it, so that owners and rules are found by it. */
  spelled(name: string): string {
    return this.#configured.find((configured) => this.same(configured, name)) ?? name
  }

  /** Whether the server echoes the bot's own messages. */
  get echoes(): boolean {
    return this.client.network.cap.isEnabled('echo-message')
  }

  #message(message: IrcMessage): void {
    const { command, params } = message
    this.#lists.seen()
    if (command === 'PONG') this.receipts.answered(params.at(-1) ?? '')
    const refused = isRefusal(command)
    const reason = (params.at(-1) ?? command).slice(0, MAX_REASON)
    for (const asked of this.#asked) {
      const concerns = refused && params.slice(1, 3).some((param) => this.same(param, asked.subject))
      if (!concerns && !asked.done(message)) continue
      this.#asked.delete(asked)
      if (concerns) asked.reject(new WireError('unsupported', `The server refuses: ${reason}`))
      else asked.resolve()
    }
    if (refused) this.#refused(message, reason)
  }

  /** Settles the line that a refusal is about. */
  #refused({ command, params }: IrcMessage, reason: string): void {
    const subject = command === 'FAIL' ? params[2] : params[1]
    if (subject === undefined || params.length < 3) return
    if (!this.receipts.refused(this.lower(subject), reason) && (command === '401' || command === '404')) {
      this.#endpoint.log.warn(`the server refused a message to ${subject}: ${reason}`)
    }
  }

  /** Sends a command. Resolves when `done` recognises the answer, and rejects on a refusal that names the subject. */
  async ask(line: string, subject: string, done: (message: IrcMessage) => boolean): Promise<void> {
    let cancel = (): void => {}
    const answered = new Promise<void>((resolve, reject) => {
      const asked: PendingCommand = { subject, done, resolve, reject }
      this.#asked.add(asked)
      cancel = this.#endpoint.clock.setTimeout(() => {
        this.#asked.delete(asked)
        reject(new WireError('upstream_unavailable', 'The server did not answer'))
      }, COMMAND_MS)
    })
    try {
      await Promise.all([this.queue.put(line), answered])
    } finally {
      cancel()
    }
  }

  #end(reason: string): void {
    this.keeper.close()
    this.queue.close(reason)
    this.receipts.close(reason)
    for (const asked of this.#asked) asked.reject(new WireError('upstream_unavailable', reason))
    this.#asked.clear()
  }

  /** Sends QUIT where possible, and closes the connection within {@link GOODBYE_MS}. */
  async close(): Promise<void> {
    this.#closing = true
    this.#end('The endpoint disconnects')
    const { client } = this
    const { transport } = client.connection
    if (client.connected) client.connection.write(`QUIT :${this.#endpoint.config.quitMessage ?? 'Goodbye'}`)
    else transport?.close(true)
    if (transport) await this.#ended()
    client.removeAllListeners()
    client.connection.removeAllListeners()
    client.connection.clearTimers()
    transport?.disposeSocket()
  }

  /**
   * Waits for the end of the socket. Uses a timer of its own, since those of the plugin are cancelled when it stops.
   */
  async #ended(): Promise<void> {
    const controller = new AbortController()
    await Promise.race([
      this.#closed,
      setTimeout(GOODBYE_MS, undefined, { signal: controller.signal }).catch((error: Error) => {
        if (error.name !== 'AbortError') throw error
      }),
    ])
    controller.abort()
  }
}
