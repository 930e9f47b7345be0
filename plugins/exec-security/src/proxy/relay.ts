import { request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { answerOf, Refused } from './refused.js'

/** Headers that hold for one connection only. How long a body is, each connection says by itself. */
const HOP_BY_HOP = [
  'connection',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
]
/** Notices such as `100 Continue` before an answer. A server could send them without end. */
const MAX_NOTICES = 20
const SWITCHES = 'the server switches protocols'

/**
 * Passes on a request over a connection to its server, and the answer to the client. An answer that is no HTTP becomes
 * a refusal, and half an answer ends with its connection. Never throws.
 */
export function relay(asked: IncomingMessage, response: ServerResponse, url: URL, socket: Socket): void {
  const fail = (error: unknown): void => {
    socket.destroy()
    // The rest of the request would keep the connection of the client open.
    asked.unpipe().resume()
    refuse(response, error)
  }
  try {
    const passed = request({
      createConnection: () => socket,
      method: asked.method,
      path: url.pathname + url.search,
      headers: { ...requestHeaders(asked.headers), host: url.host, connection: 'close' },
    })
    let notices = 0
    passed.on('information', () => {
      notices += 1
      if (notices > MAX_NOTICES) fail(new Refused(502, 'no answer that is understood'))
    })
    passed.on('response', (answer) => answerWith(answer, asked, response, fail))
    passed.on('upgrade', () => fail(new Refused(502, SWITCHES)))
    passed.on('error', fail)
    passed.on('close', () => fail(new Refused(502, 'no answer')))
    response.once('close', () => passed.destroy())
    asked.on('error', () => passed.destroy())
    asked.pipe(passed)
  } catch (error) {
    fail(error)
  }
}

function answerWith(
  answer: IncomingMessage,
  asked: IncomingMessage,
  response: ServerResponse,
  fail: (error: unknown) => void,
): void {
  try {
    // One that is not asked for.
    if (answer.statusCode === 101) throw new Refused(502, SWITCHES)
    // A server may answer before it has the request, and then the rest of that is in the way of the next one.
    if (!asked.complete) response.shouldKeepAlive = false
    response.writeHead(answer.statusCode ?? 502, answerHeaders(answer.headers))
  } catch (error) {
    return fail(error)
  }
  // It destroys the response where the answer is cut off.
  pipeline(answer, response, () => undefined)
}

/** Answers a request that is not passed on, unless it has an answer already. */
export function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return
  const { status, text } = answerOf(error)
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(text)
}

/** The proxy itself has answered what a client expects before its body. */
function requestHeaders({ expect: _, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  return endToEnd(headers, ['content-length', 'transfer-encoding'])
}

function answerHeaders({ 'transfer-encoding': encoding, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  return endToEnd(headers, encoding === undefined ? ['content-length'] : [])
}

/**
 * Returns the headers that do not hold for one connection only.
 *
 * @param kept those that say how long the body is, which no other header takes away
 */
function endToEnd(headers: IncomingHttpHeaders, kept: readonly string[]): IncomingHttpHeaders {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  const own = new Set([...HOP_BY_HOP, ...named])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => kept.includes(name) || !own.has(name)))
}
