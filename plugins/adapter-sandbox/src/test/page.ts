// A browser that acts as the users of the sandbox, over the interface of the console.
import type { Channel, SandboxHistoryItem, SandboxMessage, Segment } from '@mynah/contract/types'

export const TOKEN = 'owner-token-of-the-tests'
export const ALICE = { id: 'alice', name: 'Alice' }

export class Page {
  origin = ''
  /** The messages of the bot, as the stream shows them. */
  readonly received: SandboxMessage[] = []
  reactions: readonly string[] = []
  #said = ''
  #count = 0
  #last: object = {}
  readonly #channel: Channel

  constructor(channel: Channel) {
    this.#channel = channel
  }

  /** The last message of the user. */
  get said(): string {
    return this.#said
  }

  /** Calls a method of the sandbox. */
  async call(type: string, data: unknown): Promise<unknown> {
    const response = await fetch(`${this.origin}/api/console/request`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ type: `sandbox:${type}`, data }),
    })
    const answer = (await response.json()) as { success: boolean; error?: string; data: unknown }
    if (!answer.success) throw new Error(answer.error)
    return answer.data
  }

  async send(content: string | readonly Segment[], more: object = {}): Promise<void> {
    this.#said = `said-${++this.#count}`
    this.#last = { endpointId: 'bot', channel: this.#channel, sender: ALICE, content, messageId: this.#said, ...more }
    await this.again()
  }

  /** Delivers the last message of the user again. */
  async again(): Promise<void> {
    await this.call('send', this.#last)
  }

  /** Does something to a message as the user. */
  async act(type: 'edit' | 'delete' | 'react', messageId: string | undefined, more: object = {}): Promise<void> {
    await this.call(type, { endpointId: 'bot', channel: this.#channel, sender: ALICE, messageId, ...more })
  }

  /** Takes a message of the stream. */
  take(message: SandboxMessage): void {
    const at = this.received.findIndex(({ messageId }) => message.edited === true && messageId === message.messageId)
    if (at >= 0) this.received[at] = message
    else this.received.push(message)
  }

  /** Reads who has reacted to the last message of the user. */
  async readReactions(): Promise<void> {
    const history = (await this.call('history', { endpointId: 'bot', channel: this.#channel })) as {
      messages: readonly SandboxHistoryItem[]
    }
    const { reactions = [] } = history.messages.find(({ messageId }) => messageId === this.#said) ?? {}
    this.reactions = reactions.map(({ emoji }) => emoji)
  }

  /** The segments of the messages of the bot. */
  get segments(): readonly Segment[] {
    return this.received.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  }

  texts(endpoint = 'bot'): readonly string[] {
    return this.received.flatMap(({ endpoint_id: id, text }) => (id === endpoint ? [text] : []))
  }
}
