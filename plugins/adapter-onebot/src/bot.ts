import { WireError } from '@mynah/contract'
import { messageOf as reasonOf } from '@mynah/kernel'
import type { WebSocket } from 'ws'
import {
  SendError,
  type Bot,
  type EndpointHandle,
  type Friend,
  type Group,
  type Member,
  type OutboundMessage,
  type Self,
  type Target,
} from '@mynah/plugin-chat/api'
import { login } from './account.js'
import { listOf, sendErrorOf, wireErrorOf, type Transport } from './action.js'
import { configMistake, type OneBotConfig } from './config.js'
import { inboundOf, type Inbound } from './events.js'
import { openSocket } from './forward.js'
import { missedMessages, GROUP_CURSOR } from './history.js'
import { HttpTransport } from './http-transport.js'
import { friendOf, groupOf, memberOf } from './lists.js'
import { messagesOf } from './outbound.js'
import { Door, PATH } from './reverse.js'
import { SocketTransport } from './socket-transport.js'
import { idOf, isRecord, messageIdOf, serverIdOf, wireId, type Frame } from './wire.js'

/** A connection, and whether its account is known. */
interface Session {
  readonly abort: AbortController
  readonly ready: Promise<boolean>
  readonly setReady: (isReady: boolean) => void
  transport?: Transport
  selfId?: string
}

function newSession(): Session {
  let setReady: Session['setReady'] = () => {}
  const ready = new Promise<boolean>((resolve) => {
    setReady = resolve
  })
  return { abort: new AbortController(), ready, setReady }
}

export class OneBotBot implements Bot {
  readonly endpoint: EndpointHandle<OneBotConfig>
  readonly #hasServer: () => boolean
  readonly #door = new Door()
  #session: Session | undefined

  constructor(endpoint: EndpointHandle<OneBotConfig>, hasServer: () => boolean) {
    this.endpoint = endpoint
    this.#hasServer = hasServer
    endpoint.signal.addEventListener('abort', () => this.#door.close(), { once: true })
  }

  /** The connection while the account is online. */
  get transport(): Transport | undefined {
    const session = this.#session
    return session?.selfId === undefined ? undefined : session.transport
  }

  /** Returns why a server with this account may not connect. */
  selfMistake(selfId: string): string | undefined {
    const wanted = this.endpoint.config.selfId ?? this.#session?.selfId
    return wanted === undefined || wanted === selfId
      ? undefined
      : `This endpoint is for the account ${wanted}, not for ${selfId}`
  }

  /** Takes the connection of a server. It replaces the one that the endpoint has. */
  admit(socket: WebSocket): void {
    const isReplacing = this.#session?.transport !== undefined
    this.#door.offer(socket)
    if (isReplacing) this.endpoint.lost('The OneBot server has opened another connection')
  }

  async connect(): Promise<Self> {
    const { config, signal, clock, log, lost } = this.#parts()
    const mistake = configMistake(config, this.#hasServer())
    if (mistake) throw new Error(mistake)
    const session = newSession()
    this.#session = session
    const both = AbortSignal.any([session.abort.signal, signal])
    if (config.mode === 'http') session.transport = new HttpTransport(config, clock, both, lost)
    else {
      const socket = await (config.mode === 'forward'
        ? openSocket(config, both)
        : this.#door.next(`${PATH}${this.endpoint.id}`, both))
      if (both.aborted) socket.terminate()
      const onEvent = (event: Frame): Promise<void> => this.#take(event, session)
      session.transport = new SocketTransport(socket, { clock, log, onEvent, onLost: lost })
    }
    const me = await login(session.transport, config.selfId)
    if (both.aborted) throw new Error('disconnected while connecting')
    session.selfId = me.id
    void this.#catchUp(session).then(() => session.setReady(true))
    return me
  }

  #parts() {
    const { config, signal, clock, log } = this.endpoint
    return { config, signal, clock, log, lost: (reason: string) => this.endpoint.lost(reason) }
  }

  async disconnect(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    session?.abort.abort()
    session?.setReady(false)
    await session?.transport?.close()
  }

  /** Takes a posted event. Resolves once it is accepted. */
  async post(event: Frame): Promise<void> {
    const session = this.#session
    if (!(session?.transport instanceof HttpTransport))
      throw new WireError('not_ready', 'The endpoint is not connected')
    session.transport.heard()
    await this.#take(event, session)
  }

  /** Passes what was said in groups since the last connection. */
  async #catchUp({ transport, selfId = '' }: Session): Promise<void> {
    const { history = 0 } = this.endpoint.config
    if (history === 0 || !transport) return
    try {
      for await (const item of missedMessages(transport, this.endpoint, selfId, history)) await this.#deliver(item)
    } catch (error) {
      this.endpoint.log.warn(`failed to read the history: ${reasonOf(error)}`)
    }
  }

  async #take(event: Frame, session: Session): Promise<void> {
    if (!(await session.ready)) return
    const { selfId = '' } = session
    const of = idOf(event.self_id)
    if (of !== undefined && of !== selfId) return this.endpoint.log.debug(`an event of the account ${of} is ignored`)
    for (const item of inboundOf(event, selfId)) {
      try {
        await this.#deliver(item)
      } catch (error) {
        this.endpoint.log.error(`failed to accept an event: ${reasonOf(error)}`)
      }
    }
  }

  async #deliver(item: Inbound): Promise<void> {
    const { endpoint } = this
    if ('message' in item) {
      const { channel, timestamp } = item.message
      const keeps = (endpoint.config.history ?? 0) > 0 && channel.type === 'group' && timestamp !== undefined
      await endpoint.receive(
        item.message,
        keeps ? { cursor: { [`${GROUP_CURSOR}${channel.id}`]: String(timestamp) } } : {},
      )
    } else if ('change' in item) await endpoint.changed(item.change)
    else if ('reaction' in item) await endpoint.reaction(item.reaction)
    else if ('request' in item) await endpoint.request(item.request)
    else await endpoint.notice(item.notice)
  }

  #online(): Transport {
    const { transport } = this
    if (!transport) throw new SendError('offline', 'There is no connection to the OneBot server')
    return transport
  }

  async send(target: Target, message: OutboundMessage): Promise<{ messageId?: string }> {
    const transport = this.#online()
    const chat = idOf(target.id)
    if (target.type === 'channel' || chat === undefined)
      throw new SendError('refused', `"${target.id}" is no chat of QQ`)
    const messages = await messagesOf(message.segments, chat, message.replyTo)
    if (messages.length === 0) throw new SendError('refused', 'The message has nothing that QQ can show')
    const [action, where] =
      target.type === 'group' ? ['send_group_msg', { group_id: wireId(chat) }] : privateTo(target, chat)
    let first: string | undefined
    for (const [index, content] of messages.entries()) {
      const sent = await transport.call(action, { ...where, message: content }).catch((error: unknown) => {
        const failure = sendErrorOf(error)
        // Not a refusal, since an earlier part has arrived.
        throw index === 0 ? failure : new Error(`Only a part of the message was sent: ${failure.message}`)
      })
      first ??= idOf(isRecord(sent) ? sent.message_id : undefined)
    }
    return first === undefined ? {} : { messageId: messageIdOf(chat, first) }
  }

  async recall(target: Target, messageId: string): Promise<void> {
    await this.#act('delete_msg', { message_id: this.#messageIn(target, messageId) })
  }

  /** Not in the standard; NapCat and others have it. */
  async react(target: Target, messageId: string, emoji: string, isOn: boolean): Promise<void> {
    const code = /^\d{1,10}$/.test(emoji) ? emoji : String(emoji.codePointAt(0) ?? '')
    await this.#act('set_msg_emoji_like', { message_id: this.#messageIn(target, messageId), emoji_id: code, set: isOn })
  }

  async friends(): Promise<Friend[]> {
    return listOf(await this.#act('get_friend_list', {})).flatMap(friendOf)
  }

  async groups(): Promise<Group[]> {
    return listOf(await this.#act('get_group_list', {})).flatMap(groupOf)
  }

  async groupMembers(groupId: string): Promise<Member[]> {
    return listOf(await this.#act('get_group_member_list', { group_id: wireId(groupId) })).flatMap(memberOf)
  }

  async groupKick(groupId: string, userId: string): Promise<void> {
    await this.#act('set_group_kick', { ...memberIn(groupId, userId), reject_add_request: false })
  }

  async groupMute(groupId: string, userId: string, seconds: number): Promise<void> {
    await this.#act('set_group_ban', { ...memberIn(groupId, userId), duration: Math.max(0, Math.ceil(seconds)) })
  }

  async groupAdmin(groupId: string, userId: string, enable: boolean): Promise<void> {
    await this.#act('set_group_admin', { ...memberIn(groupId, userId), enable })
  }

  async requestApprove(requestId: string, remark = ''): Promise<void> {
    await this.#answer(requestId, true, remark)
  }

  async requestReject(requestId: string, reason = ''): Promise<void> {
    await this.#answer(requestId, false, reason)
  }

  async #answer(requestId: string, approve: boolean, words: string): Promise<void> {
    const [, kind, subType, flag] = /^(friend|group-(join|invite)):(.+)$/s.exec(requestId) ?? []
    if (flag === undefined) throw new WireError('not_found', `No request "${requestId}"`)
    if (kind === 'friend') await this.#act('set_friend_add_request', { flag, approve, remark: approve ? words : '' })
    else {
      const type = subType === 'invite' ? 'invite' : 'add'
      await this.#act('set_group_add_request', { flag, sub_type: type, approve, reason: approve ? '' : words })
    }
  }

  #messageIn(target: Target, messageId: string): number | string {
    const id = serverIdOf(target.id, messageId)
    if (id === undefined) throw new WireError('not_found', `"${messageId}" is no message of "${target.id}"`)
    return wireId(id)
  }

  async #act(action: string, params: Frame): Promise<unknown> {
    try {
      return await this.#online().call(action, params)
    } catch (error) {
      throw wireErrorOf(error)
    }
  }
}

/** A private chat that began in a group needs the group, unless the two are friends. */
function privateTo({ parent }: Target, user: string): [string, Frame] {
  const group = parent?.type === 'group' ? { group_id: wireId(parent.id) } : {}
  return ['send_private_msg', { user_id: wireId(user), ...group }]
}

function memberIn(groupId: string, userId: string): Frame {
  if (!/^\d{1,20}$/.test(groupId) || !/^\d{1,20}$/.test(userId))
    throw new WireError('not_found', `No member "${userId}" in a group "${groupId}"`)
  return { group_id: wireId(groupId), user_id: wireId(userId) }
}
