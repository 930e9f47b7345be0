import { randomUUID } from 'node:crypto'
import { messageOf, type BaseContext } from '@mynah/kernel'
import { HOUR_MS, LruMap } from '@mynah/kernel/util'
import type { InboundNotice } from '../api/inbound.js'
import type { ChatSettings } from '../settings.js'
import type { TraceBuilder } from '../traces.js'
import type { ReceivedMessage } from './received-message.js'

const MAX_PEERS = 10_000
/** Time after a pause in which another loop makes the next pause twice as long, and the longest pause. */
const LONGEST_PAUSE_MS = HOUR_MS

interface Peer {
  /** The last message that was let through. */
  last: TraceBuilder
  /** When the bot last answered the peer; `undefined` once the peer has answered that. */
  answeredAt: number | undefined
  /** Times of the messages that answered an answer of the bot. */
  exchanges: number[]
  pauseMs: number
  pausedUntil: number
}

/** Passes a notice to the inbox. */
type AddNotice = (message: ReceivedMessage, notice: InboundNotice) => Promise<void>

/**
 * Ends conversations with automata, which answer each answer of the bot at once. A person who types quickly also writes
 * while an answer is still on its way, calls commands and makes pauses: only a message that follows an answer to all
 * earlier ones counts. Owners are never taken for automata.
 */
export class LoopGuard {
  readonly #ctx: BaseContext<unknown>
  readonly #settings: ChatSettings
  readonly #addNotice: AddNotice
  readonly #peers = new LruMap<string, Peer>(MAX_PEERS)

  constructor(ctx: BaseContext<unknown>, settings: ChatSettings, addNotice: AddNotice) {
    this.#ctx = ctx
    this.#settings = settings
    this.#addNotice = addNotice
  }

  /** Notes that the bot answers a message. */
  answered({ record }: TraceBuilder): void {
    const peer = this.#peers.peek(keyOf(record))
    if (peer) peer.answeredAt = this.#ctx.clock.now()
  }

  /** Returns whether a message may be answered. */
  admit(message: ReceivedMessage): boolean {
    const { exchanges: limit, seconds, answeredWithin } = this.#settings.loop
    if (limit === 0 || message.roles.has('master')) return true
    const key = keyOf(message)
    const now = this.#ctx.clock.now()
    const { trace } = message
    const peer = this.#peers.get(key)
    if (!peer) {
      this.#peers.set(key, { last: trace, answeredAt: undefined, exchanges: [], pauseMs: 0, pausedUntil: 0 })
      return true
    }
    if (now < peer.pausedUntil) return false
    const { last, answeredAt } = peer
    peer.last = trace
    peer.answeredAt = undefined
    const isAnswered = last === trace || last.replies > 0 || last.ended
    if (!isAnswered || answeredAt === undefined || now - answeredAt > answeredWithin * 1_000) return true
    peer.exchanges = [...peer.exchanges.filter((at) => at > now - seconds * 1_000), now]
    if (peer.exchanges.length < limit) return true
    this.#pause(peer, message, now)
    return false
  }

  #pause(peer: Peer, message: ReceivedMessage, now: number): void {
    const { seconds } = this.#settings.loop
    const exchanges = peer.exchanges.length
    const isAgain = peer.pauseMs > 0 && now < peer.pausedUntil + LONGEST_PAUSE_MS
    peer.pauseMs = Math.min(isAgain ? peer.pauseMs * 2 : seconds * 1_000, LONGEST_PAUSE_MS)
    peer.pausedUntil = now + peer.pauseMs
    peer.exchanges = []
    const { adapter, endpoint, sender, channel } = message
    const pause = Math.ceil(peer.pauseMs / 1_000)
    const { log } = this.#ctx
    log.warn(
      `loop with a peer ended: it has answered ${exchanges} answers within ${seconds} s, ` +
        `and is not answered for ${pause} s`,
      { adapter, endpoint, user: sender.id },
    )
    this.#addNotice(message, {
      id: `loop-${randomUUID()}`,
      kind: 'loop',
      channel,
      target: { id: sender.id, ...(sender.name === undefined ? {} : { name: sender.name }) },
      payload: { exchanges, seconds, pause },
      timestamp: now,
    }).catch((error: unknown) => log.warn(`failed to store a notice: ${messageOf(error)}`))
  }
}

const keyOf = ({
  adapter,
  endpoint,
  sender,
}: Pick<TraceBuilder['record'], 'adapter' | 'endpoint'> & { readonly sender: { readonly id: string } }): string =>
  JSON.stringify([adapter, endpoint, sender.id])
