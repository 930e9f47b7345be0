import { randomUUID } from 'node:crypto'
import { WireError } from '@mynah/contract'
import { messageOf as textOf } from '@mynah/kernel'
import { LruMap } from '@mynah/kernel/util'
import {
  renderToPlainText,
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
import { xml, type Element } from '@xmpp/client'
import type { XmppConfig } from './config.js'
import { Inbox } from './inbox.js'
import { conditionOf, isAddress, MUC, storeHint, writable } from './stanzas.js'
import { LoginError, XmppStream } from './stream.js'

/** Time for which a refused login is not tried again, ms. */
const REFUSED_MS = 60_000
const MAX_REACTED = 500
const REACTIONS = 'urn:xmpp:reactions:0'
const ROSTER = 'jabber:iq:roster'

interface Session {
  readonly stream: XmppStream
  readonly inbox: Inbox
}

export class XmppBot implements Bot {
  readonly #endpoint: EndpointHandle<XmppConfig>
  readonly #nick: string
  /** The emojis of the bot by message: each change sends all of them. */
  readonly #reacted = new LruMap<string, readonly string[]>(MAX_REACTED)
  #session: Session | undefined
  #refused: { readonly until: number; readonly error: Error } | undefined

  constructor(endpoint: EndpointHandle<XmppConfig>) {
    this.#endpoint = endpoint
    this.#nick = endpoint.config.nick ?? endpoint.config.jid.split('@', 1)[0] ?? 'mynah'
  }

  async connect(): Promise<Self> {
    const { config, clock, log, signal } = this.#endpoint
    if (this.#refused && clock.now() < this.#refused.until) throw this.#refused.error
    const isCurrent = (): boolean => this.#session?.stream === stream
    const stream: XmppStream = new XmppStream({
      config,
      resource: config.resource ?? 'mynah',
      clock,
      log,
      stanza: (stanza) => inbox.take(stanza),
      lost: (reason) => {
        if (isCurrent()) this.#endpoint.lost(reason)
      },
    })
    const inbox: Inbox = new Inbox({ endpoint: this.#endpoint, stream, me: config.jid, nick: this.#nick })
    this.#session = { stream, inbox }
    try {
      await stream.open(signal)
      await inbox.open(config.rooms ?? [])
      return { id: config.jid, name: this.#nick }
    } catch (error) {
      if (error instanceof LoginError) this.#refused = { until: clock.now() + REFUSED_MS, error }
      throw error
    }
  }

  async disconnect(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    await session?.stream.close()
    await session?.inbox.close()
  }

  async send(target: Target, { segments, key, replyTo }: OutboundMessage): Promise<{ messageId: string }> {
    const { inbox } = this.#online()
    const shown = segments.filter(({ type }) => type !== 'reply')
    const body = writable(renderToPlainText(shown))
    if (body.trim() === '') throw new SendError('refused', 'The message has no text')
    const quoted = replyTo ?? segments.find(({ type }) => type === 'reply')?.data.id
    const answered = typeof quoted === 'string' ? inbox.known.get(target.id, quoted) : undefined
    const reply =
      answered &&
      xml('reply', { xmlns: 'urn:xmpp:reply:0', to: answered.sender, id: this.#reference(target, answered) })
    return { messageId: await this.#deliver(target, key, [xml('body', {}, body), ...(reply ? [reply] : [])]) }
  }

  /** Replaces a message. Clients show the correction in its place. */
  async edit(target: Target, messageId: string, { segments }: OutboundMessage): Promise<void> {
    const { inbox } = this.#online()
    const given = target.type === 'private' ? messageId : inbox.known.get(target.id, messageId)?.given
    if (given === undefined) throw new SendError('refused', 'The message is too old to be corrected')
    const replaced = xml('replace', { xmlns: 'urn:xmpp:message-correct:0', id: given })
    const body = xml('body', {}, writable(renderToPlainText([...segments])))
    await this.#deliver(target, randomUUID(), [body, replaced])
  }

  async recall(target: Target, messageId: string): Promise<void> {
    const retract = xml('retract', { xmlns: 'urn:xmpp:message-retract:1', id: messageId })
    const words = 'The bot deleted a message, which this client does not show.'
    const fallback = xml('fallback', { xmlns: 'urn:xmpp:fallback:0', for: 'urn:xmpp:message-retract:1' })
    await this.#act(() => this.#deliver(target, randomUUID(), [retract, fallback, xml('body', {}, words), storeHint()]))
  }

  async react(target: Target, messageId: string, emoji: string, isOn: boolean): Promise<void> {
    const { inbox } = this.#online()
    const known = inbox.known.get(target.id, messageId)
    const id = known ? this.#reference(target, known) : messageId
    const others = (this.#reacted.get(messageId) ?? []).filter((other) => other !== emoji)
    const all = isOn ? [...others, emoji] : others
    const reactions = all.map((each) => xml('reaction', {}, writable(each)))
    const element = xml('reactions', { xmlns: REACTIONS, id }, ...reactions)
    await this.#act(() => this.#deliver(target, randomUUID(), [element, storeHint()]))
    this.#reacted.set(messageId, all)
  }

  async typing(target: Target): Promise<void> {
    const state = xml('composing', { xmlns: 'http://jabber.org/protocol/chatstates' })
    await this.#online().stream.send(this.#message(target, randomUUID(), [state]))
  }

  /** Asks the archive. */
  async find(target: Target, key: string, since: number): Promise<{ messageId: string } | null | undefined> {
    const found = await this.#online().inbox.find(target, key, since)
    return found && { messageId: target.type === 'private' ? key : found.id }
  }

  async friends(): Promise<Friend[]> {
    const iq = xml('iq', { type: 'get' }, xml('query', { xmlns: ROSTER }))
    const items = (await this.#act(() => this.#online().stream.ask(iq))).getChild('query')?.getChildren('item') ?? []
    return items.flatMap(({ attrs }) => (attrs.jid ? [{ id: attrs.jid, name: attrs.name ?? attrs.jid }] : []))
  }

  groups(): Promise<Group[]> {
    const rooms = this.#online().inbox.rooms.list()
    return Promise.resolve(
      rooms.map(({ address, occupants }) => ({ id: address, name: address, memberCount: occupants.size })),
    )
  }

  groupMembers(groupId: string): Promise<Member[]> {
    const room = this.#online().inbox.rooms.get(groupId)
    if (!room) return Promise.reject(new WireError('not_found', `The bot is not in the room "${groupId}"`))
    return Promise.resolve(
      Array.from(room.occupants.values(), ({ nick, address, role }) => ({
        id: address ?? `${groupId}/${nick}`,
        name: nick,
        role,
      })),
    )
  }

  async groupKick(groupId: string, userId: string): Promise<void> {
    const { stream, inbox } = this.#online()
    const occupants = Array.from(inbox.rooms.get(groupId)?.occupants.values() ?? [])
    const found = occupants.find(({ nick, address }) => address === userId || `${groupId}/${nick}` === userId)
    if (!found) throw new WireError('not_found', `No "${userId}" in a room "${groupId}" where the bot is`)
    const item = xml('item', { nick: found.nick, role: 'none' })
    await this.#act(() =>
      stream.ask(xml('iq', { type: 'set', to: groupId }, xml('query', { xmlns: `${MUC}#admin` }, item))),
    )
  }

  /** Lets a user see whether the bot is online, and sees the user. */
  async requestApprove(requestId: string): Promise<void> {
    await this.#presence(requestId, 'subscribed')
    await this.#presence(requestId, 'subscribe')
  }

  requestReject(requestId: string): Promise<void> {
    return this.#presence(requestId, 'unsubscribed')
  }

  async #presence(requestId: string, type: string): Promise<void> {
    const [user = ''] = requestId.split(' ')
    if (!isAddress(user)) throw new WireError('not_found', `No request "${requestId}"`)
    await this.#online().stream.send(xml('presence', { to: user, type }))
  }

  /** Returns the id by which others name a message: in rooms that of the room, else that of its sender. */
  #reference(target: Target, { id, given }: { readonly id: string; readonly given: string | undefined }): string {
    return target.type === 'private' ? (given ?? id) : id
  }

  #online(): Session {
    if (!this.#session) throw new SendError('offline', 'There is no connection to the server')
    return this.#session
  }

  #message(target: Target, id: string, children: readonly Element[]): Element {
    const type = target.type === 'private' ? 'chat' : 'groupchat'
    return xml('message', { to: target.id, type, id }, ...children)
  }

  async #deliver(target: Target, id: string, children: readonly Element[]): Promise<string> {
    const { stream, inbox } = this.#online()
    const isGroup = target.type !== 'private'
    if (!isAddress(target.id)) throw new SendError('refused', `"${target.id.slice(0, 64)}" is no address on XMPP`)
    if (isGroup && inbox.rooms.get(target.id)?.isJoined !== true)
      throw new SendError('refused', `The bot is not in the room "${target.id}"`)
    const origin = xml('origin-id', { xmlns: 'urn:xmpp:sid:0', id })
    const taken = (await stream.deliver(this.#message(target, id, [...children, origin]), isGroup)) ?? id
    inbox.known.add(target.id, { id: taken, given: id, sender: this.#endpoint.config.jid })
    return taken
  }

  async #act<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof WireError) throw error
      const condition = conditionOf(error)
      if (condition === 'forbidden' || condition === 'not-allowed')
        throw new WireError('forbidden', `The bot may not do this: ${condition}`)
      throw new WireError('upstream_unavailable', condition ?? textOf(error))
    }
  }
}
