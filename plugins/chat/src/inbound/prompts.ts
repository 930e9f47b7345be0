import type { Clock } from '@mynah/kernel'
import type { InboundRecord } from '../api/store.js'

interface Waiting {
  readonly answer: (text: string | undefined) => void
  readonly cancel: () => void
}

/** A sender in a conversation. */
type Speaker = Pick<InboundRecord, 'adapter' | 'endpoint' | 'channel'> & { readonly sender: { readonly id: string } }

const keyOf = ({ adapter, endpoint, channel, sender }: Speaker): string =>
  JSON.stringify([adapter, endpoint, channel.type, channel.id, sender.id])

/** Follow-up questions. The next message of the same sender in the same channel is the answer. */
export class Prompts {
  readonly #clock: Clock
  readonly #waiting = new Map<string, Waiting>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Waits for the answer to a question about `record`. A newer question to the same person ends an older one. */
  ask(record: InboundRecord, timeout: number): Promise<string | undefined> {
    const key = keyOf(record)
    this.#end(key, undefined)
    return new Promise((resolve) => {
      this.#waiting.set(key, {
        answer: resolve,
        cancel: this.#clock.setTimeout(() => this.#end(key, undefined), timeout),
      })
    })
  }

  /** Returns whether a question waits for this sender. */
  isAwaited(record: Speaker): boolean {
    return this.#waiting.size > 0 && this.#waiting.has(keyOf(record))
  }

  /** Answers the question that waits for the sender. Returns whether there was one. */
  answer(record: InboundRecord): boolean {
    return this.#end(keyOf(record), record.text)
  }

  /** Cancels the question about `record`, which was not sent. */
  cancel(record: InboundRecord): void {
    this.#end(keyOf(record), undefined)
  }

  /** Ends all questions without an answer. */
  close(): void {
    for (const key of [...this.#waiting.keys()]) this.#end(key, undefined)
  }

  #end(key: string, text: string | undefined): boolean {
    const waiting = this.#waiting.get(key)
    if (!waiting) return false
    this.#waiting.delete(key)
    waiting.cancel()
    waiting.answer(text)
    return true
  }
}
