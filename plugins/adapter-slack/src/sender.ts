import { SendError, type EndpointHandle, type OutboundMessage, type Target } from '@mynah/plugin-chat/api'
import { SlackError, type SlackApi } from './api.js'
import type { Directory } from './directory.js'
import { sendError } from './errors.js'
import { bodyOf, compose } from './outbound.js'
import { hashOf, Unfindable } from './unfindable.js'
import { upload } from './uploads.js'
import { fieldsOf, listOf, messageIdOf, partsOf, textOf, tsOf, type Fields } from './wire.js'

const EVENT_TYPE = 'mynah_message'
/** `channel`, `user`, and either with a thread. */
const TARGET = /^([CDGUW][A-Z0-9]{1,19})(?::(\d{1,10}\.\d{6}))?$/
/** Slack does not let the bot post there, but may take an answer by the address of an interaction. */
const OUTSIDE = /^(?:channel_not_found|not_in_channel)$/
/** The user does not see the channel. */
const UNSEEN = /^(?:channel_not_found|not_in_channel|user_not_in_channel)$/
const PAGE = 200
const MAX_PAGES = 5
/** Largest difference between the clocks of Slack and host, in seconds. */
const SKEW_S = 300

interface Place {
  readonly channel: string
  readonly thread_ts: string | undefined
}

/** Sends messages, and looks for those whose outcome is not known. */
export class Sender {
  readonly #endpoint: EndpointHandle
  readonly #api: SlackApi
  readonly #directory: Directory
  readonly #unfindable: Unfindable
  /** The channel that Slack limited last. */
  #limited: { readonly channel: string; readonly until: number } | undefined

  constructor(endpoint: EndpointHandle, api: SlackApi, directory: Directory) {
    this.#endpoint = endpoint
    this.#api = api
    this.#directory = directory
    this.#unfindable = new Unfindable(endpoint.cursor)
  }

  async send(target: Target, message: OutboundMessage): Promise<{ messageId?: string }> {
    const { only, segments } = message
    try {
      const composed = await compose(segments)
      const place = await this.#placeOf(target)
      const body = bodyOf(composed, await upload(this.#api, composed.files))
      const ts =
        only === undefined ? await this.#post(place, body, message) : await this.#whisper(place, body, message, only)
      return ts === undefined ? {} : { messageId: messageIdOf(ts.channel, ts.ts) }
    } catch (error) {
      throw this.#failure(error, target.id)
    }
  }

  /** Replaces a message. Its files stay. */
  async edit(messageId: string, { segments }: OutboundMessage): Promise<void> {
    const parts = partsOf(messageId)
    if (!parts) throw new SendError('refused', 'This message cannot be edited')
    try {
      const { text, blocks = [] } = bodyOf(await compose(segments))
      await this.#api.call('chat.update', { ...parts, text, blocks })
    } catch (error) {
      throw this.#failure(error, parts.channel)
    }
  }

  async find(target: Target, key: string, since: number): Promise<{ messageId: string } | null | undefined> {
    try {
      if (await this.#unfindable.has(key)) return undefined
      const { channel, thread_ts: thread } = await this.#placeOf(target)
      const method = thread === undefined ? 'conversations.history' : 'conversations.replies'
      const oldest = (since / 1_000 - SKEW_S).toFixed(6)
      let cursor: string | undefined
      for (let page = 0; page < MAX_PAGES && cursor !== ''; page++) {
        const args = { channel, ts: thread, oldest, limit: PAGE, cursor, include_all_metadata: true }
        const answer = await this.#api.call(method, args)
        const found = listOf(answer.messages).find((message) => keyOf(message) === hashOf(key))
        if (tsOf(found?.ts) !== undefined) return { messageId: messageIdOf(channel, String(found?.ts)) }
        cursor = textOf(fieldsOf(answer.response_metadata).next_cursor, 1_000)
      }
      return cursor === '' ? null : undefined
    } catch (error) {
      throw this.#failure(error, target.id)
    }
  }

  async #placeOf({ id }: Target): Promise<Place> {
    const [, to, thread] = TARGET.exec(id) ?? []
    if (to === undefined) throw new SendError('refused', `"${id.slice(0, 64)}" is no channel, thread or user of Slack`)
    const channel = /^[UW]/.test(to) ? await this.#directory.openDirect(to) : to
    if (channel === undefined) throw new SendError('refused', 'Slack opens no private channel with this user')
    return { channel, thread_ts: thread }
  }

  async #post(place: Place, body: Fields, { key, via }: Pick<OutboundMessage, 'key' | 'via'>) {
    const metadata = { event_type: EVENT_TYPE, event_payload: { key: hashOf(key) } }
    try {
      const { ts } = await this.#api.call('chat.postMessage', { ...place, ...body, metadata })
      return tsOf(ts) === undefined ? undefined : { channel: place.channel, ts: ts as string }
    } catch (error) {
      if (!(error instanceof SlackError) || !OUTSIDE.test(error.code) || via === undefined) throw error
      await this.#unfindable.add(key)
      if (await this.#api.respond(via.token, { ...body, response_type: 'in_channel', replace_original: false }))
        return undefined
      throw error
    }
  }

  /** Sends a message that only one user sees. Slack does not store it. */
  async #whisper(place: Place, body: Fields, { key, via }: Pick<OutboundMessage, 'key' | 'via'>, only: string) {
    await this.#unfindable.add(key)
    const answer = { ...body, thread_ts: place.thread_ts, response_type: 'ephemeral', replace_original: false }
    if (via && (await this.#api.respond(via.token, answer))) return undefined
    try {
      await this.#api.call('chat.postEphemeral', { ...place, ...body, user: only })
      return undefined
    } catch (error) {
      if (!(error instanceof SlackError) || !UNSEEN.test(error.code)) throw error
      return this.#post(await this.#placeOf({ type: 'private', id: only }), body, { key })
    }
  }

  /** Slack does not say what it limits. Where a second channel is limited meanwhile, it is the account. */
  #failure(error: unknown, target: string): Error {
    const now = this.#endpoint.clock.now()
    const channel = target.split(':')[0] ?? ''
    if (!(error instanceof SlackError) || error.retryAfter === undefined) return sendError(error)
    const isOther = this.#limited !== undefined && this.#limited.until > now && this.#limited.channel !== channel
    this.#limited = { channel, until: now + error.retryAfter }
    return sendError(error, isOther ? 'endpoint' : 'channel')
  }
}

function keyOf({ metadata }: Fields): unknown {
  const { event_type: type, event_payload: payload } = fieldsOf(metadata)
  return type === EVENT_TYPE ? fieldsOf(payload).key : undefined
}
