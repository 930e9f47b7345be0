import type { Channel, MessageRow, RequestRow } from '@mynah/contract/types'
import type { MessageStore } from '@mynah/plugin-chat/api'
import type { SandboxPlatform } from './platform.js'

const PAGE = 100
/** Most rows that are read, newest first. */
const MAX_ROWS = 500

/** Whether a row shows that the bot was in its group: a user wrote there, or the platform took a message. */
const isProof = ({ channel, direction, state }: MessageRow): boolean =>
  channel.type === 'group' && (direction === 'in' || state === 'sent')

/**
 * What earlier starts of the host knew, from the stored messages and requests: groups, those who spoke in them, and
 * open requests. Every method rejects while the store is unavailable.
 */
export class StoredState {
  readonly #platform: SandboxPlatform
  readonly #endpoint: string
  /** The message store, where there is a durable one. */
  readonly #store: () => MessageStore | undefined

  constructor(platform: SandboxPlatform, endpoint: string, store: () => MessageStore | undefined) {
    this.#platform = platform
    this.#endpoint = endpoint
    this.#store = store
  }

  /** Adds a group to the platform, if it has stored messages or an accepted invitation. */
  async addGroup(id: string): Promise<void> {
    const { groups, recalled } = this.#platform
    if (recalled.has(id)) return
    for (const { channel, sender } of await this.#rows({ type: 'group', id })) this.#platform.recall(channel, sender)
    const invitation = (await this.#joined()).find((channel) => channel.id === id)
    if (invitation) this.#platform.recall(invitation)
    if (groups.has(id)) recalled.add(id)
  }

  /** Adds the groups with recent messages or invitations to the platform. */
  async addRecentGroups(): Promise<void> {
    const spoken = (await this.#rows()).map(({ channel }) => channel)
    for (const id of new Set([...spoken, ...(await this.#joined())].map((channel) => channel.id)))
      await this.addGroup(id)
  }

  /** Returns a request that is not answered yet. */
  async openRequest(id: string): Promise<RequestRow | undefined> {
    const row = await this.#store()?.findRequest({ adapter: 'sandbox', endpoint: this.#endpoint }, id)
    return row?.status === 'pending' ? row : undefined
  }

  /** Returns the groups that invited the bot, and that it joined. */
  async #joined(): Promise<Channel[]> {
    const page = await this.#store()?.requests({ adapter: 'sandbox', endpoint: this.#endpoint, limit: PAGE })
    return (page?.rows ?? []).flatMap(({ kind, status, channel }) =>
      kind === 'group-invite' && status === 'approved' && channel ? [channel] : [],
    )
  }

  async #rows(channel?: Channel): Promise<MessageRow[]> {
    const store = this.#store()
    const found: MessageRow[] = []
    let read = 0
    let before: string | undefined
    while (store && read < MAX_ROWS) {
      const { rows, nextBefore } = await store.messages({
        adapter: 'sandbox',
        endpoint: this.#endpoint,
        limit: PAGE,
        ...(channel ? { channel } : {}),
        ...(before === undefined ? {} : { before }),
      })
      found.push(...rows.filter(isProof))
      if (nextBefore === undefined) break
      read += rows.length
      before = nextBefore
    }
    return found
  }
}
