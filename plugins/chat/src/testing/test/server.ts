import { setImmediate as turn } from 'node:timers/promises'

/** A delivery of the platform to a bot. */
export type Frame = Readonly<Record<string, unknown>>

/** A message as the platform has it. */
export interface Stored {
  readonly id: string
  readonly room: string
  readonly thread?: string | undefined
  readonly from: string
  readonly isBot?: boolean | undefined
  text: string
  readonly quotes?: string | undefined
  readonly buttons?: readonly { readonly text: string; readonly command: string }[] | undefined
  readonly picture?: Uint8Array | undefined
}

/** The connection of one bot. */
export interface Link {
  /** Calls a method of the platform. */
  call(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>>
  close(): void
}

export interface LinkEvents {
  frame(frame: unknown): void
  closed(): void
}

interface Account {
  readonly token: string
  readonly id: string
  readonly room: string
  /** Deliveries that the bot has not acknowledged. */
  readonly pending: Frame[]
  link: { readonly events: LinkEvents; isOpen: boolean } | undefined
}

export class Refusal extends Error {
  readonly status: number
  readonly retryAfter: number | undefined

  constructor(status: number, message: string, retryAfter?: number) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** A chat platform in memory. It keeps what a bot has not acknowledged and delivers it again. */
export class MemoryServer {
  readonly messages: Stored[] = []
  readonly #accounts = new Map<string, Account>()
  readonly #reactions = new Map<string, Set<string>>()
  #ids = 0
  #ofUsers = 0
  #isUp = true
  #isMute = false
  #last: { readonly account: Account; readonly frame: Frame } | undefined
  refusals = 0
  swallowed = 0
  early = 0
  #limit: { readonly ms: number; readonly now: () => number; until?: number } | undefined
  readonly typing = new Set<string>()

  constructor(accounts: readonly { readonly token: string; readonly id: string; readonly room: string }[]) {
    for (const account of accounts) this.#accounts.set(account.token, { ...account, pending: [], link: undefined })
  }

  async connect(token: string, events: LinkEvents): Promise<Link & { readonly self: string }> {
    await turn()
    if (!this.#isUp) throw new Error('nothing listens here')
    const account = this.#accounts.get(token)
    if (!account) throw new Refusal(401, 'the token is not known')
    const link = { events, isOpen: true }
    account.link = link
    queueMicrotask(() => {
      for (const frame of account.pending.slice()) if (link.isOpen) events.frame(frame)
    })
    return {
      self: account.id,
      call: async (method, params) => {
        await turn()
        if (!link.isOpen || !this.#isUp) throw new Error('the connection is closed')
        if (this.#isMute) return new Promise(() => {})
        return this.#take(account, method, params)
      },
      close: () => {
        link.isOpen = false
      },
    }
  }

  #take(account: Account, method: string, params: Record<string, unknown>): Record<string, unknown> | Promise<never> {
    if (method === 'ack') {
      const index = account.pending.findIndex(({ delivery }) => delivery === params.delivery)
      if (index >= 0) account.pending.splice(index, 1)
      return {}
    }
    if (method === 'ping') return {}
    if (method === 'logout') account.link = undefined
    if (method === 'logout') return {}
    if (method === 'typing') this.typing.add(String(params.room))
    if (method === 'typing') return {}
    if (method === 'edit') return this.#edit(params)
    if (method === 'react') return this.#react(params)
    if (method === 'picture') return { bytes: this.#find(params.id).picture }
    return this.#send(account, params)
  }

  #send(account: Account, params: Record<string, unknown>): Record<string, unknown> | Promise<never> {
    if (this.refusals > 0) {
      this.refusals--
      throw new Refusal(403, 'forbidden by the room')
    }
    this.#checkLimit()
    const known = this.messages.find(({ id }) => id === `k:${String(params.key)}`)
    const message = known ?? this.#store({ ...params, from: account.id, isBot: true, id: `k:${String(params.key)}` })
    if (this.swallowed > 0) {
      this.swallowed--
      return new Promise(() => {})
    }
    return { id: message.id }
  }

  #checkLimit(): void {
    const limit = this.#limit
    if (!limit) return
    if (limit.until === undefined) limit.until = limit.now() + limit.ms
    else if (limit.now() >= limit.until) return void (this.#limit = undefined)
    else this.early++
    throw new Refusal(429, 'too many messages', limit.until - limit.now())
  }

  #store(values: Record<string, unknown>): Stored {
    const message = { id: `m${++this.#ids}`, ...values } as unknown as Stored
    this.messages.push(message)
    // Old messages of users are let go, so that only the memory of the bot is measured.
    if (message.isBot !== true && ++this.#ofUsers % 500 === 0)
      this.messages.splice(0, Infinity, ...this.messages.filter(({ isBot }, at, all) => isBot || at > all.length - 50))
    return message
  }

  #find(id: unknown): Stored {
    const message = this.messages.find((known) => known.id === id)
    if (!message) throw new Refusal(404, 'no such message')
    return message
  }

  #edit({ id, text }: Record<string, unknown>): Record<string, unknown> {
    this.#find(id).text = String(text)
    return {}
  }

  #react({ id, emoji, on }: Record<string, unknown>): Record<string, unknown> {
    const reactions = this.reactionsTo(this.#find(id).id)
    if (on) reactions.add(String(emoji))
    else reactions.delete(String(emoji))
    return {}
  }

  /** Returns the reactions of bots to a message. */
  reactionsTo(id: string): Set<string> {
    const known = this.#reactions.get(id) ?? new Set<string>()
    this.#reactions.set(id, known)
    return known
  }

  /** A user or another bot says something in a room. */
  say(values: Omit<Stored, 'id'> & Record<string, unknown>): Stored {
    const message = this.#store(values)
    const { picture, ...plain } = message
    this.deliver(message.room, { ...plain, type: 'message', hasPicture: picture !== undefined })
    return message
  }

  /** Delivers an event to the bots of a room. */
  deliver(room: string, event: Record<string, unknown>): void {
    for (const account of this.#accounts.values()) {
      if (account.room !== room) continue
      const frame = { ...event, delivery: `d${++this.#ids}` }
      account.pending.push(frame)
      this.#last = { account, frame }
      if (this.#isUp && !this.#isMute && account.link?.isOpen) account.link.events.frame(frame)
    }
  }

  redeliver(): void {
    const { account, frame } = this.#last as { account: Account; frame: Frame }
    if (!account.pending.includes(frame)) account.pending.push(frame)
    account.link?.events.frame(frame)
  }

  frames(values: readonly unknown[]): void {
    for (const account of this.#accounts.values()) for (const value of values) account.link?.events.frame(value)
  }

  limit(ms: number, now: () => number): void {
    this.#limit = { ms, now }
  }

  mute(): void {
    this.#isMute = true
  }

  kill(): void {
    this.#isUp = false
    for (const { link } of this.#accounts.values()) {
      if (!link?.isOpen) continue
      link.isOpen = false
      link.events.closed()
    }
  }

  restart(): void {
    this.#isUp = true
  }
}
