import { LruMap } from '@mynah/kernel/util'
import {
  SendError,
  type Bot,
  type EndpointHandle,
  type OutboundMessage,
  type Self,
  type Target,
} from '@mynah/plugin-chat/api'
import { WireError } from '@mynah/contract'
import type {
  Channel,
  ChannelItem,
  Friend,
  Group,
  Member,
  Person,
  Reaction,
  SandboxHistoryItem,
  SandboxMessage,
} from '@mynah/contract/types'
import { embedFiles } from './media.js'
import type { SandboxPlatform } from './platform.js'
import type { StoredState } from './stored-state.js'

/** A request that is not answered yet. */
interface PendingRequest {
  readonly kind: string
  readonly sender: { readonly id: string; readonly name?: string }
  readonly channel?: Channel
}

const MAX_REQUESTS = 1_000
const MAX_REACTIONS = 100

export class SandboxBot implements Bot {
  readonly endpoint: EndpointHandle
  readonly platform: SandboxPlatform
  readonly #publish: (message: SandboxMessage) => void
  /** Returns the messages of a scene, including those before the last start. */
  readonly #history: (channel: Channel) => Promise<readonly SandboxHistoryItem[]>
  readonly stored: StoredState
  readonly #requests = new LruMap<string, PendingRequest>(MAX_REQUESTS)

  constructor(
    endpoint: EndpointHandle,
    platform: SandboxPlatform,
    stored: StoredState,
    publish: (message: SandboxMessage) => void,
    history: (channel: Channel) => Promise<readonly SandboxHistoryItem[]>,
  ) {
    this.endpoint = endpoint
    this.platform = platform
    this.stored = stored
    this.#publish = publish
    this.#history = history
  }

  /** Stores a request until it is answered. Of too many, the least recently used is dropped. */
  addRequest(id: string, request: PendingRequest): void {
    this.#requests.set(id, request)
  }

  connect(): Promise<Self> {
    return Promise.resolve({ id: this.platform.botId, name: this.platform.botId })
  }

  disconnect(): Promise<void> {
    return Promise.resolve()
  }

  async send(target: Target, message: OutboundMessage): Promise<{ messageId: string }> {
    if (target.type === 'group') await this.#assertIn(target.id)
    const messageId = this.platform.newId()
    const timestamp = this.endpoint.clock.now()
    const content = await embedFiles(message.segments)
    this.platform.addMessage({
      endpoint_id: this.endpoint.id,
      channel: target,
      messageId,
      content,
      text: message.text,
      timestamp,
      direction: 'out',
      sender: { id: this.platform.botId, name: this.platform.botId },
      ...(message.replyTo === undefined ? {} : { replyTo: message.replyTo }),
    })
    this.#publish({
      endpoint_id: this.endpoint.id,
      channel: target,
      messageId,
      content,
      text: message.text,
      timestamp,
      ...(message.replyTo === undefined ? {} : { replyTo: message.replyTo }),
    })
    return { messageId }
  }

  async #assertIn(group: string): Promise<void> {
    try {
      await this.stored.addGroup(group)
    } catch (error) {
      if (!this.platform.groups.has(group))
        throw new SendError('offline', 'The group cannot be looked up now', { cause: error })
    }
    if (!this.platform.groups.get(group)?.members.has(this.platform.botId))
      throw new SendError('refused', `The bot is in no group "${group}"`)
  }

  async edit(target: Target, messageId: string, message: OutboundMessage): Promise<void> {
    const content = await embedFiles(message.segments)
    const { text, replyTo } = message
    if (!this.platform.editMessage(target, messageId, { content, text })) {
      const before = (await this.#history(target)).find(
        (item) => item.messageId === messageId && item.direction === 'out',
      )
      if (!before) throw new SendError('refused', `No message "${messageId}" is in this scene`)
      this.platform.addMessage({ ...before, content, text, edited: true })
    }
    this.#publish({
      endpoint_id: this.endpoint.id,
      channel: target,
      messageId,
      content,
      text,
      timestamp: this.endpoint.clock.now(),
      edited: true,
      ...(replyTo === undefined ? {} : { replyTo }),
    })
  }

  react(target: Target, messageId: string, emoji: string, isOn: boolean): Promise<void> {
    this.#react(target, messageId, { emoji, sender: { id: this.platform.botId } }, isOn)
    return Promise.resolve()
  }

  /** Adds a reaction of a user, or takes it away. */
  async reactAs(sender: Person, target: Target, messageId: string, emoji: string, added: boolean): Promise<void> {
    this.#react(target, messageId, { emoji, sender }, added)
    await this.endpoint.reaction({ messageId, channel: target, sender, emoji, added })
  }

  #react(target: Target, messageId: string, { emoji, sender }: Reaction, isOn: boolean): void {
    this.platform.changeMessage(target, messageId, ({ reactions = [] }) => {
      const rest = reactions.filter((one) => one.emoji !== emoji || one.sender.id !== sender.id)
      return { reactions: isOn ? [...rest, { emoji, sender }].slice(-MAX_REACTIONS) : rest }
    })
  }

  friends(): Promise<Friend[]> {
    return Promise.resolve([...this.platform.friends.values()])
  }

  async groups(): Promise<Group[]> {
    await this.stored.addRecentGroups()
    return this.platform.listGroups()
  }

  channels(guildId?: string): Promise<ChannelItem[]> {
    return Promise.resolve(
      this.platform.channels.filter(({ parent }) => guildId === undefined || parent?.id === guildId),
    )
  }

  async groupMembers(groupId: string): Promise<Member[]> {
    return [...(await this.#members(groupId)).values()]
  }

  async groupKick(groupId: string, userId: string): Promise<void> {
    const { members } = await this.#member(groupId, userId)
    members.delete(userId)
    await this.#notice('group-kick', groupId, userId, {})
  }

  async groupMute(groupId: string, userId: string, seconds: number): Promise<void> {
    const { members, member } = await this.#member(groupId, userId)
    const { mutedUntil: _, ...others } = member
    members.set(userId, seconds > 0 ? { ...others, mutedUntil: this.endpoint.clock.now() + seconds * 1000 } : others)
    await this.#notice('group-mute', groupId, userId, { seconds })
  }

  async groupAdmin(groupId: string, userId: string, enable: boolean): Promise<void> {
    const { members, member } = await this.#member(groupId, userId)
    if (member.role === 'owner')
      throw new WireError('unsupported', 'The role of the owner of a group cannot be changed')
    members.set(userId, { ...member, role: enable ? 'admin' : 'member' })
    await this.#notice('group-admin', groupId, userId, { enable })
  }

  async deleteFriend(userId: string): Promise<void> {
    if (!this.platform.friends.delete(userId)) throw new WireError('not_found', `No friend "${userId}"`)
  }

  async requestApprove(requestId: string): Promise<void> {
    const request: PendingRequest | undefined =
      this.#requests.get(requestId) ?? (await this.stored.openRequest(requestId))
    if (!request) throw new WireError('not_found', `No request "${requestId}"`)
    this.#requests.delete(requestId)
    const { sender, channel } = request
    const name = sender.name ?? sender.id
    if (request.kind === 'friend') this.platform.friends.set(sender.id, { id: sender.id, name })
    else if (channel) {
      const { members } = this.platform.group(channel.id, channel.name)
      const joining =
        request.kind === 'group-join' ? { id: sender.id, name } : { id: this.platform.botId, name: this.platform.botId }
      members.set(joining.id, { ...joining, role: 'member' })
    }
  }

  async requestReject(requestId: string): Promise<void> {
    if (!this.#requests.delete(requestId) && !(await this.stored.openRequest(requestId)))
      throw new WireError('not_found', `No request "${requestId}"`)
  }

  async #members(groupId: string): Promise<Map<string, Member>> {
    await this.stored.addGroup(groupId)
    const group = this.platform.groups.get(groupId)
    if (!group) throw new WireError('not_found', `No group "${groupId}"`)
    return group.members
  }

  async #member(groupId: string, userId: string): Promise<{ members: Map<string, Member>; member: Member }> {
    const members = await this.#members(groupId)
    const member = members.get(userId)
    if (!member) throw new WireError('not_found', `No member "${userId}" in the group "${groupId}"`)
    return { members, member }
  }

  #notice(kind: string, groupId: string, userId: string, payload: object): Promise<void> {
    return this.endpoint.notice({
      id: this.platform.newId(),
      kind,
      channel: { type: 'group', id: groupId },
      operator: { id: this.platform.botId },
      target: { id: userId },
      payload,
    })
  }
}
