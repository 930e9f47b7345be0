import { definePlugin, messageOf, systemClock, type AnyPlugin } from '@mynah/kernel'
import { withTimeout } from '@mynah/kernel/util'
import { Type } from '@mynah/contract/type'
import {
  adapters,
  defineAdapter,
  endpointSchema,
  Image,
  SendError,
  type Bot,
  type Channel,
  type EndpointHandle,
  type InboundMessage,
  type OutboundMessage,
  type Segment,
} from '../../api.js'
import { Refusal, type Link, type MemoryServer } from './server.js'
import type { Defect } from './defects.js'

const PING_MS = 20_000
const ANSWER_MS = 20_000
const LEAVE_MS = 1_000

const MemoryConfig = Type.Object({ token: Type.String({ secret: true }), room: Type.String() })
interface Config {
  readonly token: string
  readonly room: string
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A bot on a {@link MemoryServer}. `defect` breaks one rule, to prove that a test notices it. */
class MemoryBot implements Bot {
  readonly #endpoint: EndpointHandle<Config>
  readonly #server: MemoryServer
  readonly #defect: Defect | undefined
  #link: (Link & { readonly self: string }) | undefined
  #cancelPing = (): void => {}
  #lane: Promise<void> = Promise.resolve()
  #leak: unknown[] = []

  constructor(endpoint: EndpointHandle<Config>, server: MemoryServer, defect: Defect | undefined) {
    this.#endpoint = endpoint
    this.#server = server
    this.#defect = defect
  }

  async connect(): Promise<{ id: string }> {
    const { config, log } = this.#endpoint
    if (this.#defect === 'says its token') log.info(`connecting with ${config.token}`)
    try {
      const link = await this.#server.connect(config.token, {
        frame: (frame) => this.#take(frame),
        closed: () => this.#closed(),
      })
      this.#link = link
      if (this.#defect !== 'waits for ever') this.#ping()
      return { id: link.self }
    } catch (error) {
      const isRefused = error instanceof Refusal && error.status === 401
      const reason = this.#defect === 'hides the reason' ? 'it did not work' : 'The platform refuses the key "token"'
      throw isRefused ? new Error(reason) : error
    }
  }

  async disconnect(): Promise<void> {
    this.#cancelPing()
    // Acknowledge received messages first, unless the platform has fallen silent.
    await withTimeout(systemClock, LEAVE_MS, () => this.#lane).catch(() => undefined)
    if (this.#defect === 'logs its account out') await this.#link?.call('logout', {})
    this.#link?.close()
    this.#link = undefined
  }

  #closed(): void {
    if (this.#defect === 'reconnects by itself') setTimeout(() => void this.connect().catch(() => this.#closed()), 50)
    else this.#endpoint.lost(new Error('the platform closed the connection'))
  }

  #ping(): void {
    this.#cancelPing = this.#endpoint.clock.setTimeout(() => {
      this.#call('ping', {}).then(
        () => this.#ping(),
        (error: unknown) => this.#endpoint.lost(error),
      )
    }, PING_MS)
  }

  #call(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>> {
    const link = this.#link
    if (!link) throw new SendError('offline', 'not connected')
    const message = 'the platform did not answer'
    return withTimeout(this.#endpoint.clock, ANSWER_MS, () => link.call(method, params), { message })
  }

  #take(frame: unknown): void {
    if (this.#defect === 'believes every frame') void (frame as { type: string }).type.length
    if (typeof frame !== 'object' || frame === null || typeof (frame as { type?: unknown }).type !== 'string') return
    const known = frame as Record<string, unknown>
    const work = (): Promise<void> =>
      this.#handle(known).catch((error: unknown) => this.#endpoint.log.warn(`frame dropped: ${messageOf(error)}`))
    if (this.#defect === 'takes all at once') {
      const delay = text(known.text).endsWith('1') ? 20 : 0
      setTimeout(() => void work(), delay)
    } else this.#lane = this.#lane.then(work)
  }

  async #handle(frame: Record<string, unknown>): Promise<void> {
    if (this.#defect === 'acknowledges too early') await this.#acknowledge(frame)
    await this.#report(frame)
    if (this.#defect !== 'acknowledges too early') await this.#acknowledge(frame)
  }

  async #acknowledge({ delivery }: Record<string, unknown>): Promise<void> {
    if (typeof delivery === 'string') await this.#call('ack', { delivery })
  }

  async #report(frame: Record<string, unknown>): Promise<void> {
    const channel = this.#channelOf(frame)
    const sender = { id: text(frame.from) }
    const messageId = text(frame.id)
    switch (frame.type) {
      case 'edit':
        if (this.#defect === 'takes edits for messages')
          return this.#endpoint.receive({ id: `${messageId}-2`, channel, sender, content: text(frame.text) })
        return this.#endpoint.changed({ messageId, channel, operator: sender, content: text(frame.text) })
      case 'delete':
        return this.#endpoint.changed({ messageId, channel, operator: sender, deleted: true })
      case 'reaction':
        return this.#endpoint.reaction({
          messageId,
          channel,
          sender,
          emoji: text(frame.emoji),
          added: this.#defect === 'adds every reaction' || frame.on === true,
        })
      case 'message':
        return this.#receive(frame, channel)
      default:
        return undefined
    }
  }

  async #receive(frame: Record<string, unknown>, channel: Channel): Promise<void> {
    const self = this.#link?.self ?? ''
    if (frame.from === self && this.#defect !== 'hears itself') return
    if (this.#defect === 'keeps everything') this.#leak.push(Array.from({ length: 6_000 }, (_, index) => index + 0.5))
    const content: Segment[] = [{ type: 'text', data: { text: this.#encoded(text(frame.text)) } }]
    if (frame.hasPicture === true) content.push(Image({ name: 'picture.png', ...{ fileId: text(frame.id) } } as never))
    const message: InboundMessage = {
      id: this.#defect === 'makes ids of its own' ? `${Math.random()}` : text(frame.id),
      channel,
      // Chat drops the account's own id, so that the defect has to hide it.
      sender: {
        id: frame.from === self ? 'someone' : text(frame.from),
        bot: frame.isBot === true && frame.from !== self && this.#defect !== 'takes bots for people',
      },
      content,
      mentioned: frame.mentions === self || (frame.mentions === 'all' && this.#defect === 'feels mentioned by all'),
      ...(typeof frame.quotes === 'string' && this.#defect !== 'forgets quotes' ? { replyTo: frame.quotes } : {}),
    }
    await this.#endpoint.receive(message)
  }

  #encoded(words: string): string {
    return this.#defect === 'loses characters' ? words.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '?') : words
  }

  #channelOf({ room, thread }: Record<string, unknown>): Channel {
    const parent = { type: 'group' as const, id: text(room) }
    if (typeof thread !== 'string' || this.#defect === 'knows no threads') return parent
    return { type: 'group', id: `${text(room)}:${thread}`, parent }
  }

  async send(target: Channel, message: OutboundMessage): Promise<{ messageId: string }> {
    const [room, thread] = target.id.split(':')
    const picture = message.segments.find(({ type }) => type === 'image')?.data.base64
    const buttons = message.segments.find(({ type }) => type === 'card')?.data.buttons
    const params = {
      room: this.#defect === 'speaks in one room' ? 'hall' : room,
      thread,
      key: this.#defect === 'ignores the key' ? Math.random() : message.key,
      text: this.#shown(message.text),
      quotes: this.#defect === 'quotes nothing' ? undefined : message.replyTo,
      buttons,
      picture: this.#bytesOf(picture),
    }
    const { id } = await this.#sent(params)
    return { messageId: text(id) }
  }

  #shown(words: string): string {
    return this.#defect === 'cuts too much' ? words.slice(0, 99) : this.#encoded(words)
  }

  #bytesOf(picture: unknown): Buffer | undefined {
    if (typeof picture !== 'string') return undefined
    const bytes = Buffer.from(picture, 'base64')
    return this.#defect === 'damages media' ? bytes.subarray(1) : bytes
  }

  async #sent(params: Record<string, unknown>): Promise<Record<string, unknown>> {
    try {
      return await this.#call('send', params)
    } catch (error) {
      if (!(error instanceof Refusal)) {
        if (this.#defect !== 'repeats by itself') throw error
        return this.#call('send', { ...params, key: Math.random() })
      }
      if (error.retryAfter === undefined) {
        if (this.#defect === 'does not know refusals') throw new Error(error.message, { cause: error })
        throw new SendError('refused', error.message)
      }
      const retryAfter = this.#defect === 'is impatient' ? 1_000 : error.retryAfter
      throw new SendError('rate-limited', error.message, { retryAfter })
    }
  }

  async edit(_target: Channel, id: string, message: OutboundMessage): Promise<void> {
    if (this.#defect !== 'does not edit') await this.#call('edit', { id, text: message.text })
  }

  async react(_target: Channel, id: string, emoji: string, on: boolean): Promise<void> {
    await this.#call('react', { id, emoji, on: this.#defect === 'keeps its reactions' || on })
  }

  async typing({ id }: Channel): Promise<void> {
    if (this.#defect !== 'types in secret') await this.#call('typing', { room: id })
  }

  async fetchMedia({ data }: Segment, { maxBytes }: { readonly maxBytes: number }): Promise<Uint8Array> {
    const { bytes } = await this.#call('picture', { id: data.fileId })
    const read = bytes as Uint8Array
    if (read.length > maxBytes) throw new Error('larger than the limit')
    return read
  }
}

/** Returns the plugin of an adapter for a server, with a defect where one is named. */
export function memoryAdapter(server: MemoryServer, defect?: Defect): AnyPlugin {
  const adapter = defineAdapter({
    name: 'memory',
    schema: MemoryConfig,
    acknowledges: 'after-store',
    buttons: true,
    repeats: { forMs: 120_000 },
    limits: { text: 100 },
    create: (endpoint) => new MemoryBot(endpoint as EndpointHandle<Config>, server, defect),
  })
  return definePlugin({
    name: 'adapter-memory',
    items: [endpointSchema(adapter)],
    setup: (ctx) => void ctx.contribute(adapters, adapter),
  }) as AnyPlugin
}
