// Follow-up questions: the next message of the same sender in the same channel is the answer.
import type { Clock } from '@mynah/kernel'
import type { InboundRecord } from '../api/store.js'

interface Waiting {
  readonly answer: (text: string | undefined) => void
  readonly cancel: () => void
}

/** A person in a conversation. */
type Speaker = Pick<InboundRecord, 'adapter' | 'endpoint' | 'channel'> & { readonly sender: { readonly id: string } }

const keyOf = ({ adapter, endpoint, channel, sender }: Speaker): string =>
  JSON.stringify([adapter, endpoint, channel.type, channel.id, sender.id])

export class Prompts {
  readonly #clock: Clock
  readonly #waiting = new Map<string, Waiting>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Waits for the answer to a question asked about `record`; a newer question of the same person ends an older one. */
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

  /** Whether an answer of this sender is waited for. */
  isAwaited(record: Speaker): boolean {
    return this.#waiting.size > 0 && this.#waiting.has(keyOf(record))
  }

  /** Takes the message as an answer where one is waited for. */
  answer(record: InboundRecord): boolean {
    return this.#end(keyOf(record), record.text)
  }

  /** Takes the question about `record` back: it could not be asked. */
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
