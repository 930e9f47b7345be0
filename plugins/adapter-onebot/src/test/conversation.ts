// The messages that the bot and its user exchanged. Only what tests compare is kept.
import type { Segment } from './onebot-server.js'

/** The words of a message, as a client of QQ shows them. */
const wordsOf = (message: readonly Segment[]): string =>
  message.map(({ type, data }) => (type === 'text' ? String(data.text) : '')).join('')

export class Conversation {
  /** The messages of the bot, as words. */
  readonly texts: string[] = []
  /** The pictures of the bot that came as bytes. */
  readonly pictures: Buffer[] = []
  readonly #reactions = new Set<string>()
  #said = { id: 0, text: '' }
  #own: { readonly id: number; readonly quotes: string | undefined } | undefined

  /** Notes a message of Alice. */
  hears(id: number, message: string | readonly Segment[]): void {
    this.#said = { id, text: typeof message === 'string' ? message : wordsOf(message) }
    this.#reactions.clear()
  }

  /** Notes a message of the bot. */
  takes(id: number, message: readonly Segment[]): void {
    const quotes = message.find(({ type }) => type === 'reply')?.data.id
    this.#own = { id, quotes: quotes === undefined ? undefined : String(quotes) }
    this.texts.push(wordsOf(message))
    for (const { type, data } of message) {
      const [, bytes] = /^base64:\/\/(.*)$/s.exec(String(data.file)) ?? []
      if (type === 'image' && bytes !== undefined) this.pictures.push(Buffer.from(bytes, 'base64'))
    }
  }

  /** Notes a reaction of the bot. */
  reacts(message: unknown, code: unknown, isOn: unknown): void {
    if (message !== this.#said.id) return
    const emoji = String.fromCodePoint(Number(code))
    if (isOn === true) this.#reactions.add(emoji)
    else this.#reactions.delete(emoji)
  }

  /** The reactions of the bot to Alice's last message. */
  get reactions(): string[] {
    return [...this.#reactions]
  }

  /** The id of Alice's last message. */
  get lastSaid(): number {
    return this.#said.id
  }

  /** The id of the bot's last message. */
  get lastSent(): number | undefined {
    return this.#own?.id
  }

  /** The text that the bot's last message quotes. */
  get quoted(): string | undefined {
    return this.#own?.quotes === String(this.#said.id) ? this.#said.text : undefined
  }
}
