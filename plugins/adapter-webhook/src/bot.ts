import { randomUUID } from 'node:crypto'
import {
  SendError,
  type Bot,
  type EndpointHandle,
  type OutboundMessage,
  type Self,
  type Target,
} from '@mynah/plugin-chat/api'
import type { WebhookConfig } from './config.js'
import { outboundOf } from './outbound.js'
import { post } from './post.js'
import { Replays } from './replay-guard.js'

export class WebhookBot implements Bot {
  readonly endpoint: EndpointHandle<WebhookConfig>
  readonly replays: Replays

  constructor(endpoint: EndpointHandle<WebhookConfig>) {
    this.endpoint = endpoint
    this.replays = new Replays(() => endpoint.clock.now())
  }

  connect(): Promise<Self> {
    return Promise.resolve({ id: this.endpoint.id, name: this.endpoint.id })
  }

  disconnect(): Promise<void> {
    return Promise.resolve()
  }

  async send(target: Target, message: OutboundMessage): Promise<{ messageId: string }> {
    const {
      config: { url, secret },
      clock,
      signal,
      id: endpoint,
    } = this.endpoint
    if (url === undefined) throw new SendError('refused', `The endpoint "${endpoint}" has no \`url\` to send to`)
    const key = randomUUID()
    const body = JSON.stringify(await outboundOf(key, endpoint, target, message, clock.now()))
    const { messageId = key } = await post({ url, secret, key, body, clock, signal })
    return { messageId }
  }
}
