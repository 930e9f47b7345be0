import { randomUUID } from 'node:crypto'
import type { IrcEvent } from 'irc-framework'
import { messageOf } from '@mynah/kernel'
import type { EndpointHandle, InboundNotice } from '@mynah/plugin-chat/api'
import { Channels } from './channels.js'
import type { IrcConfig } from './config.js'
import type { Connection } from './connection.js'

const JOIN_TIMEOUT_MS = 10_000
const MAX_DELAY_MS = 600_000

export class ChannelMembership {
  readonly channels: Channels
  readonly #connection: Connection
  readonly #endpoint: EndpointHandle<IrcConfig>
  readonly #delays = new Map<string, { readonly ms: number; readonly at: number }>()
  readonly #timers = new Set<() => void>()

  constructor(connection: Connection, endpoint: EndpointHandle<IrcConfig>) {
    this.#connection = connection
    this.#endpoint = endpoint
    this.channels = new Channels((name) => connection.lower(name))
    this.#subscribe()
  }

  /** Joins all channels. Refused joins are repeated later. Does not wait for slow ones. */
  async enter(channels: Iterable<string>): Promise<void> {
    let cancel = (): void => {}
    const limit = new Promise<void>((resolve) => {
      cancel = this.#endpoint.clock.setTimeout(resolve, JOIN_TIMEOUT_MS)
    })
    await Promise.race([Promise.all(Array.from(channels, (channel) => this.#tryJoin(channel))), limit])
    cancel()
  }

  /** Joins a channel, written as in the configuration: a name and, where there is one, a key. */
  async join(channel: string): Promise<void> {
    const [name = '', key] = channel.split(' ')
    await this.#connection.ask(
      `JOIN ${name}${key === undefined ? '' : ` ${key}`}`,
      name,
      ({ command, params }) => command === '366' && this.#connection.same(params[1] ?? '', name),
    )
  }

  async #tryJoin(channel: string): Promise<void> {
    try {
      await this.join(channel)
    } catch (error) {
      const [name = ''] = channel.split(' ')
      this.#endpoint.log.warn(`failed to join ${name}: ${messageOf(error)}`)
      this.#retryLater(channel, 30_000)
    }
  }

  /** Joins again after a delay, which doubles each time in a row. */
  #retryLater(channel: string, least: number): void {
    const first = (this.#endpoint.config.rejoin ?? 5) * 1_000
    if (first === 0 || !this.#connection.client.connected) return
    const { clock } = this.#endpoint
    const key = this.#connection.lower(channel.split(' ')[0] ?? '')
    const last = this.#delays.get(key)
    const ms =
      last && clock.now() - last.at < last.ms + MAX_DELAY_MS
        ? Math.min(last.ms * 2, MAX_DELAY_MS)
        : Math.max(first, least)
    this.#delays.set(key, { ms, at: clock.now() })
    const cancel = clock.setTimeout(() => {
      this.#timers.delete(cancel)
      void this.#tryJoin(channel)
    }, ms)
    this.#timers.add(cancel)
  }

  close(): void {
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
  }

  #notice(kind: string, channel: string, operator: string, target: string, payload: InboundNotice['payload']): void {
    const { log } = this.#endpoint
    this.#endpoint
      .notice({
        id: randomUUID(),
        kind,
        channel: { type: 'group', id: this.#connection.spelled(this.channels.nameOf(channel)) },
        operator: { id: this.#connection.spelled(operator), name: operator },
        target: { id: this.#connection.spelled(target), name: target },
        payload,
      })
      .catch((error: unknown) => log.warn(`failed to store a notice: ${messageOf(error)}`))
  }

  #subscribe(): void {
    const { client } = this.#connection
    const { channels } = this
    client.on('server options', () => channels.foldAgain())
    client.on('join', (event) => this.#onJoin(event))
    client.on('userlist', ({ channel, users }) => channels.fill(channel, users))
    client.on('part', ({ nick, channel, message }) => {
      if (this.#connection.isMe(nick)) return channels.leave(channel)
      channels.remove(channel, nick)
      this.#notice('group-leave', channel, nick, nick, { reason: message })
    })
    client.on('kick', (event) => this.#onKick(event))
    client.on('quit', ({ nick, message }) => {
      for (const channel of channels.sharedWith(nick))
        this.#notice('group-leave', channel, nick, nick, { reason: message })
      channels.quit(nick)
      this.#connection.keeper.freed(nick, (a, b) => this.#connection.same(a, b))
    })
    client.on('nick', ({ nick, new_nick }) => {
      channels.rename(nick, new_nick)
      this.#connection.keeper.freed(nick, (a, b) => this.#connection.same(a, b))
    })
    client.on('mode', (event) => this.#onModes(event))
  }

  #onJoin({ nick, channel, ident, hostname }: IrcEvent): void {
    if (this.#connection.isMe(nick)) {
      if (ident && hostname) this.#connection.address = `${ident}@${hostname}`
      return this.channels.enter(channel)
    }
    this.channels.add(channel, nick)
    this.#notice('group-join', channel, nick, nick, {})
  }

  #onKick({ nick, kicked, channel, message }: IrcEvent): void {
    this.#notice('group-kick', channel, nick, kicked, { reason: message })
    if (!this.#connection.isMe(kicked)) return this.channels.remove(channel, kicked)
    const name = this.channels.nameOf(channel)
    this.channels.leave(channel)
    this.#endpoint.log.warn(`kicked from ${name} by ${nick}: ${message}`)
    const configured = this.#endpoint.config.channels?.find((wanted) =>
      this.#connection.same(wanted.split(' ')[0] ?? '', name),
    )
    this.#retryLater(configured ?? name, 0)
  }

  #onModes({ nick, target, modes }: IrcEvent): void {
    if (!this.channels.has(target)) return
    const ranks = new Set(this.#connection.client.network.options.PREFIX.map(({ mode }) => mode))
    for (const { mode, param } of modes) {
      const letter = mode.slice(1)
      if (!param || !ranks.has(letter)) continue
      const enable = mode.startsWith('+')
      this.channels.rank(target, param, letter, enable)
      if (letter === 'o') this.#notice('group-admin', target, nick, param, { enable })
    }
  }
}
