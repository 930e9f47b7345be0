import { isWireError } from '@mynah/contract'
import { messageOf, type Clock, type Logger, type Ref } from '@mynah/kernel'
import { SerialQueue } from '@mynah/kernel/util'
import type { Chat, Message } from '@mynah/plugin-chat/api'
import type { ApprovalEnd, ApprovalRequest, Approvals } from '@mynah/plugin-exec-security/api'
import { displayName, singleLine } from '../prompt/speakers.js'
import { textsFor } from '../texts.js'
import type { Pairing, PairingKey, Pairings } from './pairings.js'

/** Open requests of an endpoint. Further strangers are heard when some have ended. */
const MAX_OPEN = 10
/** How often the owner is asked about a stranger: once, and one reminder. */
const MAX_ASKED = 2
const MAX_NAME = 64

/** The parts of the host that the desk works with. */
export interface PairingDeskParts {
  readonly pairings: Pairings
  readonly approvals: Ref<Approvals>
  readonly chat: () => Chat | undefined
  readonly clock: Clock
  readonly log: Logger
  /** Aborts when the plugin stops. */
  readonly signal: AbortSignal
}

/** Asks the owners about strangers who write to the bot in private, and keeps their answers. */
export class PairingDesk {
  readonly #parts: PairingDeskParts
  /** One stranger after the other, so that each is asked about once. */
  readonly #queue = new SerialQueue()

  constructor(parts: PairingDeskParts) {
    this.#parts = parts
  }

  /**
   * Asks about the sender where that is due.
   *
   * @returns whether the sender was let in, and if not, whether to say that the owner was asked
   */
  meet(message: Message): Promise<'paired' | 'asked' | 'silent'> {
    return this.#queue.run(async () => {
      const { pairings } = this.#parts
      const key = { adapter: message.adapter, endpoint: message.endpoint, user: message.sender.id }
      const known = await pairings.get(key)
      if (known?.state === 'paired') return 'paired'
      if (known && (known.state !== 'expired' || known.asked >= MAX_ASKED)) return 'silent'
      const open = (await pairings.list(key)).filter(({ state }) => state === 'waiting')
      if (open.length >= MAX_OPEN) return 'silent'
      const asked = (known?.asked ?? 0) + 1
      const name = displayName(message.sender)
      await this.#ask({ ...key, name, state: 'waiting', asked, request: null, at: this.#parts.clock.now() }, message)
      return asked === 1 ? 'asked' : 'silent'
    })
  }

  /** Waits again for the owner's answers to the requests of an earlier start. */
  async resume(): Promise<void> {
    for (const pairing of await this.#parts.pairings.list()) if (pairing.state === 'waiting') void this.#follow(pairing)
  }

  /** Lets a person in, or forgets the person. Returns whether that was a change. */
  set(key: PairingKey, isPaired: boolean): Promise<boolean> {
    // In the queue: the withdrawn request must not be settled over the decision.
    return this.#queue.run(async () => {
      const { pairings, clock, approvals } = this.#parts
      const known = await pairings.get(key)
      if (known?.request && known.state === 'waiting') await approvals.current?.withdraw(known.request)
      if (!isPaired) return pairings.delete(key)
      if (known?.state === 'paired') return false
      const name = known?.name ?? key.user
      await pairings.put({ ...key, name, state: 'paired', asked: known?.asked ?? 0, request: null, at: clock.now() })
      return true
    })
  }

  list(): Promise<readonly Pairing[]> {
    return this.#parts.pairings.list()
  }

  async #ask(pairing: Pairing, { channel }: Message): Promise<void> {
    const { approvals, pairings, log } = this.#parts
    const { adapter, endpoint, user, name, asked } = pairing
    const request: ApprovalRequest = {
      kind: 'pairing',
      title: `${name} (${singleLine(user, MAX_NAME)}, ${adapter})`,
      text: JSON.stringify([adapter, endpoint, user]),
      origin: { adapter, endpoint, channel, user },
      reason: asked === 1 ? 'a stranger wrote in private' : 'a stranger wrote in private again',
      asker: { turn: `pairing/${adapter}/${endpoint}/${user}`, call: String(asked) },
    }
    // Without approvals the owner can still answer by a command.
    const id = await approvals.current?.request(request).then(
      (view) => view.id,
      (error: unknown) => void log.warn(`failed to ask the owner about a stranger: ${messageOf(error)}`),
    )
    const waiting = { ...pairing, request: id ?? null }
    await pairings.put(waiting)
    void this.#follow(waiting)
  }

  /** Waits for the answer of the owner and stores it. Never rejects. */
  async #follow(pairing: Pairing): Promise<void> {
    const { request } = pairing
    if (request === null) return
    try {
      const end = await this.#endOf(request)
      await this.#queue.run(() => this.#settle(pairing, end))
    } catch (error) {
      if (!this.#parts.signal.aborted)
        this.#parts.log.warn(`failed to settle a request of a stranger: ${messageOf(error)}`)
    }
  }

  async #settle(pairing: Pairing, end: ApprovalEnd): Promise<void> {
    const { pairings, chat, clock, approvals } = this.#parts
    const current = await pairings.get(pairing)
    if (current?.state !== 'waiting' || current.request !== pairing.request) return
    const states = { approved: 'paired', denied: 'refused', expired: 'expired', withdrawn: 'expired' } as const
    const { adapter, endpoint, user } = pairing
    await pairings.put({ ...current, state: states[end], request: null, at: clock.now() })
    if (end !== 'approved') return
    const text = JSON.stringify([adapter, endpoint, user])
    const channel = { type: 'private', id: user } as const
    await approvals.current?.use('pairing', text, { adapter, endpoint, channel, user })
    const service = chat()
    const key = `pairing/${pairing.request}`
    await service?.send(adapter, endpoint, channel, textsFor(service.locale).paired, { key })
  }

  /** Waits for the end of a request, also while the approvals are unavailable. An unknown one has expired. */
  async #endOf(id: string): Promise<ApprovalEnd> {
    const { approvals, signal } = this.#parts
    for (;;) {
      signal.throwIfAborted()
      const { current } = approvals
      try {
        if (current) return await current.wait(id, signal)
      } catch (error) {
        if (isWireError(error) && error.code === 'not_found') return 'expired'
        signal.throwIfAborted()
      }
      await this.#untilChanged(current)
    }
  }

  /** Resolves when other approvals are there, or when the plugin stops. */
  async #untilChanged(before: Approvals | undefined): Promise<void> {
    const { approvals, signal } = this.#parts
    if (approvals.current !== before) return
    await new Promise<void>((resolve) => {
      const end = (): void => {
        unsubscribe()
        signal.removeEventListener('abort', end)
        resolve()
      }
      const unsubscribe = approvals.onChange(end)
      signal.addEventListener('abort', end, { once: true })
    })
  }
}
