// A scripted model server that records every byte it receives. Speaks the chat-completions protocol with audio.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Asked {
  readonly model?: string
  readonly messages: readonly { readonly role: string; readonly content: unknown; readonly tool_calls?: unknown }[]
  readonly tools?: readonly unknown[]
}
/** An answer of the model: text, tool calls, or a failure. */
interface Said {
  readonly text?: string
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[]
  readonly failure?: { readonly status: number; readonly message: string; readonly code?: string }
}
export type Play = (asked: Asked, index: number) => Said | string

export class ModelServer {
  /** Requests for an answer, as they came. */
  readonly bodies: string[] = []
  /** Lines of all requests and their headers, but the key that the server itself was given. */
  readonly heads: string[] = []
  /** Recordings to be written down, as they came. */
  readonly recordings: Buffer[] = []
  /** The transcript that is returned for each of them. */
  heard = ''
  readonly #server: Server
  readonly #play: Play

  private constructor(play: Play) {
    this.#play = play
    this.#server = createServer(
      (request, response) => void this.#serve(request, response).catch(() => response.destroy()),
    )
  }

  static async start(play: Play): Promise<ModelServer> {
    const server = new ModelServer(play)
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server, 'listening')
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }
  get asked(): Asked[] {
    return this.bodies.map((body) => JSON.parse(body) as Asked)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization: _, ...headers } = request.headers
    this.heads.push(`${request.method} ${request.url} ${JSON.stringify(headers)}`)
    const raw = await buffer(request)
    if (request.url?.endsWith('/audio/transcriptions')) {
      this.recordings.push(raw)
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ text: this.heard }))
    }
    const body = raw.toString('utf8')
    if (request.method !== 'POST')
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ data: [{ id: 'player' }] }))
    const index = this.bodies.push(body) - 1
    const said = this.#play(JSON.parse(body) as Asked, index)
    const { text = '', calls = [], failure } = typeof said === 'string' ? { text: said } : said
    if (failure)
      return void response
        .writeHead(failure.status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { message: failure.message, code: failure.code ?? null } }))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const frame = (fields: object): string =>
      `data: ${JSON.stringify({ id: `a${index}`, object: 'chat.completion.chunk', model: 'player', ...fields })}\n\n`
    const usage = { prompt_tokens: Math.ceil(body.length / 4), completion_tokens: 10, total_tokens: 10 }
    const chunk = (delta: object, reason: string | null = null): string =>
      frame({ choices: [{ index: 0, delta, finish_reason: reason }] })
    const made = calls.map(({ name, input }, at) => ({
      index: at,
      id: `call-${index}-${at}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }))
    response.end(
      [
        chunk({ role: 'assistant', content: text }),
        ...(made.length ? [chunk({ tool_calls: made })] : []),
        chunk({}, made.length ? 'tool_calls' : 'stop'),
        frame({ choices: [], usage }),
        'data: [DONE]\n\n',
      ].join(''),
    )
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
