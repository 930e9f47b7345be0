import { createHmac } from 'node:crypto'
import { Api } from 'grammy'
import type { ReactionTypeEmoji, Update, UserFromGetMe } from 'grammy/types'
import { pause } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import {
  SendError,
  type Bot,
  type CommandMenu,
  type EndpointHandle,
  type FetchLimits,
  type OutboundMessage,
  type Segment,
  type Self,
  type Target,
} from '@mynah/plugin-chat/api'
import { withoutAccepted } from './albums.js'
import { Administrators } from './administrators.js'
import type { TelegramConfig } from './config.js'
import { boundedFetch } from './bounded-fetch.js'
import { reasonOf, retryAfterOf, sendErrorOf, wireErrorOf } from './errors.js'
import { download } from './files.js'
import { messageIdOf, numberIn, parseChannelId, type Place } from './ids.js'
import { Migrations, movedTo, moveOf } from './migrations.js'
import { showMenus } from './command-menu.js'
import { callsOf, type Call } from './outbound.js'
import { Poller } from './poller.js'
import { parseMe } from './validation.js'
import { deliverUpdate } from './updates.js'

/** Longer than the time of a long poll. */
const CALL_TIMEOUT_S = 60
/** Attempts for the later parts of a message where Telegram asks to slow down. */
const PART_TRIES = 5
/** Longest delay before one of them, ms. */
const PART_WAIT_MS = 60_000
/** Shortest secret of a webhook. */
const SHORTEST_MUTE_S = 35

const RIGHTS = [
  'can_manage_chat',
  'can_delete_messages',
  'can_restrict_members',
  'can_invite_users',
  'can_pin_messages',
] as const
const SPEECH = [
  'can_send_messages',
  'can_send_audios',
  'can_send_documents',
  'can_send_photos',
  'can_send_videos',
  'can_send_video_notes',
  'can_send_voice_notes',
  'can_send_polls',
  'can_send_other_messages',
  'can_add_web_page_previews',
] as const
const all = <K extends string>(names: readonly K[], value: boolean): Record<K, boolean> =>
  Object.fromEntries(names.map((name) => [name, value])) as Record<K, boolean>

/** State that the accounts of a host share. */
export interface TelegramAccounts {
  /** Accounts that poll, by token. */
  readonly pollers: Map<string, TelegramBot>
  /** Whether the host has an HTTP server. */
  readonly hasHttpServer: () => boolean
  /** The prefix of commands. */
  readonly commandPrefix?: () => string
}

interface Sent {
  readonly message_id?: unknown
  readonly chat?: { readonly id?: unknown } | null
}

/** Returns the id of a sent message. An answer without one still means that the message was sent. */
function sentIdOf(sent: Sent | null | undefined): string | undefined {
  const chat = sent?.chat?.id
  const message = sent?.message_id
  return Number.isSafeInteger(chat) && Number.isSafeInteger(message)
    ? messageIdOf(chat as number, message as number)
    : undefined
}

/** Returns an address without the slashes at its end. */
function withoutSlashes(address: string): string {
  let end = address.length
  while (address[end - 1] === '/') end--
  return address.slice(0, end)
}

/** Returns the path of the webhook of an account. */
const webhookPath = (id: string): string => `/webhook/telegram/${encodeURIComponent(id)}`

/**
 * Returns the secret of an endpoint whose configuration has none. It is the same on all hosts and after each start, so
 * that calls with the secret of another host or of an earlier start are still accepted.
 */
const secretOf = (token: string, id: string): string =>
  createHmac('sha256', token).update(`webhook of ${id}`).digest('base64url')

export class TelegramBot implements Bot {
  readonly endpoint: EndpointHandle<TelegramConfig>
  /** The secret that Telegram sends with each call in webhook mode. */
  readonly webhookSecret: string
  readonly #api: Api
  readonly #accounts: TelegramAccounts
  readonly #administrators: Administrators
  readonly #migrations: Migrations
  readonly #poller: Poller
  #connection: AbortController | undefined
  #me: UserFromGetMe | undefined

  constructor(endpoint: EndpointHandle<TelegramConfig>, accounts: TelegramAccounts) {
    const { config, clock, log } = endpoint
    this.endpoint = endpoint
    this.webhookSecret = config.webhookSecret ?? secretOf(config.token, endpoint.id)
    this.#accounts = accounts
    this.#api = new Api(config.token, {
      apiRoot: config.apiRoot,
      timeoutSeconds: CALL_TIMEOUT_S,
      fetch: boundedFetch(),
    })
    this.#administrators = new Administrators(this.#api, clock, log)
    this.#migrations = new Migrations(endpoint.cursor, log)
    this.#poller = new Poller({
      api: this.#api,
      clock,
      log,
      allowedUpdates: config.allowedUpdates,
      take: async (updates) => this.take(...(await withoutAccepted(updates, endpoint.cursor))),
    })
  }

  /** Whether updates can be received. */
  get connected(): boolean {
    return this.#me !== undefined
  }

  async connect(): Promise<Self> {
    const { config, signal } = this.endpoint
    if (config.mode === 'webhook' && !config.publicUrl)
      throw new Error('publicUrl is required in mode webhook: Telegram must know where to call')
    if (config.mode === 'webhook' && !this.#accounts.hasHttpServer())
      throw new Error('Mode webhook needs the plugin http-core: nothing listens for Telegram')
    const connection = new AbortController()
    const both = AbortSignal.any([connection.signal, signal])
    this.#connection = connection
    if (config.mode === 'polling') this.#claim()
    try {
      const me = parseMe(await this.#api.getMe(both as never))
      if (config.mode === 'polling') await this.#api.deleteWebhook({}, both as never)
      // One call at a time, so that updates keep their order.
      else
        await this.#api.setWebhook(
          `${withoutSlashes(config.publicUrl as string)}${webhookPath(this.endpoint.id)}`,
          { secret_token: this.webhookSecret, max_connections: 1, allowed_updates: config.allowedUpdates },
          both as never,
        )
      // The first question shows whether updates can be had. Without it the endpoint would be online and deaf.
      const first = config.mode === 'polling' ? await this.#poller.open(both) : []
      if (both.aborted) throw new Error('disconnected while connecting')
      this.#me = me
      if (config.mode === 'polling')
        this.endpoint.during(
          this.#poller.start(first, both).catch((error: unknown) => {
            throw new Error(reasonOf(error))
          }),
        )
      return { id: String(me.id), name: me.username ?? me.first_name }
    } catch (error) {
      throw new Error(reasonOf(error))
    }
  }

  #claim(): void {
    const { token } = this.endpoint.config
    const other = this.#accounts.pollers.get(token)
    if (other && other !== this)
      throw new Error(`The endpoint "${other.endpoint.id}" polls with the same token: only one may`)
    this.#accounts.pollers.set(token, this)
  }

  async disconnect(): Promise<void> {
    this.#connection?.abort()
    this.#connection = undefined
    this.#me = undefined
    await this.#poller.stop()
    const { token } = this.endpoint.config
    if (this.#accounts.pollers.get(token) === this) this.#accounts.pollers.delete(token)
  }

  /** Receives an update, or all of an album. Resolves once it is accepted. */
  async take(...updates: readonly Update[]): Promise<void> {
    const me = this.#me
    if (!me) throw new WireError('not_ready', 'The endpoint is not connected')
    for (const { message } of updates) {
      const move = moveOf(message)
      if (move) await this.#migrations.moved(...move)
      else if (message?.chat) this.#migrations.saw(message.chat.id)
    }
    await deliverUpdate(updates, {
      me,
      endpoint: this.endpoint,
      administrators: this.#administrators,
      migrations: this.#migrations,
      prefix: this.#accounts.commandPrefix?.() ?? '/',
    })
    // Otherwise the button looks pressed for a minute. A failure does not undo the press.
    for (const { callback_query: query } of updates) if (query) this.#release(query.id)
  }

  #release(query: string): void {
    const { log, signal } = this.endpoint
    this.#api
      .answerCallbackQuery(query, {}, signal as never)
      .catch((error: unknown) => log.debug(`failed to release a button: ${reasonOf(error)}`))
  }

  async send(target: Target, message: OutboundMessage): Promise<{ messageId?: string }> {
    const place = parseChannelId(target.id)
    if (!place) throw new SendError('refused', `"${target.id}" is no id of a chat on Telegram`)
    const calls = await callsOf(message)
    if (calls.length === 0) throw new SendError('refused', 'The message has nothing that Telegram can show')
    const chat = await this.#migrations.idOf(place.chat)
    try {
      return await this.#sendTo({ ...place, chat }, message, calls)
    } catch (error) {
      const to = movedTo(error)
      if (to === undefined || to === chat || typeof chat !== 'number') throw sendErrorOf(error)
      await this.#migrations.refused(chat, to)
      return await this.#sendTo({ ...place, chat: to }, message, calls).catch((again: unknown) => {
        throw sendErrorOf(again)
      })
    }
  }

  /** Sends the calls of a message. Rejects as the first of them does. */
  async #sendTo(place: Place, message: OutboundMessage, calls: readonly Call[]): Promise<{ messageId?: string }> {
    const quoted = message.replyTo ?? message.segments.find(({ type }) => type === 'reply')?.data.id
    const answers = typeof quoted === 'string' ? numberIn(place.chat, quoted) : undefined
    const where = { chat_id: place.chat, ...(place.thread === undefined ? {} : { message_thread_id: place.thread }) }
    let first: string | undefined
    for (const [index, call] of calls.entries()) {
      const payload = {
        ...where,
        ...call.payload,
        ...(index === 0 && answers !== undefined
          ? { reply_parameters: { message_id: answers, allow_sending_without_reply: true } }
          : {}),
      }
      const sent = await this.#part(call.method, payload, index === 0)
      first ??= sentIdOf(sent)
    }
    return first === undefined ? {} : { messageId: first }
  }

  /** Replaces the text of a sent message. Its media stay. */
  async edit(target: Target, messageId: string, message: OutboundMessage): Promise<void> {
    const found = await this.#find(target, messageId)
    if (!found) throw new SendError('refused', `"${messageId}" is no message of "${target.id}"`)
    const [first, ...more] = await callsOf(message)
    if (first?.method !== 'sendMessage' || more.length > 0)
      throw new SendError('refused', 'Only words that fit into one message can take the place of words')
    try {
      await this.#api.raw.editMessageText(
        { chat_id: found.chat, message_id: found.number, ...first.payload } as never,
        this.endpoint.signal as never,
      )
    } catch (error) {
      // The message has this text already.
      if (!reasonOf(error).includes('message is not modified')) throw sendErrorOf(error)
    }
  }

  async recall(target: Target, messageId: string): Promise<void> {
    const found = await this.#find(target, messageId)
    if (!found) throw new SendError('refused', `"${messageId}" is no message of "${target.id}"`)
    await this.#act(() => this.#api.deleteMessage(found.chat, found.number, this.endpoint.signal as never))
  }

  /** A bot has one reaction to a message, which takes the place of the one before. */
  async react(target: Target, messageId: string, emoji: string, isOn: boolean): Promise<void> {
    const found = await this.#find(target, messageId)
    if (!found) throw new WireError('not_found', `"${messageId}" is no message of "${target.id}"`)
    const reaction = /^\d+$/.test(emoji)
      ? { type: 'custom_emoji' as const, custom_emoji_id: emoji }
      : { type: 'emoji' as const, emoji: emoji as ReactionTypeEmoji['emoji'] }
    await this.#act(() =>
      this.#api.setMessageReaction(found.chat, found.number, isOn ? [reaction] : [], {}, this.endpoint.signal as never),
    )
  }

  /** Returns where a message is: in the chat, or in the supergroup that it has become. */
  async #find(
    target: Target,
    messageId: string,
  ): Promise<{ readonly chat: number | string; readonly number: number } | undefined> {
    const place = parseChannelId(target.id)
    if (!place) return undefined
    for (const chat of [place.chat, await this.#migrations.idOf(place.chat)]) {
      const number = numberIn(chat, messageId)
      if (number !== undefined) return { chat, number }
    }
    return undefined
  }

  async typing(target: Target): Promise<void> {
    const place = parseChannelId(target.id)
    if (place)
      await this.#api.raw.sendChatAction(
        {
          chat_id: await this.#migrations.idOf(place.chat),
          action: 'typing',
          ...(place.thread === undefined ? {} : { message_thread_id: place.thread }),
        } as never,
        this.endpoint.signal as never,
      )
  }

  async commands(menu: CommandMenu): Promise<void> {
    if (!this.endpoint.config.menu) return
    try {
      await showMenus(this.#api, menu, this.endpoint.signal)
    } catch (error) {
      throw new Error(reasonOf(error))
    }
  }

  #call(method: Call['method'], payload: Record<string, unknown>): Promise<Sent> {
    return (this.#api.raw[method] as (payload: unknown, signal: unknown) => Promise<Sent>)(
      payload,
      this.endpoint.signal,
    )
  }

  /** Sends one part of a message. Later parts are repeated here, since chat would send the whole message again. */
  async #part(method: Call['method'], payload: Record<string, unknown>, isFirst: boolean): Promise<Sent> {
    const { clock, signal } = this.endpoint
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#call(method, payload)
      } catch (error) {
        const asked = retryAfterOf(error)
        if (isFirst) throw error
        // Not a refusal, since an earlier part has arrived.
        if (asked === undefined || asked > PART_WAIT_MS || attempt === PART_TRIES || signal.aborted)
          throw new Error(`Only a part of the message was sent: ${sendErrorOf(error).message}`)
        await pause(asked, clock, signal)
      }
    }
  }

  async groupKick(groupId: string, userId: string): Promise<void> {
    const [chat, user] = this.#member(groupId, userId)
    await this.#act(() => this.#api.banChatMember(chat, user))
    // Only a removal: the ban is lifted, so that the user may join again. Basic groups have no bans.
    if (String(chat).startsWith('-100'))
      await this.#act(() => this.#api.unbanChatMember(chat, user, { only_if_banned: true }))
  }

  async groupMute(groupId: string, userId: string, seconds: number): Promise<void> {
    const [chat, user] = this.#member(groupId, userId)
    const until = Math.ceil(this.endpoint.clock.now() / 1000) + Math.max(seconds, SHORTEST_MUTE_S)
    await this.#act(() =>
      this.#api.restrictChatMember(chat, user, all(SPEECH, seconds <= 0), seconds > 0 ? { until_date: until } : {}),
    )
  }

  async groupAdmin(groupId: string, userId: string, enable: boolean): Promise<void> {
    const [chat, user] = this.#member(groupId, userId)
    await this.#act(() => this.#api.promoteChatMember(chat, user, all(RIGHTS, enable)))
  }

  async requestApprove(requestId: string): Promise<void> {
    const [chat, user] = this.#request(requestId)
    await this.#act(() => this.#api.approveChatJoinRequest(chat, user))
  }

  async requestReject(requestId: string): Promise<void> {
    const [chat, user] = this.#request(requestId)
    await this.#act(() => this.#api.declineChatJoinRequest(chat, user))
  }

  fetchMedia({ data }: Segment, { maxBytes, signal }: FetchLimits): Promise<Uint8Array> {
    return download(this.#api, this.endpoint.config.apiRoot, data.fileId, {
      maxBytes,
      signal: AbortSignal.any([signal, this.endpoint.signal]),
    })
  }

  #member(groupId: string, userId: string): [chat: number | string, user: number] {
    const place = parseChannelId(groupId)
    if (!place || !/^\d{1,16}$/.test(userId))
      throw new WireError('not_found', `No member "${userId}" in a group "${groupId}"`)
    return [place.chat, Number(userId)]
  }

  #request(requestId: string): [chat: number, user: number] {
    const [, chat, user] = /^(-?\d{1,16}):(\d{1,16}):\d+$/.exec(requestId) ?? []
    if (chat === undefined) throw new WireError('not_found', `No request "${requestId}"`)
    return [Number(chat), Number(user)]
  }

  async #act(call: () => Promise<unknown>): Promise<void> {
    try {
      await call()
    } catch (error) {
      throw wireErrorOf(error)
    }
  }
}
