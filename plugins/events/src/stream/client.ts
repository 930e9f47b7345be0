import type { ServerResponse } from 'node:http'
import { systemClock } from '@mynah/kernel'
import { HEARTBEAT } from './frame.js'

/** Unsent bytes above which a client is disconnected. */
export const UNSENT_LIMIT = 1_048_576
/** Unsent bytes above which a replay pauses. */
const REPLAY_MARK = 262_144
const END_GRACE_MS = 500
/** Number of heartbeats that a paused replay waits for its client to read. */
const MAX_MISSED_BEATS = 4

/** One connection. Buffers a limited number of bytes. */
export class Client {
  readonly demo: boolean
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>
  /** True if it was closed because the client did not read. */
  slow = false
  /** Incremented to cancel a running replay. */
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
    // A reset by the client is a normal end, which `close` reports.
    response.on('error', () => response.destroy())
  }

  get over(): boolean {
    return this.#over || this.#response.destroyed
  }

  /** Writes bytes. Closes the connection and returns false if the client has stopped reading. */
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

  /** True if a replay should wait for {@link drained}. */
  get full(): boolean {
    return this.#response.writableLength > REPLAY_MARK
  }

  /** Resolves when everything is sent or the connection has ended. */
  async drained(): Promise<void> {
    if (this.over || !this.#response.writableNeedDrain) return
    this.#draining = true
    this.#beats = 0
    let drain = (): void => {}
    await Promise.race([this.closed, new Promise<void>((resolve) => this.#response.once('drain', (drain = resolve)))])
    this.#response.off('drain', drain)
    this.#draining = false
  }

  /**
   * Writes a heartbeat. Closes the connection and returns false if a replay has been paused for too many heartbeats.
   */
  beat(): boolean {
    if (!this.#draining) return this.write(HEARTBEAT)
    if (++this.#beats < MAX_MISSED_BEATS) return true
    this.#dropAsSlow()
    return false
  }

  /** Ends the stream. Drops data that the client does not read soon. */
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
