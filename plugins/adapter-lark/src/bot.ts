import { WireError } from '@mynah/contract'
import { LruMap } from '@mynah/kernel/util'
import {
  SendError,
  type Bot,
  type EndpointHandle,
  type FetchLimits,
  type OutboundMessage,
  type Segment,
  type Self,
  type Target,
} from '@mynah/plugin-chat/api'
import type { LarkConfig } from './config.js'
import { nameOfEmoji } from './emoji.js'
import { ConfigurationError, connectError, sendError, wireError } from './errors.js'
import { Events } from './events.js'
import { compose, uuidOf, type Ready, type Upload } from './outbound.js'
import { path, Rest } from './rest.js'
import { placeOf, Socket } from './socket.js'
import { idOf, listOf, nameOf, textOf, type Fields } from './wire.js'

/** Time for which a refused account is not tried again, ms. */
const REFUSED_MS = 60_000
const MAX_REACTIONS = 1_000
/** A chat or a user, and the message that began a thread. */
const TARGET = /^([\w-]{1,128})(?::([\w-]{1,128}))?$/

interface Body {
  readonly msg_type: string
  readonly content: string
}

export class LarkBot implements Bot {
  readonly endpoint: EndpointHandle<LarkConfig>
  readonly #rest: Rest
  readonly #hasServer: () => boolean
  readonly events: Events
  /** The id of each reaction of the bot. */
  readonly #reactions = new LruMap<string, string>(MAX_REACTIONS)
  #socket: Socket | undefined
  #closing = new AbortController()
  #me = ''
  #refused: { readonly until: number; readonly error: Error } | undefined

  constructor(endpoint: EndpointHandle<LarkConfig>, hasServer: () => boolean) {
    this.endpoint = endpoint
    this.#rest = new Rest(endpoint.config, endpoint.clock, endpoint.signal)
    this.#hasServer = hasServer
    this.events = new Events(endpoint, this.#rest, () => this.#me)
  }

  async connect(): Promise<Self> {
    const { clock, config } = this.endpoint
    if (this.#refused && clock.now() < this.#refused.until) throw this.#refused.error
    this.#closing = new AbortController()
    try {
      const self = await selfOf(this.#rest)
      this.#me = self.id
      if (config.mode === 'webhook') checkWebhook(config, this.#hasServer())
      else await this.#open()
      return self
    } catch (failure) {
      const error = connectError(failure)
      if (error instanceof ConfigurationError) this.#refused = { until: clock.now() + REFUSED_MS, error }
      throw error
    }
  }

  async #open(): Promise<void> {
    const { clock, config, log } = this.endpoint
    this.#socket = await Socket.open({
      place: await placeOf(this.#rest, config),
      clock,
      log,
      signal: this.#closing.signal,
      onEvent: (event) => this.events.take(event),
      onLost: (reason) => this.endpoint.lost(reason),
    })
  }

  async disconnect(): Promise<void> {
    this.#closing.abort()
    const socket = this.#socket
    this.#socket = undefined
    await socket?.close()
  }

  async send(target: Target, message: OutboundMessage): Promise<{ messageId?: string }> {
    const { segments, key } = message
    const replyTo = idOf(message.replyTo ?? segments.find(({ type }) => type === 'reply')?.data.id)
    let first: string | undefined
    try {
      for (const [index, part] of (await compose(segments)).entries()) {
        const body = { ...(await this.#bodyOf(part)), uuid: uuidOf(key, index) }
        const sent = await this.#post(target, body, index === 0 ? replyTo : undefined)
        const id = idOf(sent.message_id)
        if (id !== undefined) this.events.sent(id, sent.chat_id, target)
        first ??= id
      }
      return first === undefined ? {} : { messageId: first }
    } catch (error) {
      // A later attempt sends the first parts with the same keys, which Lark takes once.
      throw sendError(error)
    }
  }

  async #bodyOf(part: Ready | Upload): Promise<Body> {
    if (part.kind === 'ready') return { msg_type: part.type, content: JSON.stringify(part.content) }
    const { kind, name, bytes, mime } = part
    const form = new FormData()
    const blob = new Blob([new Uint8Array(bytes)], { type: mime })
    if (kind === 'image') {
      form.set('image_type', 'message')
      form.set('image', blob, name)
      const { image_key } = await this.#rest.call('POST', path`/images`, form)
      return { msg_type: 'image', content: JSON.stringify({ image_key }) }
    }
    form.set('file_type', 'stream')
    form.set('file_name', name)
    form.set('file', blob, name)
    const { file_key } = await this.#rest.call('POST', path`/files`, form)
    return { msg_type: 'file', content: JSON.stringify({ file_key }) }
  }

  #post({ type, id }: Target, body: Body, replyTo: string | undefined): Promise<Fields> {
    const [, chat, thread] = TARGET.exec(id) ?? []
    if (chat === undefined) throw new SendError('refused', `"${id.slice(0, 64)}" is no chat or user of Lark`)
    const answered = replyTo?.startsWith('om_') ? replyTo : undefined
    const root = answered ?? thread
    if (root !== undefined)
      return this.#rest.call('POST', path`/messages/${root}/reply`, { ...body, reply_in_thread: thread !== undefined })
    const kind = type === 'private' && !chat.startsWith('oc_') ? 'open_id' : 'chat_id'
    return this.#rest.call('POST', `${path`/messages`}?receive_id_type=${kind}`, { receive_id: chat, ...body })
  }

  async edit(_target: Target, messageId: string, { segments }: OutboundMessage): Promise<void> {
    try {
      const [part, ...more] = await compose(segments)
      if (!part || part.kind !== 'ready' || more.length > 0)
        throw new SendError('refused', 'Lark edits only text and cards')
      const body = await this.#bodyOf(part)
      const isCard = part.type === 'interactive'
      const at = path`/messages/${messageId}`
      await this.#rest.call(isCard ? 'PATCH' : 'PUT', at, isCard ? { content: body.content } : body)
    } catch (error) {
      throw sendError(error)
    }
  }

  async recall(_target: Target, messageId: string): Promise<void> {
    await this.#act(() => this.#rest.call('DELETE', path`/messages/${messageId}`))
  }

  async react(_target: Target, messageId: string, emoji: string, isOn: boolean): Promise<void> {
    const type = nameOfEmoji(emoji)
    if (type === undefined) throw new WireError('unsupported', 'Lark has no such reaction')
    await this.#act(async () => {
      const known = `${messageId} ${type}`
      const at = path`/messages/${messageId}/reactions`
      if (isOn) {
        const { reaction_id: id } = await this.#rest.call('POST', at, { reaction_type: { emoji_type: type } })
        return void this.#reactions.set(known, textOf(id, 256))
      }
      const id = this.#reactions.get(known) ?? (await this.#reactionOf(at, type))
      if (id !== undefined) await this.#rest.call('DELETE', `${at}/${encodeURIComponent(id)}`)
      this.#reactions.delete(known)
    })
  }

  async #reactionOf(at: string, type: string): Promise<string | undefined> {
    const { items } = await this.#rest.call('GET', `${at}?reaction_type=${encodeURIComponent(type)}`)
    const own = listOf(items).find(({ operator }) => (operator as Fields | undefined)?.operator_type === 'app')
    return idOf(own?.reaction_id)
  }

  fetchMedia({ type, data }: Segment, limits: FetchLimits): Promise<Uint8Array> {
    const [, message, key] = /^(om_[\w-]{1,128}):([\w.-]{1,256})$/.exec(textOf(data.fileId)) ?? []
    if (message === undefined || key === undefined)
      return Promise.reject(new WireError('not_found', 'The segment names no file of Lark'))
    const kind = type === 'image' ? 'image' : 'file'
    return this.#act(() => this.#rest.download(`${path`/messages/${message}/resources/${key}`}?type=${kind}`, limits))
  }

  async #act<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw wireError(error)
    }
  }
}

/** Asks who the bot is. */
export async function selfOf(rest: Rest): Promise<{ id: string; name?: string }> {
  const { open_id: id, app_name: label } = await rest.call('GET', '/open-apis/bot/v3/info')
  const name = nameOf(label)
  const known = idOf(id)
  if (known === undefined)
    throw new ConfigurationError('The application has no bot: add the feature Bot to it, and publish a version')
  return { id: known, ...(name === undefined ? {} : { name }) }
}

function checkWebhook({ encryptKey }: LarkConfig, hasServer: boolean): void {
  if (encryptKey === undefined)
    throw new ConfigurationError('The mode webhook needs `encryptKey`: everybody could post events without it')
  if (!hasServer) throw new ConfigurationError('The mode webhook needs the plugin http-core: nothing listens for Lark')
}
