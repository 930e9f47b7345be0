import { messageOf } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { Content, Segment } from '@mynah/contract/types'
import { Formatted, type Draft, type Message } from '@mynah/plugin-chat/api'
import type { AgentRuntime } from '../runtime.js'
import { splitMarkdown } from './split-markdown.js'

/**
 * `draft` edits one message as the answer grows, `chunks` sends paragraphs as they are ready, `off` sends the whole.
 */
export type DeliveryMode = 'draft' | 'chunks' | 'off'
const PARAGRAPH = /\n\n/
const MIN_CHUNK = 40
/** Characters that every platform with editing takes in one message. A longer answer continues in another message. */
const DRAFT_LENGTH = 3_500

/** Sends one answer, from its first words to its end. Each part has a key, so that it is sent once despite restarts. */
export class Delivery {
  readonly #runtime: Pick<AgentRuntime, 'chat' | 'log'>
  readonly #turn: string
  readonly #message: Message
  readonly #mode: DeliveryMode
  #draft: Promise<Draft | undefined> | undefined
  #latest = ''
  #full = ''
  /** Where the text of the current attempt of a model begins. */
  #attemptAt = 0
  /** Characters of the text of earlier steps, which stays before the answer. */
  #pausedAt = 0
  /** Characters that were sent as chunks. */
  #sentChars = 0
  #nextPart: number
  #sending: Promise<unknown> = Promise.resolve()

  /** @param firstPart number of the first part; a turn that answers several messages has several answers */
  constructor(
    runtime: Pick<AgentRuntime, 'chat' | 'log'>,
    turn: string,
    message: Message,
    mode: DeliveryMode,
    firstPart = 0,
  ) {
    this.#runtime = runtime
    this.#turn = turn
    this.#message = message
    this.#mode = mode
    this.#nextPart = firstPart
  }

  get nextPart(): number {
    return this.#nextPart
  }

  #key(): string {
    return `turn/${this.#turn}/${this.#nextPart}`
  }

  /** The text that follows can be replaced. */
  beginAttempt(): void {
    this.#attemptAt = this.#full.length
  }

  /** Puts a text in the place of that of the attempt. Paragraphs that were sent stay, and are no part of the answer. */
  replace(text: string): void {
    this.#full = this.#full.slice(0, this.#attemptAt)
    this.#sentChars = Math.min(this.#sentChars, this.#attemptAt)
    this.append(text)
  }

  append(text: string): void {
    this.#full += text
    if (this.#mode === 'draft') this.#show(this.#full)
    else if (this.#mode === 'chunks') this.#sendParagraphs()
  }

  /**
   * Shows a line below the text of a draft, until more text comes.
   *
   * @param isNews shows it although there is no text yet
   */
  showStatus(line: string, isNews = false): void {
    if (this.#mode === 'draft' && (isNews || this.#draft !== undefined || this.#full !== ''))
      this.#show([this.#full.trimEnd(), line].filter(Boolean).join('\n\n'))
  }

  /** Returns the text of all steps where people can see it. */
  async shown(): Promise<string> {
    return (await this.#isShown()) ? this.#full.trim() : ''
  }

  async #isShown(): Promise<boolean> {
    return this.#sentChars > 0 || (await this.#draft) !== undefined
  }

  /** Keeps the text so far and lets the next text start a new paragraph. */
  pause(): void {
    if (this.#full !== '' && !this.#full.endsWith('\n\n')) this.#full += '\n\n'
    this.#pausedAt = this.#full.length
  }

  #show(text: string): void {
    if (text.trim() === '') return
    this.#draft ??= this.#openDraft()
    this.#latest = splitMarkdown(text, DRAFT_LENGTH)[0]
    void this.#draft.then((draft) => draft?.update([Formatted(this.#latest)]))
  }

  async #openDraft(): Promise<Draft | undefined> {
    const { adapter, endpoint, channel } = this.#message
    try {
      return await this.#runtime.chat?.draft(adapter, endpoint, channel, { key: this.#key(), answers: this.#message })
    } catch (error) {
      this.#runtime.log.debug(`failed to open a draft: ${messageOf(error)}`)
      return undefined
    }
  }

  #sendParagraphs(): void {
    for (;;) {
      const rest = this.#full.slice(this.#sentChars)
      const end = rest.search(PARAGRAPH)
      // A fenced block stays in one message, even with empty lines.
      if (end < MIN_CHUNK || (rest.slice(0, end).match(/```/g)?.length ?? 0) % 2 === 1) return
      this.#sentChars += end + 2
      void this.#send(rest.slice(0, end)).catch((error: unknown) =>
        this.#runtime.log.warn(`failed to send a paragraph: ${messageOf(error)}`),
      )
    }
  }

  #send(text: string): Promise<unknown> {
    return this.#sendContent([Formatted(text)])
  }

  #sendContent(content: Content): Promise<unknown> {
    const { adapter, endpoint, channel } = this.#message
    const { chat } = this.#runtime
    if (!chat) return Promise.reject(new WireError('not_ready', 'The chat service is unavailable'))
    const key = this.#key()
    this.#nextPart++
    return (this.#sending = chat.send(adapter, endpoint, channel, content, { key, answers: this.#message }))
  }

  /**
   * Sends the whole answer, or `content` in its place, below the text of earlier steps that people can see. Resolves
   * when the platform has accepted it, or when it waits for its endpoint.
   */
  async end(answer: string, content?: readonly Segment[]): Promise<void> {
    if (content) return void (await this.#sendContent([...content]))
    await this.endWithAll(`${(await this.#isShown()) ? this.#full.slice(0, this.#pausedAt) : ''}${answer}`)
  }

  /** Sends a text that begins with what people can see. */
  async endWithAll(text: string): Promise<void> {
    const draft = await this.#draft
    if (draft) {
      const [shown, rest] = splitMarkdown(text, DRAFT_LENGTH)
      await draft.end([Formatted(shown)])
      this.#nextPart++
      if (rest !== '') await this.#send(rest)
      return
    }
    const sent = this.#full.slice(0, this.#sentChars)
    const rest = text.startsWith(sent) ? text.slice(sent.length) : text
    if (rest.trim() !== '') await this.#send(rest)
    await this.#sending
  }
}
