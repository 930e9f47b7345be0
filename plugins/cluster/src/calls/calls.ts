import { isRecord, isWireError, WireError, type Code } from '@mynah/contract'
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { newId } from '@mynah/kernel/util'
import type { Session } from '../database/connect.js'
import { Pieces, piecesOf } from './pieces.js'

/** Time after which a call counts as not answered, in milliseconds. */
const LIMIT_MS = 10_000

/** A host that can be called, in one run of its process. */
export interface Callee {
  readonly name: string
  readonly number: number
  readonly epoch: number
}

type Handler = (params: unknown) => Promise<unknown>

interface Ask {
  readonly kind: 'ask'
  readonly id: string
  /** Number of the host that asks. */
  readonly from: number
  /** Epoch of the host that is asked. */
  readonly epoch: number
  readonly method: string
  readonly params: unknown
}

interface Failure {
  readonly code: Code
  readonly message: string
  readonly details?: NonNullable<WireError['details']>
  readonly data?: unknown
  readonly retryAfter?: number
}

interface Reply {
  readonly kind: 'reply'
  readonly id: string
  readonly result?: unknown
  readonly failure?: Failure
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: WireError): void
}

interface CallParts {
  readonly self: Callee
  readonly clock: Clock
  readonly log: Logger
  use<T>(work: (session: Session) => Promise<T>): Promise<T>
}

/** Name of the channel on which a host is called. */
export const channelOf = (number: number): string => `mynah_h_${number}`

/** Calls between hosts, as notifications of the database. A call arrives once, or not at all. */
export class Calls {
  readonly #parts: CallParts
  readonly #handlers = new Map<string, Handler>()
  readonly #waiting = new Map<string, Waiting>()
  readonly #pieces = new Pieces()

  constructor(parts: CallParts) {
    this.#parts = parts
  }

  /** Answers calls of a method. Returns how to stop. */
  answer(method: string, handler: Handler): () => void {
    this.#handlers.set(method, handler)
    return () => {
      if (this.#handlers.get(method) === handler) this.#handlers.delete(method)
    }
  }

  /** Runs what this host answers itself. */
  async here(method: string, params: unknown): Promise<unknown> {
    const handler = this.#handlers.get(method)
    if (!handler) throw new WireError('not_ready', `The host that has the work does not answer ${method} yet`)
    return handler(params)
  }

  /**
   * Calls another host.
   *
   * @throws WireError of the other host; `too_large`; `upstream_unavailable:unknown` without an answer in time: whether
   * the other host has done it is not known
   */
  async call(callee: Callee, method: string, params: unknown): Promise<unknown> {
    const { clock, self } = this.#parts
    const id = newId()
    const ask: Ask = { kind: 'ask', id, from: self.number, epoch: callee.epoch, method, params }
    let cancel = (): void => {}
    const answered = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      cancel = clock.setTimeout(
        () => reject(unknownOutcome('The host that has the work did not answer in time')),
        LIMIT_MS,
      )
    })
    try {
      return await Promise.race([answered, this.#send(callee.number, id, ask).then(() => answered)])
    } finally {
      cancel()
      this.#waiting.delete(id)
    }
  }

  /** Takes a notification of the channel of this host. */
  receive(payload: string): void {
    try {
      const whole = this.#pieces.add(payload)
      if (whole) this.#take(whole.value)
    } catch (error) {
      this.#parts.log.warn(`a call of another host could not be read: ${messageOf(error)}`)
    }
  }

  /** Ends the calls that wait for an answer. */
  close(): void {
    for (const { reject } of this.#waiting.values()) reject(unknownOutcome('The host stops'))
  }

  #take(message: unknown): void {
    if (!isRecord(message) || typeof message.id !== 'string') return
    if (message.kind === 'ask') void this.#run(message as unknown as Ask)
    else if (message.kind === 'reply') this.#settle(message as unknown as Reply)
  }

  #settle({ id, result, failure }: Reply): void {
    const waiting = this.#waiting.get(id)
    if (!failure) return waiting?.resolve(result)
    const { code, message, ...extra } = failure
    waiting?.reject(new WireError(code, message, extra))
  }

  async #run({ id, from, epoch, method, params }: Ask): Promise<void> {
    const { self, log } = this.#parts
    const reply = await (
      epoch === self.epoch
        ? this.here(method, params)
        : Promise.reject(new WireError('not_ready', 'The host that has the work has started again'))
    ).then(
      (result): Reply => ({ kind: 'reply', id, result }),
      (error: unknown): Reply => ({ kind: 'reply', id, failure: failureOf(error) }),
    )
    const failed = (error: unknown): void => log.warn(`a call of another host was not answered: ${messageOf(error)}`)
    await this.#send(from, id, reply)
      .catch((error: unknown) => this.#send(from, id, { kind: 'reply', id, failure: failureOf(error) } satisfies Reply))
      .catch(failed)
  }

  async #send(number: number, id: string, message: Ask | Reply): Promise<void> {
    let pieces: string[]
    try {
      pieces = piecesOf(`${id}.${message.kind}`, message)
    } catch (error) {
      throw new WireError('too_large', `A call to another host is too large. ${messageOf(error)}`, { cause: error })
    }
    await this.#parts
      .use((session) =>
        session.query('SELECT pg_notify($1, piece) FROM unnest($2::text[]) WITH ORDINALITY AS p(piece, n) ORDER BY n', [
          channelOf(number),
          pieces,
        ]),
      )
      .catch((error: unknown) => {
        throw unknownOutcome('The database that leads to the other host does not answer', error)
      })
  }
}

const unknownOutcome = (message: string, cause?: unknown): WireError =>
  new WireError('upstream_unavailable:unknown', `${message}; whether it was done is not known`, { cause })

function failureOf(error: unknown): Failure {
  if (!isWireError(error)) return { code: 'internal', message: 'Internal error of the host that has the work' }
  const { code, message, details, data, retryAfter } = error
  return {
    code,
    message,
    ...(details ? { details } : {}),
    ...(data === undefined ? {} : { data }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  }
}
