import { isRecord } from '@mynah/contract'
import type { Cursors, EndpointHandle } from '@mynah/plugin-chat/api'
import { LruMap } from '@mynah/kernel/util'
import { countOf, idOf, parseObject, textOf } from './wire.js'

/** Cursors of the last messages. Each has room for so many channels in 4,096 bytes. */
const PARTS = 4
const CHANNELS_A_PART = 64

/** A session of the gateway that can be resumed. */
export interface Session {
  readonly id: string
  readonly url: string
  /** Number of the last event that was accepted. */
  readonly sequence: number
}

const partOf = (channel: string): number => Number(channel.slice(-2)) % PARTS
const nameOf = (part: number): string => `last${part}`

/** The session with its last accepted event, and the last message of up to 256 channels. */
export class Positions {
  readonly #cursor: EndpointHandle['cursor']
  readonly #last = Array.from({ length: PARTS }, () => new LruMap<string, string>(CHANNELS_A_PART))
  #isLoaded = false
  session: Session | undefined

  constructor(cursor: EndpointHandle['cursor']) {
    this.#cursor = cursor
  }

  async load(): Promise<void> {
    if (this.#isLoaded) return
    const saved = parseObject((await this.#cursor.get('session')) ?? '')
    const sequence = countOf(saved?.sequence)
    if (isRecord(saved) && sequence !== undefined)
      this.session = { id: textOf(saved.id), url: textOf(saved.url), sequence }
    for (const [part, channels] of this.#last.entries())
      for (const pair of ((await this.#cursor.get(nameOf(part))) ?? '').split(',')) {
        const [channel, message] = pair.split(':').map(idOf)
        if (channel !== undefined && message !== undefined) channels.set(channel, message)
      }
    this.#isLoaded = true
  }

  /** Returns the last message of each channel. */
  lastMessages(): [channel: string, message: string][] {
    return this.#last.flatMap((channels) => [...channels.entries()])
  }

  /** Notes that a message of a channel was accepted, and returns what has to be written with it. */
  passMessage(channel: string, message: string): Cursors {
    const part = partOf(channel)
    const channels = this.#last[part] as LruMap<string, string>
    const before = channels.get(channel) ?? '0'
    channels.set(channel, BigInt(message) > BigInt(before) ? message : before)
    return { [nameOf(part)]: Array.from(channels.entries(), (pair) => pair.join(':')).join(',') }
  }

  forgetChannel(channel: string): void {
    this.#last[partOf(channel)]?.delete(channel)
  }

  /** Returns the cursor of a session with this sequence. */
  at(session: Session | undefined): Cursors {
    return { session: session ? JSON.stringify(session) : '' }
  }
}
