// Connections of clients that ask for another protocol. They have passed no step of the application.
import { ServerResponse, STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { isWireError, WireError } from '@mynah/contract'
import { messageOf, type Contribution, type Reader } from '@mynah/kernel'
import type { Upgrade } from './api.js'
import type { AuthenticationOptions } from './authentication.js'
import type { CallServices } from './call.js'
import type { ErrorBoundaryOptions } from './error-boundary.js'
import { assertHeaders } from './headers.js'
import { assertKnownHost } from './host-guard.js'
import type { UpgradeHandler } from './listener.js'
import { parseTarget } from './request-state.js'
import { JSON_TYPE, SECURITY_HEADERS } from './response.js'
import { truncateMessage } from './truncate-message.js'

interface UpgradeOptions extends ErrorBoundaryOptions, AuthenticationOptions, CallServices {
  readonly upgrades: Reader<Upgrade>
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void
}

/** Answers as if the client asked for no upgrade, which HTTP lets a server do. */
function answerPlainly(request: IncomingMessage, socket: Duplex, { handler }: UpgradeOptions): void {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket as never)
  response.on('finish', () => socket.end())
  handler(request, response)
}

function refuse(socket: Duplex, error: WireError, redact: (text: string) => string): void {
  const message = redact(truncateMessage(error.message))
  const body = JSON.stringify({ success: false, error: message, code: error.code })
  const headers = [
    ...SECURITY_HEADERS,
    ['connection', 'close'],
    ['content-type', JSON_TYPE],
    ['content-length', String(Buffer.byteLength(body))],
    ...(error.retryAfter === undefined ? [] : [['retry-after', String(error.retryAfter)]]),
  ].map(([name, value]) => `${name}: ${value}\r\n`)
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n${headers.join('')}\r\n${body}`)
}

function decoded(rest: string): string {
  try {
    return decodeURIComponent(rest)
  } catch {
    throw new WireError('invalid_request', 'The path has a malformed percent sequence')
  }
}

/** Counts a wrong token, and returns the error for an address that has sent too many. */
function counted(error: WireError, request: IncomingMessage, options: UpgradeOptions): WireError {
  if (error.code !== 'unauthorized') return error
  const { address } = options.settings().proxies.clientOf(request)
  const { retryAfter, blockedNow } = options.attempts.recordFailure(address, options.now())
  if (blockedNow) options.log.warn('too many wrong tokens', { address, retryAfter })
  return retryAfter > 0 ? new WireError('rate_limited', 'Too many wrong tokens', { retryAfter }) : error
}

/** Returns what takes the connections of clients that ask for another protocol. */
export function upgradeHandler(options: UpgradeOptions): UpgradeHandler {
  const { host, upgrades, settings, senders } = options

  async function accept(
    { value: upgrade, owner }: Contribution<Upgrade>,
    target: { readonly path: string; readonly query: string },
    [request, socket, head, signal]: Parameters<UpgradeHandler>,
  ): Promise<void> {
    assertHeaders(request)
    assertKnownHost(request, settings())
    if (signal.aborted || host.status !== 'running') throw new WireError('not_ready', 'The host is not ready')
    const rest = decoded(target.path.slice(upgrade.path.length))
    await senders.assertForeign(request, `GET ${upgrade.path}`, 'anonymous')
    const query = new URLSearchParams(target.query)
    await upgrade.accept({ request, socket, head, rest, query, signal, log: host.loggerOf(owner) })
  }

  return (request, socket, head, signal) => {
    const target = parseTarget(request)
    const isWebSocket = request.method === 'GET' && /^websocket$/i.test(request.headers.upgrade ?? '')
    const found = isWebSocket && upgrades.all().find(({ value }) => target?.path.startsWith(value.path))
    if (!target || !found) return answerPlainly(request, socket, options)
    const startedAt = performance.now()
    const answered = (status: number): void =>
      options.answered({ method: 'GET', route: found.value.path, status, ms: performance.now() - startedAt })
    accept(found, target, [request, socket, head, signal]).then(
      () => answered(101),
      (thrown: unknown) => {
        const log = host.loggerOf(found.owner)
        if (!isWireError(thrown)) log.error(`failed to accept a WebSocket: ${messageOf(thrown)}`)
        const error = isWireError(thrown) ? thrown : new WireError('internal', 'Internal error')
        const final = counted(error, request, options)
        refuse(socket, final, host.redact)
        answered(final.status)
      },
    )
  }
}
