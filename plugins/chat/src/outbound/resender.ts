import { WireError } from '@mynah/contract'
import type { Segment } from '@mynah/contract/types'
import type { Receipt } from '../api/message.js'
import { resendKey } from '../api/store.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { ActiveStore } from '../store/active-store.js'
import type { Mutable } from '../util/mutable.js'
import type { Sender, SendRequest } from './sender.js'

/**
 * Sends messages again that were not sent. Only a person starts this, who knows whether the text is still wanted, and
 * whether a message that may have arrived may come twice.
 */
export class Resender {
  readonly #store: ActiveStore
  readonly #sender: Sender

  constructor(store: ActiveStore, sender: Sender) {
    this.#store = store
    this.#sender = sender
  }

  /**
   * Sends a stored message as a new one, as any other: its key makes a second call join the first.
   *
   * @param mayHaveArrived whether a message is sent that is `unknown`
   * @throws `not_found` without the message, `conflict` where it was sent, is being sent or may have arrived,
   * `not_ready` while the endpoint is offline, else as any message that is not sent
   */
  async resend(endpoint: Endpoint, id: string, mayHaveArrived: boolean): Promise<Receipt> {
    const found = await this.#store.require().findOutbound(id)
    if (!found || found.record.adapter !== endpoint.adapter || found.record.endpoint !== endpoint.id)
      throw new WireError('not_found', `"${endpoint.id}" has no message "${id.slice(0, 100)}" that it sent`)
    const { record, state } = found
    if (state !== 'failed' && state !== 'unknown')
      throw new WireError('conflict', `The message is ${state}: there is nothing to send again`)
    if (state === 'unknown' && !mayHaveArrived)
      throw new WireError('conflict', 'The message may have arrived: `mayHaveArrived` sends it anyway')
    if (endpoint.status !== 'online')
      throw new WireError('not_ready', `The endpoint "${endpoint.id}" is ${endpoint.status}`)
    const request: Mutable<SendRequest> = { key: resendKey(id) }
    if (record.answers !== undefined) request.answers = record.answers
    if (record.replyTo !== undefined) request.replyTo = record.replyTo
    return this.#sender.start(endpoint, record.channel, record.segments as Segment[], request).receipt
  }
}
