// A server over HTTP whose sessions can be ended.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** A request to a server. */
interface Asked {
  readonly id?: number
  readonly method: string
  readonly params: { readonly arguments?: { readonly text?: string } }
}

/** A server whose sessions can be ended. It answers requests of ended ones by a status. */
export class SessionServer {
  readonly #status: number
  #begun = 0
  #living = ''
  /** Calls that have run, as their session and their text. */
  readonly calls: string[] = []
  /** Refuses the next call by the status, though its session goes on. */
  refusesOne = false

  constructor(status: number) {
    this.#status = status
  }

  endSession(): void {
    this.#living = ''
  }

  readonly answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method, params } = JSON.parse((await buffer(request)).toString()) as Asked
    const isCall = method === 'tools/call'
    const isRefused = method !== 'initialize' && request.headers['mcp-session-id'] !== this.#living
    if (isRefused || (isCall && this.refusesOne)) {
      this.refusesOne = false
      return void response.writeHead(this.#status, { 'content-type': 'text/plain' }).end('No such session')
    }
    if (method === 'initialize') this.#living = `s${++this.#begun}`
    if (id === undefined) return void response.writeHead(202).end()
    if (isCall) this.calls.push(`${this.#living} ${params.arguments?.text}`)
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: '2025-03-26',
        capabilities: { tools: {} },
        serverInfo: { name: 'sessions', version: '1' },
      },
      'tools/list': { tools: [{ name: 'note', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'noted' }] },
      ping: {},
    }
    response
      .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': this.#living })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }))
  }
}
