// Requests that never reach a handler, since they cannot be read: they get the same envelope as all others.
import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { WireError } from '@mynah/contract'
import { JSON_TYPE, SECURITY_HEADERS } from './answer.js'

const FAILURES: Readonly<Record<string, WireError>> = {
  HPE_HEADER_OVERFLOW: new WireError('too_large:headers', 'The headers of the request are too large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new WireError('too_large', 'The extensions of the chunks are too large'),
  ERR_HTTP_REQUEST_TIMEOUT: new WireError('invalid_request:timeout', 'The request did not come whole in time'),
}
const MALFORMED = new WireError('invalid_request', 'This is no HTTP request')
const NO_TUNNEL = new WireError('method_not_allowed', 'This host opens no tunnels')

function textOf({ status, message, code }: WireError): string {
  const body = JSON.stringify({ success: false, error: message, code })
  const headers = [
    ...SECURITY_HEADERS,
    ['content-type', JSON_TYPE],
    ['content-length', String(Buffer.byteLength(body))],
    ['x-request-id', randomUUID()],
    ['connection', 'close'],
  ]
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}

/** Answers on `server` what its parser refuses, unless half an answer is out already. */
export function answerUnreadable(server: Server): void {
  const answering = new WeakMap<Duplex, ServerResponse>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => answering.set(request.socket, response))
  const refuse = (socket: Duplex, failure: WireError): void => {
    const response = answering.get(socket)
    const begun = response?.headersSent === true && !response.writableFinished
    if (!socket.writable || begun) socket.destroy()
    else socket.end(textOf(failure), () => socket.destroy())
  }
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    if (code === 'ECONNRESET') socket.destroy()
    else refuse(socket, FAILURES[code ?? ''] ?? MALFORMED)
  })
  server.on('connect', (_, socket) => {
    // A reset in the middle of the answer is the other side's affair.
    socket.on('error', () => socket.destroy())
    refuse(socket, NO_TUNNEL)
  })
  // What a client expects beforehand is no reason to refuse it: nothing of that kind is known.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}
