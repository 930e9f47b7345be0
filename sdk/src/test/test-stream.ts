// The event stream of a test host: each connection is written by hand.
import type { ServerResponse } from 'node:http'
import { Collector } from './collector.js'
import type { Answer, TestHost } from './test-host.js'

export interface Connection {
  readonly response: ServerResponse
  readonly lastId: string | undefined
}

export class TestStream {
  readonly connections = new Collector<Connection>()

  constructor(host: TestHost, path = '/api/events') {
    host.on(`GET ${path}`, this.answer)
  }

  readonly answer: Answer = (response, { headers }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.flushHeaders()
    this.connections.push({ response, lastId: headers['last-event-id'] as string | undefined })
  }

  /** Returns the newest connection once there are `n`, opened as hosts do. */
  async opened(n: number, sync: Record<string, unknown> = {}): Promise<Connection> {
    const connection = (await this.connections.count(n))[n - 1] as Connection
    connection.response.write(
      frame('sync', { key: 'entries', value: [], ...sync }) + frame('init-data', { timestamp: 1 }),
    )
    return connection
  }
}

export const frame = (type: string, data: unknown, id?: string): string =>
  `${id ? `id: ${id}\n` : ''}data: ${JSON.stringify({ type, data, timestamp: 5 })}\n\n`
