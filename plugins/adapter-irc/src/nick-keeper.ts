import type { Clock } from '@mynah/kernel'

const TRY_AGAIN_MS = 30_000
const MAX_TRIES = 8

/** Returns nicks to try while `wanted` is taken. Some servers allow nine characters. */
export function substitute(wanted: string, attempt: number): string | undefined {
  if (attempt > MAX_TRIES) return undefined
  if (attempt <= 2) return wanted + '_'.repeat(attempt)
  if (attempt === 3) return `${wanted.slice(0, 8)}_`
  return `${wanted.slice(0, 5)}_${Math.floor(Math.random() * 900 + 100)}`
}

export class NickKeeper {
  readonly #wanted: string
  readonly #clock: Clock
  readonly #ask: (nick: string) => void
  #cancel: (() => void) | undefined

  constructor(wanted: string, clock: Clock, ask: (nick: string) => void) {
    this.#wanted = wanted
    this.#clock = clock
    this.#ask = ask
  }

  /** Sets the current nick of the bot. */
  setCurrent(nick: string): void {
    this.close()
    if (nick !== this.#wanted) this.#cancel = this.#clock.setInterval(() => this.#ask(this.#wanted), TRY_AGAIN_MS)
  }

  /** Notes that a nick is free. `same` compares names as the network does. */
  freed(nick: string, same: (a: string, b: string) => boolean): void {
    if (this.#cancel && same(nick, this.#wanted)) this.#ask(this.#wanted)
  }

  close(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
