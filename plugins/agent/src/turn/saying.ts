// What a turn says in chat: its answers, each with the parts that a restart repeats under the same keys, aloud where that is wished for.
import { messageOf } from '@mynah/kernel'
import type { Segment } from '@mynah/contract/types'
import type { Message } from '@mynah/plugin-chat/api'
import { Delivery, type Mode } from '../delivery/delivery.js'
import type { Chain } from './chain.js'
import type { RunnerDeps } from './deps.js'
import type { LiveTurn } from './live.js'
import { isSpoken, spoken } from './spoken.js'

export class Saying {
  readonly #deps: RunnerDeps
  readonly #live: LiveTurn
  readonly #chain: Chain
  #delivery: Delivery | undefined

  constructor(deps: RunnerDeps, live: LiveTurn, chain: Chain) {
    this.#deps = deps
    this.#live = live
    this.#chain = chain
  }

  /** Begins to answer the message of the turn. */
  begin(message: Message): void {
    this.#delivery = this.#to(message, this.#part)
    this.#deps.chat()?.typing(message.adapter, message.endpoint, message.channel)
  }

  /** Goes on with an answer to another message. */
  follow(message: Message): void {
    this.#delivery = this.#to(message, this.#delivery?.next ?? 1)
  }

  /** More of the answer. */
  text(chunk: string): void {
    this.#delivery?.text(chunk)
  }

  /** What goes on while nothing is said. */
  doing(line: string): void {
    this.#delivery?.doing(line)
  }

  /** What was said so far stands. */
  pause(): void {
    this.#delivery?.pause()
  }

  /** Ends an answer; gives why it could not be sent. */
  async answer(text: string): Promise<string | undefined> {
    const { message } = this.#live
    return this.#say(text, message && await spoken(this.#deps, this.#live, message, text))
  }

  /** Says a line of the host's own; gives why it could not be sent. */
  line(text: string): Promise<string | undefined> {
    return this.#say(text)
  }

  async #say(text: string, content?: readonly Segment[]): Promise<string | undefined> {
    const { message, journal } = this.#live
    if (!message) return undefined
    const delivery = this.#delivery ?? this.#to(message, this.#part, 'off')
    let error: string | undefined
    try {
      await delivery.end(text, content)
    } catch (failure) {
      // It stands as failed or unknown in the store, and is not said again.
      error = messageOf(failure)
      this.#deps.log.warn(`an answer could not be sent: ${error}`, { turn: journal.id })
    }
    this.#deps.sent(this.#live, text, error)
    return error
  }

  #to(message: Message, part: number, mode?: Mode): Delivery {
    const { chat, config, log } = this.#deps
    // What is spoken cannot grow while it is written.
    return new Delivery(chat, this.#live.journal, message, mode ?? (isSpoken(this.#deps, message) ? 'off' : config()['ai.agent'].stream), log, part)
  }

  /** Number of the part that comes next: an answer before this one was a part, too. */
  get #part(): number {
    const answers = this.#chain.own.filter((entry) => entry.kind === 'message' && entry.role === 'assistant' && !(entry.content as readonly { readonly type: string }[]).some(({ type }) => type === 'tool-call')).length
    return this.#live.journal.state === 'delivering' ? Math.max(0, answers - 1) : answers
  }
}
