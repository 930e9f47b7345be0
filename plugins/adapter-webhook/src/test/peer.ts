// A peer on the other side of the network: takes what the bot posts, and posts to the bot.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sign } from '../api.js'

export const SECRET = 'a shared secret of the tests'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly body: {
    readonly id: string
    readonly text: string
    readonly content: { type: string; data: Record<string, unknown> }[]
    readonly [key: string]: unknown
  }
}

export class Peer {
  readonly #server: Server
  /** Where the bot listens. */
  origin = ''
  /** Requests of the bot since {@link record}. */
  received: Received[] = []
  #recording = false
  /** Texts of the bot. */
  readonly texts: string[] = []
  /** Answers a request instead of the peer; gives false to let the peer answer. */
  answer: (request: Received, response: ServerResponse) => boolean = () => false
  #count = 0

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const received: Received = {
          headers: request.headers,
          bytes,
          body: JSON.parse(bytes.toString()) as Received['body'],
        }
        if (this.#recording) this.received.push(received)
        if (this.answer(received, response)) return
        this.texts.push(received.body.text)
        response.end(JSON.stringify({ messageId: `peer-${this.texts.length}` }))
      })
    })
  }

  static async start(): Promise<Peer> {
    const peer = new Peer()
    peer.#server.listen(0, '127.0.0.1')
    await once(peer.#server, 'listening')
    return peer
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/messages`
  }

  record(): void {
    this.received = []
    this.#recording = true
  }

  /** Returns a message as it is posted. */
  message(text: string, id = `m${++this.#count}`): string {
    return JSON.stringify({
      id,
      channel: { type: 'private', id: 'alice' },
      sender: { id: 'alice', name: 'Alice' },
      content: text,
    })
  }

  /** Posts a body to the bot, signed unless `headers` say otherwise. */
  post(
    body: string | Buffer,
    { id = 'peer', headers }: { id?: string; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    return fetch(`${this.origin}/webhook/chat/${encodeURIComponent(id)}`, {
      method: 'POST',
      body: body as string,
      headers: { 'content-type': 'application/json', ...(headers ?? sign(SECRET, body)) },
    })
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }
}
