// Messages of all scenes of one endpoint. They are read once, then kept up to date by the event stream.
import type { Channel, Content, MessageRow, Person } from '@mynah/contract/types'
import type { Client } from '@mynah/sdk'
import { channelKey, randomId, mergeHistory, upsertMessage, type ChatMessage } from './model.js'

/** A scene as the page shows it. A change replaces the whole object. */
export interface SceneState {
  readonly messages: readonly ChatMessage[]
  readonly status: 'loading' | 'ready' | 'failed'
  readonly error?: string
  readonly unread: number
  /** When the host started, as far as this page knows, oldest first. */
  readonly hostStarts: readonly number[]
}

const EMPTY_SCENE: SceneState = { messages: [], status: 'loading', unread: 0, hostStarts: [] }
/** The number of messages that are read at most. */
export const HISTORY_LIMIT = 500
/** A message that was not edited for this time counts as finished. */
const STREAMING_IDLE_MS = 3_000

type Changed = Pick<MessageRow, 'channel' | 'messageId' | 'content' | 'text' | 'editedAt' | 'deletedAt' | 'reactions'>

/** The part of the client that the sandbox uses. */
export type SandboxClient = Pick<Client, 'rpc' | 'events'>

/** Returns the last message to the bot that the host has. */
export const lastToBot = ({ messages }: SceneState): ChatMessage | undefined =>
  messages.findLast(({ direction, state }) => direction === 'in' && state === undefined)

export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export class TranscriptStore {
  readonly endpointId: string
  readonly #client: SandboxClient
  readonly #scenes = new Map<string, SceneState>()
  readonly #listeners = new Set<() => void>()
  #openChannel: Channel | undefined
  #latest: ChatMessage | undefined
  readonly #streamingTimers = new Map<string, ReturnType<typeof setTimeout>>()

  constructor(client: SandboxClient, endpointId: string) {
    this.#client = client
    this.endpointId = endpointId
  }

  /** Follows the event stream until the returned function is called. */
  connect(): () => void {
    const { events } = this.#client
    let live = events.state.status === 'live'
    const reload = (): void => {
      if (this.#openChannel) void this.load(this.#openChannel)
    }
    const disposers = [
      events.on('sandbox:message', (message) => {
        if (message.endpoint_id === this.endpointId)
          this.#onMessage({ ...message, direction: 'out', sender: { id: this.endpointId } })
      }),
      events.on(
        'endpoint:message',
        ({ adapter, endpoint_id, messageId, channel, sender, content, text, direction, timestamp }) => {
          if (adapter === 'sandbox' && endpoint_id === this.endpointId)
            this.#onMessage({ messageId, channel, sender, content, text, direction, timestamp })
        },
      ),
      events.on('endpoint:messageChanged', (row) => {
        if (row.adapter === 'sandbox' && row.endpoint_id === this.endpointId) this.#onChange(row)
      }),
      events.on('reset', reload),
      events.onState(({ status }) => {
        if (status === 'live' && !live) reload()
        live = status === 'live'
      }),
    ]
    return () => {
      for (const dispose of disposers) dispose()
      for (const timer of this.#streamingTimers.values()) clearTimeout(timer)
      this.#streamingTimers.clear()
    }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  scene(channel: Channel): SceneState {
    return this.#scenes.get(channelKey(channel)) ?? EMPTY_SCENE
  }

  /** The last message of the bot that arrived with the event stream. */
  get latest(): ChatMessage | undefined {
    return this.#latest
  }

  /** Opens a scene. Its messages count as read. */
  open(channel: Channel): void {
    this.#openChannel = channel
    this.#update(channel, { unread: 0 })
    void this.load(channel)
  }

  async load(channel: Channel): Promise<void> {
    if (this.scene(channel).status === 'failed') this.#update(channel, { status: 'loading' })
    try {
      const { messages, startedAt } = await this.#client.rpc('sandbox:history', {
        endpointId: this.endpointId,
        channel,
        limit: HISTORY_LIMIT,
      })
      const { messages: known, hostStarts } = this.scene(channel)
      this.#update(channel, {
        status: 'ready',
        messages: mergeHistory(messages, known),
        hostStarts: startedAt === undefined || hostStarts.includes(startedAt) ? hostStarts : [...hostStarts, startedAt],
      })
    } catch (error) {
      this.#update(channel, { status: 'failed', error: errorText(error) })
    }
  }

  /** Sends a message. A failure is kept in its state. */
  async send(channel: Channel, sender: Person, content: Content, text: string, replyTo?: string): Promise<void> {
    const quoted =
      replyTo === undefined
        ? content
        : [
            { type: 'reply', data: { id: replyTo } },
            ...(typeof content === 'string' ? [{ type: 'text', data: { text: content } }] : content),
          ]
    await this.#deliver({
      messageId: randomId(),
      channel,
      sender,
      content: quoted,
      text,
      direction: 'in',
      timestamp: Date.now(),
    })
  }

  /** Sends a failed message again. Its id stays the same, so that the host handles it once. */
  async retry(message: ChatMessage): Promise<void> {
    await this.#deliver(message)
  }

  /** Delivers the last message to the bot again, with its id, so that the host sees a repeated delivery. */
  async redeliver(channel: Channel): Promise<void> {
    const last = lastToBot(this.scene(channel))
    if (!last) return
    const { sender, content, messageId } = last
    await this.#client.rpc('sandbox:send', { endpointId: this.endpointId, channel, sender, content, messageId })
  }

  /** Changes a message as the user who has sent it. */
  async edit({ channel, messageId, sender }: ChatMessage, text: string): Promise<void> {
    await this.#client.rpc('sandbox:edit', { endpointId: this.endpointId, channel, messageId, sender, content: text })
  }

  /** Deletes a message as the user who has sent it. */
  async remove({ channel, messageId, sender }: ChatMessage): Promise<void> {
    await this.#client.rpc('sandbox:delete', { endpointId: this.endpointId, channel, messageId, sender })
  }

  /** Adds a reaction of a user, or takes it away where it is there. */
  async react({ channel, messageId, reactions = [] }: ChatMessage, sender: Person, emoji: string): Promise<void> {
    const added = !reactions.some((one) => one.emoji === emoji && one.sender.id === sender.id)
    const { endpointId } = this
    await this.#client.rpc('sandbox:react', { endpointId, channel, messageId, sender, emoji, added })
  }

  #onChange({ channel, messageId, content, text, editedAt, deletedAt, reactions }: Changed): void {
    const known = this.scene(channel).messages.find((message) => message.messageId === messageId)
    if (!known) return
    const { reactions: _, ...rest } = known
    this.#upsert({
      ...rest,
      ...(editedAt === undefined ? {} : { content, text, edited: true }),
      ...(deletedAt === undefined ? {} : { deletedAt }),
      ...(reactions?.length ? { reactions } : {}),
    })
  }

  async #deliver({ state: _state, error: _error, ...message }: ChatMessage): Promise<void> {
    const { channel, sender, content, messageId } = message
    this.#upsert({ ...message, state: 'sending' })
    try {
      await this.#client.rpc('sandbox:send', { endpointId: this.endpointId, channel, sender, content, messageId })
      const current = this.scene(channel).messages.find((other) => other.messageId === messageId)
      if (current?.state) this.#upsert(message)
    } catch (error) {
      this.#upsert({ ...message, state: 'failed', error: errorText(error) })
    }
  }

  #onMessage(message: ChatMessage): void {
    const known = this.scene(message.channel).messages.find(({ messageId }) => messageId === message.messageId)
    // Two events report each message of the bot. Only `sandbox:message` knows the message that it replies to.
    if (message.edited) return this.#onEdit(message, known)
    if (known && known.state === undefined) return
    if (message.direction === 'out') this.#latest = message
    this.#upsert(message)
    const shown = this.#openChannel !== undefined && channelKey(this.#openChannel) === channelKey(message.channel)
    if (!shown && message.direction === 'out')
      this.#update(message.channel, { unread: this.scene(message.channel).unread + 1 })
  }

  /** Replaces a message at its position. It counts as streaming until no edit follows for a while. */
  #onEdit(message: ChatMessage, known: ChatMessage | undefined): void {
    const { channel, messageId } = message
    clearTimeout(this.#streamingTimers.get(messageId))
    this.#upsert({
      ...message,
      timestamp: known?.timestamp ?? message.timestamp,
      ...(known?.replyTo === undefined ? {} : { replyTo: known.replyTo }),
      streaming: true,
    })
    this.#streamingTimers.set(
      messageId,
      setTimeout(() => {
        this.#streamingTimers.delete(messageId)
        const current = this.scene(channel).messages.find((other) => other.messageId === messageId)
        if (!current) return
        const { streaming: _, ...finished } = current
        this.#latest = finished
        this.#upsert(finished)
      }, STREAMING_IDLE_MS),
    )
  }

  #upsert(message: ChatMessage): void {
    this.#update(message.channel, { messages: upsertMessage(this.scene(message.channel).messages, message) })
  }

  #update(channel: Channel, change: Partial<SceneState>): void {
    this.#scenes.set(channelKey(channel), { ...this.scene(channel), ...change })
    for (const listener of Array.from(this.#listeners)) listener()
  }
}
