import { randomUUID } from 'node:crypto'
import { LruMap } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import type { Channel, ChannelItem, Friend, Group, Member, Person, SandboxHistoryItem } from '@mynah/contract/types'

/** Most messages of a scene. */
export const MAX_MESSAGES = 500
const MAX_SCENES = 200
const MAX_GROUPS = 200
const MAX_MEMBERS = 1_000

const channelKey = (channel: Channel): string =>
  `${channel.type}:${channel.parent ? `${channel.parent.id}/` : ''}${channel.id}`

interface GroupState {
  readonly group: Group
  readonly members: Map<string, Member>
}

/** Roles of the first users in a group. */
const ROLES: readonly Member['role'][] = ['owner', 'admin']
/** Initial users, so that every control of the console can be tried. */
const INITIAL_USERS: readonly Friend[] = [
  { id: 'alice', name: 'Alice', remark: 'first user' },
  { id: 'bob', name: 'Bob' },
  { id: 'carol', name: 'Carol' },
]

export class SandboxPlatform {
  readonly botId: string
  readonly friends = new Map<string, Friend>(INITIAL_USERS.map((friend) => [friend.id, { ...friend }]))
  readonly groups = new Map<string, GroupState>()
  /** Ids of the groups whose stored messages were read. */
  readonly recalled = new Set<string>()
  readonly channels: ChannelItem[] = [
    { id: 'general', name: 'general', parent: { type: 'guild', id: 'town', name: 'Town' } },
    { id: 'music', name: 'music', parent: { type: 'guild', id: 'town', name: 'Town' } },
  ]
  readonly #scenes = new LruMap<string, SandboxHistoryItem[]>(MAX_SCENES)

  constructor(botId: string) {
    this.botId = botId
    this.#addGroup('lobby', 'Lobby')
  }

  #addGroup(id: string, name: string): GroupState {
    const members = new Map<string, Member>()
    const state: GroupState = { group: { id, name, memberCount: 0 }, members }
    this.groups.set(id, state)
    for (const [index, { id: userId, name: userName }] of INITIAL_USERS.entries())
      members.set(userId, {
        id: userId,
        name: userName,
        role: ROLES[index] ?? 'member',
      })
    members.set(this.botId, { id: this.botId, name: this.botId, role: 'admin' })
    return state
  }

  /** Returns a group, and creates it on first use. */
  group(id: string, name = id): GroupState {
    const known = this.groups.get(id)
    if (known) return known
    if (this.groups.size >= MAX_GROUPS) throw new WireError('conflict', `The sandbox has ${MAX_GROUPS} groups already`)
    return this.#addGroup(id, name)
  }

  /** Adds a group and a user who wrote in it, as far as there is room. */
  recall(channel: Channel, sender?: Person): void {
    if (!this.groups.has(channel.id) && this.groups.size >= MAX_GROUPS) return
    const { members } = this.group(channel.id, channel.name)
    if (sender && sender.id !== this.botId && members.size < MAX_MEMBERS) this.addMember(channel, sender)
  }

  /** Returns a scene with its guild. A channel without one is looked up, or belongs to the first guild. */
  withGuild(channel: Channel): Channel {
    if (channel.type !== 'channel' || channel.parent) return channel
    return {
      ...channel,
      parent: this.channels.find(({ id }) => id === channel.id)?.parent ?? { type: 'guild', id: 'town', name: 'Town' },
    }
  }

  /** Adds the sender to the scene and returns the role in it. */
  addMember(channel: Channel, sender: Person): Member['role'] | undefined {
    if (channel.type === 'private') return undefined
    if (channel.type === 'channel') return 'member'
    const { members } = this.group(channel.id, channel.name)
    let member = members.get(sender.id)
    if (!member && members.size >= MAX_MEMBERS)
      throw new WireError('conflict', `The group has ${MAX_MEMBERS} members already`)
    if (!member) members.set(sender.id, (member = { id: sender.id, name: sender.name ?? sender.id, role: 'member' }))
    return member.role
  }

  listGroups(): Group[] {
    return Array.from(this.groups.values(), ({ group, members }) => ({ ...group, memberCount: members.size }))
  }

  /** Stores a message. The oldest message of a scene, and the scene that was used least recently, are dropped. */
  addMessage(item: SandboxHistoryItem): void {
    const key = channelKey(item.channel)
    let scene = this.#scenes.get(key)
    if (!scene) this.#scenes.set(key, (scene = []))
    scene.push(item)
    if (scene.length > MAX_MESSAGES) scene.shift()
  }

  /** Returns the last messages of a scene, oldest first. */
  history(channel: Channel, limit: number): SandboxHistoryItem[] {
    return (this.#scenes.get(channelKey(channel)) ?? []).slice(-limit)
  }

  /** Replaces the content of a message. Returns false where it was dropped. */
  editMessage(channel: Channel, messageId: string, change: Pick<SandboxHistoryItem, 'content' | 'text'>): boolean {
    const scene = this.#scenes.get(channelKey(channel))
    const at = scene?.findLastIndex((item) => item.messageId === messageId && item.direction === 'out') ?? -1
    if (!scene || at < 0) return false
    scene[at] = { ...(scene[at] as SandboxHistoryItem), ...change, edited: true }
    return true
  }

  /** Changes a message, as a user or the platform does. Returns false where it was dropped. */
  changeMessage(
    channel: Channel,
    messageId: string,
    change: (item: SandboxHistoryItem) => Partial<SandboxHistoryItem>,
  ): boolean {
    const scene = this.#scenes.get(channelKey(channel))
    const at = scene?.findLastIndex((item) => item.messageId === messageId) ?? -1
    const item = scene?.[at]
    if (!scene || !item) return false
    scene[at] = { ...item, ...change(item) }
    return true
  }

  newId(): string {
    return randomUUID()
  }
}
