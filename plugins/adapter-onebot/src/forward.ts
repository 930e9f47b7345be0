import { WebSocket } from 'ws'
import { tokenMistake } from './action.js'
import type { OneBotConfig } from './config.js'
import { SOCKET_LIMITS } from './socket-transport.js'

const HANDSHAKE_MS = 15_000

/** Opens a WebSocket to the server. Follows no redirect. */
export function openSocket({ url, token }: OneBotConfig, signal: AbortSignal): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url as string, {
      ...SOCKET_LIMITS,
      handshakeTimeout: HANDSHAKE_MS,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })
    const abort = (): void => socket.terminate()
    const settle = (): void => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort, { once: true })
    socket.once('unexpected-response', (request, response) => {
      const status = response.statusCode ?? 0
      settle()
      request.destroy()
      reject(new Error(tokenMistake(status) ?? `The OneBot server answers ${status}: check \`url\``))
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      settle()
      reject(new Error(`The OneBot server cannot be reached (${error.code ?? error.message})`))
    })
    socket.once('open', () => {
      settle()
      // Frames that arrive before the reader is there must not be lost.
      socket.pause()
      resolve(socket)
    })
    if (signal.aborted) abort()
  })
}
