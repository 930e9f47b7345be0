// A host with one peer, and the store of its messages in the hands of the test.
import { definePlugin, systemClock, type Clock, type Host } from '@mynah/kernel'
import { startHost } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import { Chat, middlewares, type Content, type Message, type Receipt } from '@mynah/plugin-chat/api'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import webhook from '../index.js'
import { failingStore } from '@mynah/plugin-chat/testing'
import { Peer, SECRET } from './peer.js'

/** The real clock, which a test can put forward; what is waited for happens at once. */
export class HastyClock implements Clock {
  ahead = 0
  readonly #limit: number
  readonly waits: number[] = []
  readonly setInterval = systemClock.setInterval

  /** Waits of `limit` ms and more keep their length. */
  constructor(limit = 60_000) {
    this.#limit = limit
  }

  now(): number {
    return systemClock.now() + this.ahead
  }

  setTimeout(callback: () => void, ms: number): () => void {
    // Limits keep their length; pauses between attempts are noted and left out.
    if (ms >= this.#limit) return systemClock.setTimeout(callback, ms)
    this.waits.push(ms)
    return systemClock.setTimeout(callback, 0)
  }
}

export interface World {
  readonly peer: Peer
  readonly host: Host
  readonly clock: HastyClock
  readonly heard: Message[]
  /** Whether the store of messages takes any. */
  keeps: boolean
  send(content: Content): Promise<Receipt>
  stop(): Promise<void>
}

export async function startWorld(config: Record<string, unknown> = {}, clock = new HastyClock()): Promise<World> {
  const peer = await Peer.start()
  const heard: Message[] = []
  let keeps = true
  const listener = definePlugin({
    name: 'listener',
    setup: (ctx) =>
      void ctx.contribute(middlewares, { name: 'listener', handle: (message) => void heard.push(message) }),
  })
  const { host } = await startHost(
    [
      { plugin: httpCore as never, config: { port: 0, token: 'owner-token-of-the-tests' } },
      {
        plugin: chat as never,
        config: { endpoints: [{ adapter: 'webhook', id: 'peer', secret: SECRET, url: peer.url, ...config }] },
      },
      webhook as never,
      listener as never,
      failingStore(() => keeps),
    ],
    { clock },
  )
  peer.origin = host.get(Http)?.origin ?? ''
  // The host starts without waiting for its accounts.
  for (const tries = performance.now() + 20_000; host.get(Chat)?.online() !== 1 && performance.now() < tries;)
    await new Promise((resolve) => {
      systemClock.setTimeout(() => resolve(undefined), 5)
    })
  return {
    peer,
    host,
    clock,
    heard,
    get keeps() {
      return keeps
    },
    set keeps(value) {
      keeps = value
    },
    send: (content) => (host.get(Chat) as Chat).send('webhook', 'peer', { type: 'private', id: 'alice' }, content),
    async stop() {
      await host.stop()
      await peer.stop()
    },
  }
}
