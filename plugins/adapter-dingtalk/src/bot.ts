import { WireError } from '@mynah/contract'
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
import type { DingTalkConfig } from './config.js'
import { ConfigurationError, connectError, DingTalkError, sendError, wireError } from './errors.js'
import { messageOf } from './inbound.js'
import { answerOf, compose, mediumOf, wordsOf, type Medium, type RobotMessage, type Words } from './outbound.js'
import { Rest } from './rest.js'
import { Stream, streamAddress } from './stream.js'
import { idOf, textOf, type Fields } from './wire.js'

/** Time for which a refused account is not tried again, ms. */
const REFUSED_MS = 60_000
/** The code of a session that has ended. */
const SESSION_GONE = '300001'

export class DingTalkBot implements Bot {
  readonly #endpoint: EndpointHandle<DingTalkConfig>
  readonly #rest: Rest
  #stream: Stream | undefined
  #closing = new AbortController()
  #refused: { readonly until: number; readonly error: Error } | undefined

  constructor(endpoint: EndpointHandle<DingTalkConfig>) {
    this.#endpoint = endpoint
    this.#rest = new Rest(endpoint.config, endpoint.clock, endpoint.signal)
  }

  async connect(): Promise<Self> {
    const { clock, config, log } = this.#endpoint
    if (this.#refused && clock.now() < this.#refused.until) throw this.#refused.error
    this.#closing = new AbortController()
    try {
      this.#stream = await Stream.open({
        url: await streamAddress(this.#rest, config),
        clock,
        log,
        signal: this.#closing.signal,
        onMessage: (data) => this.#take(data),
        onLost: (reason) => this.#endpoint.lost(reason),
      })
      return { id: config.clientId }
    } catch (failure) {
      const error = connectError(failure)
      if (error instanceof ConfigurationError) this.#refused = { until: clock.now() + REFUSED_MS, error }
      throw error
    }
  }

  async disconnect(): Promise<void> {
    this.#closing.abort()
    const stream = this.#stream
    this.#stream = undefined
    await stream?.close()
  }

  async #take(data: Fields): Promise<void> {
    const message = messageOf(data)
    if (message) await this.#endpoint.receive(message)
  }

  async send(target: Target, { segments, via }: OutboundMessage): Promise<{ messageId?: string }> {
    const ids: (string | undefined)[] = []
    try {
      for (const part of await compose(segments)) ids.push(await this.#sendPart(target, part, via?.token))
    } catch (error) {
      const failure = sendError(error)
      // A later attempt would send the first parts again.
      if (ids.length === 0) throw failure
      throw new Error(`A part of the message was sent, and then: ${failure.message}`, { cause: error })
    }
    const [messageId] = ids
    return messageId === undefined ? {} : { messageId }
  }

  async #sendPart(target: Target, part: Words | Medium, session: string | undefined): Promise<string | undefined> {
    if (part.kind !== 'words') return this.#post(target, mediumOf(part, await this.#sourceOf(part)))
    if (session !== undefined && (await this.#answer(session, part))) return undefined
    return this.#post(target, wordsOf(part))
  }

  /** Answers by the session of a message. Returns whether DingTalk still knows it. */
  async #answer(session: string, words: Words): Promise<boolean> {
    try {
      await this.#rest.answer(session, answerOf(words))
      return true
    } catch (error) {
      if (error instanceof DingTalkError && error.code === SESSION_GONE) return false
      throw error
    }
  }

  async #sourceOf({ kind, name, bytes, url, mime }: Medium): Promise<string> {
    if (url !== undefined) return url
    const form = new FormData()
    form.set('media', new Blob([new Uint8Array(bytes ?? [])], { type: mime }), name)
    return this.#rest.upload(kind, form)
  }

  async #post({ type, id }: Target, message: RobotMessage): Promise<string | undefined> {
    const robot = { robotCode: this.#endpoint.config.clientId, ...message }
    if (type !== 'private') {
      const sent = await this.#rest.call('/v1.0/robot/groupMessages/send', { openConversationId: id, ...robot })
      return idOf(sent.processQueryKey)
    }
    const sent = await this.#rest.call('/v1.0/robot/oToMessages/batchSend', { userIds: [id], ...robot })
    const lists = (list: unknown): boolean => Array.isArray(list) && list.length > 0
    if (lists(sent.flowControlledStaffIdList))
      throw new SendError('rate-limited', 'DingTalk limits the messages to this user', { retryAfter: REFUSED_MS })
    if (lists(sent.invalidStaffIdList))
      throw new SendError('refused', 'DingTalk knows no user of the organization with this id')
    return idOf(sent.processQueryKey)
  }

  async fetchMedia({ data }: Segment, limits: FetchLimits): Promise<Uint8Array> {
    const downloadCode = textOf(data.fileId, 4_096)
    if (downloadCode === '') throw new WireError('not_found', 'The segment names no file of DingTalk')
    const body = { downloadCode, robotCode: this.#endpoint.config.clientId }
    try {
      const { downloadUrl } = await this.#rest.call('/v1.0/robot/messageFiles/download', body)
      return await this.#rest.download(textOf(downloadUrl, 4_096), limits)
    } catch (error) {
      throw wireError(error)
    }
  }
}
