import type { Clock } from '@mynah/kernel'
import { SECOND_MS } from '@mynah/kernel/util'
import type { Message } from '@mynah/plugin-chat/api'
import { textWithoutMedia } from './inbound-media.js'

/** How long an attachment without words waits for them, in milliseconds. */
const ATTACHMENT_MS = 4 * SECOND_MS
/** The longest wait of a turn, however many messages come, in milliseconds. */
const LONGEST_MS = 6 * SECOND_MS

/** Returns how long a message waits for further ones of its sender, in milliseconds. */
export function collectMsOf(
  { adapter, text, segments }: Pick<Message, 'adapter' | 'text' | 'segments'>,
  collectMs: number,
): number {
  if (collectMs === 0 || adapter === 'sandbox') return 0
  return textWithoutMedia(text, segments).trim() === '' ? Math.max(ATTACHMENT_MS, collectMs) : collectMs
}

/** The time before a turn in which further messages of its sender join it. */
export class CollectWindow {
  readonly #clock: Clock
  /** Milliseconds since the epoch. */
  readonly #latest: number
  readonly #ended: Promise<void>
  #resolve!: () => void
  #cancel: (() => void) | undefined

  constructor(clock: Clock, waitMs: number) {
    this.#clock = clock
    this.#latest = clock.now() + LONGEST_MS
    this.#ended = new Promise((resolve) => {
      this.#resolve = resolve
    })
    this.extend(waitMs)
  }

  /** Waits for so long from now on. */
  extend(waitMs: number): void {
    this.#cancel?.()
    const left = Math.min(waitMs, this.#latest - this.#clock.now())
    if (left <= 0) this.end()
    else this.#cancel = this.#clock.setTimeout(() => this.end(), left)
  }

  end(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#resolve()
  }

  /** Resolves when the time is over. Rejects with the reason of the signal when it aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    const end = (): void => this.end()
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
    await this.#ended
    signal.removeEventListener('abort', end)
    signal.throwIfAborted()
  }
}
