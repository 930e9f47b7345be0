// The answer on its way to the chat: one message by key, a draft that grows, or paragraphs as they are ready.
import { messageOf, type Logger } from '@mynah/kernel'
import type { Content, Segment } from '@mynah/contract/types'
import type { Chat, Draft, Message } from '@mynah/plugin-chat/api'
import type { Turn } from '../session/types.js'

export type Mode = 'draft' | 'chunks' | 'off'
const PARAGRAPH = /\n\n/
const MIN_CHUNK = 40
/** Characters that any platform that can edit takes in one message; what is longer goes on in another. */
const DRAFT_LENGTH = 3_500

/** One answer, from its first words to its end. A key for each part makes what a restart repeats happen once. */
export class Delivery {
  readonly #chat: () => Chat | undefined
  readonly #turn: Pick<Turn, 'id'>
  readonly #message: Message
  readonly #mode: Mode
  readonly #log: Logger
  #draft: Promise<Draft | undefined> | undefined
  #latest = ''
  #full = ''
  /** Characters that were sent as chunks. */
  #sent = 0
  #parts: number
  #sending: Promise<unknown> = Promise.resolve()

  /** @param first Number of its first part: a turn that answers several messages has several. */
  constructor(
    chat: () => Chat | undefined,
    turn: Pick<Turn, 'id'>,
    message: Message,
    mode: Mode,
    log: Logger,
    first = 0,
  ) {
    this.#parts = first
    this.#chat = chat
    this.#turn = turn
    this.#message = message
    this.#mode = mode
    this.#log = log
  }

  /** Number of the part that would be next. */
  get next(): number {
    return this.#parts
  }

  #key(): string {
    return `turn/${this.#turn.id}/${this.#parts}`
  }

  /** More of the answer. */
  text(chunk: string): void {
    this.#full += chunk
    if (this.#mode === 'draft') this.#show(this.#full)
    else if (this.#mode === 'chunks') this.#sendParagraphs()
  }

  /** A line that stands below the text while a tool runs. */
  doing(line: string): void {
    if (this.#mode === 'draft' && (this.#draft !== undefined || this.#full !== ''))
      this.#show([this.#full.trimEnd(), line].filter(Boolean).join('\n\n'))
  }

  /** What was said between tools stands on; the next text follows it. */
  pause(): void {
    if (this.#full !== '' && !this.#full.endsWith('\n\n')) this.#full += '\n\n'
  }

  #show(text: string): void {
    if (text.trim() === '') return
    const { adapter, endpoint, channel } = this.#message
    this.#draft ??= (
      this.#chat()?.draft(adapter, endpoint, channel, { key: this.#key(), answers: this.#message }) ??
      Promise.resolve(undefined)
    ).catch((error: unknown) => {
      this.#log.debug(`an answer cannot grow: ${messageOf(error)}`)
      return undefined
    })
    this.#latest = cutAt(text, DRAFT_LENGTH)[0]
    void this.#draft.then((draft) => draft?.update(this.#latest))
  }

  #sendParagraphs(): void {
    for (;;) {
      const rest = this.#full.slice(this.#sent)
      const end = rest.search(PARAGRAPH)
      // A fence is one piece, however many empty lines stand in it.
      if (end < MIN_CHUNK || (rest.slice(0, end).match(/```/g)?.length ?? 0) % 2 === 1) return
      this.#sent += end + 2
      void this.#send(rest.slice(0, end)).catch((error: unknown) =>
        this.#log.warn(`a paragraph could not be sent: ${messageOf(error)}`),
      )
    }
  }

  #send(content: Content): Promise<unknown> {
    const { adapter, endpoint, channel } = this.#message
    const chat = this.#chat()
    if (!chat) return Promise.reject(new Error('chat is not there'))
    const key = this.#key()
    this.#parts++
    return (this.#sending = chat.send(adapter, endpoint, channel, content, { key, answers: this.#message }))
  }

  /** The whole answer, as `content` where it is more than text; resolves when the platform has it, or it waits for its endpoint. */
  async end(answer: string, content?: readonly Segment[]): Promise<void> {
    if (content) return void (await this.#send([...content]))
    const draft = await this.#draft
    if (draft) {
      const [shown, rest] = cutAt(answer, DRAFT_LENGTH)
      await draft.end(shown)
      this.#parts++
      if (rest !== '') await this.#send(rest)
      return
    }
    const rest =
      this.#mode === 'chunks' && this.#sent > 0 && answer.startsWith(this.#full.slice(0, this.#sent))
        ? answer.slice(this.#sent)
        : this.#sent > 0
          ? ''
          : answer
    if (rest.trim() !== '') await this.#send(rest)
    await this.#sending
  }
}

/** A text in two, at a paragraph or a line where one is near enough. */
function cutAt(text: string, length: number): readonly [string, string] {
  if (text.length <= length) return [text, '']
  const head = text.slice(0, length)
  const near = Math.max(head.lastIndexOf('\n\n'), head.lastIndexOf('\n', length), 0)
  // Never through a pair of surrogates.
  const at = near > length / 2 ? near : /[\ud800-\udbff]$/.test(head) ? length - 1 : length
  return [text.slice(0, at), text.slice(at).trimStart()]
}
