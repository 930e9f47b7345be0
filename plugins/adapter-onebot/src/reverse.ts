import type { IncomingHttpHeaders } from 'node:http'
import { WebSocketServer, type WebSocket } from 'ws'
import { WireError } from '@mynah/contract'
import { systemClock } from '@mynah/kernel'
import { sameSecret } from '@mynah/kernel/util'
import type { Deliveries } from '@mynah/plugin-chat/api'
import type { Upgrade } from '@mynah/plugin-http-core/api'
import type { PeerAccount } from './peer-account.js'
import { closeSocket, SOCKET_LIMITS } from './socket-transport.js'
import { idOf } from './wire.js'

/** Path of the WebSocket and of posts, before the id of the endpoint. */
export const PATH = '/webhook/onebot/'
/** Shorter than the limit of chat, whose reason would not say what to do. */
const WAIT_MS = 55_000

/** Where the server of one account connects. A connection that comes while none is awaited waits here, unread. */
export class Door {
  #parked: WebSocket | undefined
  #admit: ((socket: WebSocket) => void) | undefined

  /** Takes a connection. It replaces one that waits. */
  offer(socket: WebSocket): void {
    socket.on('error', () => socket.terminate())
    socket.pause()
    if (this.#admit) return this.#admit(socket)
    this.close()
    this.#parked = socket
  }

  /** Resolves with the next connection. */
  async next(path: string, signal: AbortSignal, waitMs = WAIT_MS): Promise<WebSocket> {
    const parked = this.#parked
    this.#parked = undefined
    if (parked?.readyState === parked?.OPEN && parked) return parked
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.#admit = undefined
        cancel()
        signal.removeEventListener('abort', abort)
      }
      const abort = (): void => {
        settle()
        reject(new Error('disconnected while connecting'))
      }
      const cancel = systemClock.setTimeout(() => {
        settle()
        reject(new Error(`No OneBot server has connected to ${path} yet: enter this address and the token there`))
      }, waitMs)
      this.#admit = (socket) => {
        settle()
        resolve(socket)
      }
      signal.addEventListener('abort', abort, { once: true })
    })
  }

  /** Closes the connection that waits. */
  close(): void {
    if (this.#parked) void closeSocket(this.#parked, 1000, 'replaced')
    this.#parked = undefined
  }
}

/** The token of a request, which servers send as a header or, where they cannot, in the address. */
function tokenIn(authorization: string | undefined, query: URLSearchParams): string {
  return /^(?:bearer|token) +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? query.get('access_token') ?? ''
}

/** Returns the account that a token opens. */
function authenticate(bot: PeerAccount | undefined, sent: string): PeerAccount {
  const { mode = 'reverse', token = '' } = bot?.endpoint.config ?? {}
  // Compared in any case, so that an unknown account takes the same time and has the same answer.
  const passes = sameSecret(sent, token)
  if (!passes || !bot || token === '' || mode !== 'reverse')
    throw new WireError('unauthorized', 'The token of this endpoint is missing or wrong')
  return bot
}

/** Refuses a connection for a part of the protocol, and one of another account. */
function assertSuitable(bot: PeerAccount, headers: IncomingHttpHeaders): void {
  const role = headers['x-client-role'] ?? 'Universal'
  if (typeof role !== 'string' || !/^universal$/i.test(role))
    throw new WireError('invalid_request', 'Use one universal connection, not one for events and one for the API')
  const selfId = idOf(headers['x-self-id'])
  const mistake = selfId === undefined ? undefined : bot.selfMistake(selfId)
  if (mistake) throw new WireError('conflict', mistake)
}

/** Takes the WebSockets of servers, by the id of their endpoint. */
export function reverseUpgrade(accounts: Pick<Deliveries<PeerAccount, null>, 'connected'>): Upgrade {
  const server = new WebSocketServer({ noServer: true, clientTracking: false, ...SOCKET_LIMITS })
  return {
    path: PATH,
    summary: 'Reverse WebSockets of OneBot 11, with the token of the endpoint',
    accept({ request, socket, head, rest, query, signal }) {
      const bot = authenticate(accounts.connected(rest), tokenIn(request.headers.authorization, query))
      assertSuitable(bot, request.headers)
      server.handleUpgrade(request, socket, head, (opened) => {
        signal.addEventListener('abort', () => void closeSocket(opened), { once: true })
        bot.admit(opened)
      })
    },
  }
}
