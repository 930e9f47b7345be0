// What is said in all scenes of one endpoint: read once, then kept up by the event stream.
import type { Channel, Content, Person } from '@mynah/contract/types'
import type { Client } from '@mynah/sdk'
import { keyOf, newId, withHistory, withLine, type Line } from './model.js'

/** One scene as the page shows it; replaced as a whole when anything in it changes. */
export interface SceneState {
  readonly lines: readonly Line[]
  readonly status: 'loading' | 'ready' | 'failed'
  readonly error?: string
  readonly unread: number
  /** When the host began, as far as this page was told; the last one last. */
  readonly starts: readonly number[]
}

const nothing: SceneState = { lines: [], status: 'loading', unread: 0, starts: [] }
const HISTORY = 500
/** A draft that is not edited for so long is finished, whatever the bot thinks. */
const GROWING_MS = 3_000

/** The client, as far as the sandbox uses it. */
export type SandboxClient = Pick<Client, 'rpc' | 'events'>

export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export class Transcripts {
  readonly endpointId: string
  readonly #client: SandboxClient
  readonly #scenes = new Map<string, SceneState>()
  readonly #listeners = new Set<() => void>()
  #open: Channel | undefined
  #latest: Line | undefined
  readonly #growing = new Map<string, ReturnType<typeof setTimeout>>()

  constructor(client: SandboxClient, endpointId: string) {
    this.#client = client
    this.endpointId = endpointId
  }

  /** Follows the stream until the answer is called. */
  follow(): () => void {
    const { events } = this.#client
    let live = events.state.status === 'live'
    const reload = (): void => {
      if (this.#open) void this.load(this.#open)
    }
    const ends = [
      events.on('sandbox:message', (message) => {
        if (message.endpoint_id === this.endpointId)
          this.#hear({ ...message, direction: 'out', sender: { id: this.endpointId } })
      }),
      events.on(
        'endpoint:message',
        ({ adapter, endpoint_id, messageId, channel, sender, content, text, direction, timestamp }) => {
          if (adapter === 'sandbox' && endpoint_id === this.endpointId)
            this.#hear({ messageId, channel, sender, content, text, direction, timestamp })
        },
      ),
      events.on('reset', reload),
      events.onState(({ status }) => {
        if (status === 'live' && !live) reload()
        live = status === 'live'
      }),
    ]
    return () => {
      for (const end of ends) end()
      for (const timer of this.#growing.values()) clearTimeout(timer)
      this.#growing.clear()
    }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  scene(channel: Channel): SceneState {
    return this.#scenes.get(keyOf(channel)) ?? nothing
  }

  /** The last message that came by itself. */
  get latest(): Line | undefined {
    return this.#latest
  }

  /** Shows a scene: what is said in it counts as read. */
  open(channel: Channel): void {
    this.#open = channel
    this.#set(channel, { unread: 0 })
    void this.load(channel)
  }

  async load(channel: Channel): Promise<void> {
    if (this.scene(channel).status === 'failed') this.#set(channel, { status: 'loading' })
    try {
      const { messages, startedAt } = await this.#client.rpc('sandbox:history', {
        endpointId: this.endpointId,
        channel,
        limit: HISTORY,
      })
      const { lines, starts } = this.scene(channel)
      this.#set(channel, {
        status: 'ready',
        lines: withHistory(messages, lines),
        starts: startedAt === undefined || starts.includes(startedAt) ? starts : [...starts, startedAt],
      })
    } catch (error) {
      this.#set(channel, { status: 'failed', error: textOf(error) })
    }
  }

  /** Sends as `sender`; a failure stays with the message. */
  async send(channel: Channel, sender: Person, content: Content, text: string, replyTo?: string): Promise<void> {
    const quoted =
      replyTo === undefined
        ? content
        : [
            { type: 'reply', data: { id: replyTo } },
            ...(typeof content === 'string' ? [{ type: 'text', data: { text: content } }] : content),
          ]
    await this.#deliver({
      messageId: newId(),
      channel,
      sender,
      content: quoted,
      text,
      direction: 'in',
      timestamp: Date.now(),
    })
  }

  /** Sends what failed again, under its own id, so that the host takes it for the same message. */
  async retry(line: Line): Promise<void> {
    await this.#deliver(line)
  }

  async #deliver({ state: _state, error: _error, ...line }: Line): Promise<void> {
    const { channel, sender, content, messageId } = line
    this.#put({ ...line, state: 'sending' })
    try {
      await this.#client.rpc('sandbox:send', { endpointId: this.endpointId, channel, sender, content, messageId })
      const current = this.scene(channel).lines.find((other) => other.messageId === messageId)
      if (current?.state) this.#put(line)
    } catch (error) {
      this.#put({ ...line, state: 'failed', error: textOf(error) })
    }
  }

  #hear(line: Line): void {
    const known = this.scene(line.channel).lines.find(({ messageId }) => messageId === line.messageId)
    // The store's event and the platform's own tell of the same message; only the latter knows what it answers.
    if (line.edited) return this.#revise(line, known)
    if (known && known.state === undefined) return
    if (line.direction === 'out') this.#latest = line
    this.#put(line)
    const shown = this.#open !== undefined && keyOf(this.#open) === keyOf(line.channel)
    if (!shown && line.direction === 'out') this.#set(line.channel, { unread: this.scene(line.channel).unread + 1 })
  }

  /** A message says something else now; it stays where it is, and while more comes it says so. */
  #revise(line: Line, known: Line | undefined): void {
    const { channel, messageId } = line
    clearTimeout(this.#growing.get(messageId))
    this.#put({
      ...line,
      timestamp: known?.timestamp ?? line.timestamp,
      ...(known?.replyTo === undefined ? {} : { replyTo: known.replyTo }),
      growing: true,
    })
    this.#growing.set(
      messageId,
      setTimeout(() => {
        this.#growing.delete(messageId)
        const current = this.scene(channel).lines.find((other) => other.messageId === messageId)
        if (!current) return
        const { growing: _, ...finished } = current
        this.#latest = finished
        this.#put(finished)
      }, GROWING_MS),
    )
  }

  #put(line: Line): void {
    this.#set(line.channel, { lines: withLine(this.scene(line.channel).lines, line) })
  }

  #set(channel: Channel, change: Partial<SceneState>): void {
    this.#scenes.set(keyOf(channel), { ...this.scene(channel), ...change })
    for (const listener of [...this.#listeners]) listener()
  }
}
