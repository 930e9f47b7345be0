// One connection: writes within a bound, and ends in order or at once.
import type { ServerResponse } from 'node:http'
import { systemClock } from '@mynah/kernel'
import { HEARTBEAT } from './frame.js'

/** Unsent bytes above which a client counts as gone. */
export const UNSENT_LIMIT = 1_048_576
/** Unsent bytes above which a replay waits. */
const REPLAY_MARK = 262_144
const END_GRACE_MS = 500
/** Heartbeats that a replay may wait for its client to take what it was given. */
const PATIENCE_BEATS = 4

export class Client {
  readonly demo: boolean
  /** Resolves when the connection is over. */
  readonly closed: Promise<void>
  /** Whether it was closed because nobody read. */
  slow = false
  /** Grows when a replay in progress has become pointless. */
  round = 0
  readonly #response: ServerResponse
  #over = false
  #draining = false
  #beats = 0

  constructor(response: ServerResponse, demo: boolean) {
    this.#response = response
    this.demo = demo
    this.closed = new Promise((resolve) => {
      response.once('close', () => {
        this.#over = true
        resolve()
      })
    })
    // A peer that resets the connection is an ordinary end, which `close` tells.
    response.on('error', () => response.destroy())
  }

  get over(): boolean {
    return this.#over || this.#response.destroyed
  }

  /** Writes, or closes the connection when the client has stopped reading; false then. */
  write(bytes: Buffer): boolean {
    if (this.over) return false
    const unsent = this.#response.writableLength
    if (unsent > 0 && unsent + bytes.length > UNSENT_LIMIT) {
      this.#dropAsSlow()
      return false
    }
    this.#response.write(bytes)
    return true
  }

  /** Whether a replay should wait for {@link drained}. */
  get full(): boolean {
    return this.#response.writableLength > REPLAY_MARK
  }

  /** Resolves when everything is sent or the connection is over. */
  async drained(): Promise<void> {
    if (this.over || !this.#response.writableNeedDrain) return
    this.#draining = true
    this.#beats = 0
    let drain = (): void => {}
    await Promise.race([this.closed, new Promise<void>((resolve) => this.#response.once('drain', (drain = resolve)))])
    this.#response.off('drain', drain)
    this.#draining = false
  }

  /** Writes a heartbeat, unless a replay has waited for several of them; false when the connection was closed. */
  beat(): boolean {
    if (!this.#draining) return this.write(HEARTBEAT)
    if (++this.#beats < PATIENCE_BEATS) return true
    this.#dropAsSlow()
    return false
  }

  /** Ends the stream; what the client does not take soon is given up. */
  end(): void {
    if (this.over) return
    this.#over = true
    this.#response.end()
    const cancel = systemClock.setTimeout(() => this.#response.destroy(), END_GRACE_MS)
    this.#response.once('close', cancel)
  }

  #dropAsSlow(): void {
    this.slow = true
    this.#over = true
    this.#response.destroy()
  }
}
