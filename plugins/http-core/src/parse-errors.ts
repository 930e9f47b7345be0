import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { WireError } from '@mynah/contract'
import { JSON_TYPE, SECURITY_HEADERS } from './response.js'

const FAILURES: Readonly<Record<string, WireError>> = {
  HPE_HEADER_OVERFLOW: new WireError('too_large:headers', 'The headers of the request are too large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new WireError('too_large', 'The extensions of the chunks are too large'),
  ERR_HTTP_REQUEST_TIMEOUT: new WireError('invalid_request:timeout', 'The request was not complete in time'),
}
const MALFORMED = new WireError('invalid_request', 'This is not an HTTP request')
const NO_TUNNEL = new WireError('method_not_allowed', 'This host does not open tunnels')

function textOf({ status, message, code }: WireError): string {
  const body = JSON.stringify({ success: false, error: message, code })
  const headers = [
    ...SECURITY_HEADERS,
    ['content-type', JSON_TYPE],
    ['content-length', String(Buffer.byteLength(body))],
    ['x-request-id', randomUUID()],
    ['connection', 'close'],
  ]
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers.map(([name, value]) => `${name}: ${value}`)]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Answers requests that the parser of `server` rejects with the usual failure envelope. */
export function handleParseErrors(server: Server): void {
  const errorBoundary = new WeakMap<Duplex, ServerResponse>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) =>
    errorBoundary.set(request.socket, response),
  )
  const refuse = (socket: Duplex, failure: WireError): void => {
    const response = errorBoundary.get(socket)
    const begun = response?.headersSent === true && !response.writableFinished
    if (!socket.writable || begun) socket.destroy()
    else socket.end(textOf(failure), () => socket.destroy())
  }
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    if (code === 'ECONNRESET') socket.destroy()
    else refuse(socket, FAILURES[code ?? ''] ?? MALFORMED)
  })
  server.on('connect', (_, socket) => {
    // The client may reset the connection in the middle of the answer.
    socket.on('error', () => socket.destroy())
    refuse(socket, NO_TUNNEL)
  })
  // Unknown values of the header Expect are ignored instead of answered with 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}
