import { request as http, type Agent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as https } from 'node:https'
import type { LookupFunction } from 'node:net'
import { systemClock } from '@mynah/kernel'
import { TimeoutError, withTimeout } from '@mynah/kernel/util'

/** There is no answer, or none that can be read. Its message never has the address. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  /** Whether the server may have got the request. */
  readonly wasSent: boolean

  constructor(reason: string, wasSent: boolean) {
    super(reason)
    this.wasSent = wasSent
  }
}

export interface Exchange {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
  readonly maxBytes: number
  /** Time from the first byte of the request to the last of the answer, in milliseconds. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** `false` for a connection of its own. */
  readonly agent: Agent | false
  readonly lookup?: LookupFunction
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

async function bytesOf(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if ((size += chunk.length) > maxBytes) throw new NoAnswerError(`the answer has more than ${maxBytes} bytes`, true)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** How far an attempt came that failed. */
interface Fate {
  isConnected: boolean
  /** The server had closed a kept connection before it got the request. */
  isStale: boolean
}

function attempt(
  url: URL,
  { method, headers, body, maxBytes, agent, lookup }: Exchange,
  signal: AbortSignal,
  fate: Fate,
) {
  return new Promise<Answer>((resolve, reject) => {
    const options = { method: method ?? 'GET', headers: { ...headers }, agent, signal, ...(lookup ? { lookup } : {}) }
    const request = (url.protocol === 'https:' ? https : http)(url, options, (response) => {
      bytesOf(response, maxBytes)
        .then((bytes) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes }))
        .catch((error: unknown) => {
          response.destroy()
          reject(error as Error)
        })
    })
    const connected = (): void => {
      fate.isConnected = true
    }
    request.on('socket', (socket) => (socket.connecting ? socket.once('connect', connected) : connected()))
    request.on('error', (error: NodeJS.ErrnoException) => {
      fate.isStale = request.reusedSocket && error.code === 'ECONNRESET'
      reject(error)
    })
    request.end(body)
  })
}

function reasonFor(error: unknown): string {
  if (error instanceof NoAnswerError || error instanceof TimeoutError) return error.message
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  if (name === 'AbortError') return 'the request was ended'
  return typeof code === 'string' && /^[A-Z_0-9]{1,40}$/.test(code) ? code : 'the connection failed'
}

/**
 * Sends one request and reads its answer within limits of time and size. The limits are real time, also where a test
 * lets pauses pass at once. All requests of this adapter may be repeated.
 *
 * @throws NoAnswerError
 */
export async function exchange(url: URL, options: Exchange): Promise<Answer> {
  const { timeoutMs, signal } = options
  const fate: Fate = { isConnected: false, isStale: false }
  const once = (limited: AbortSignal): Promise<Answer> => attempt(url, options, limited, fate)
  try {
    return await withTimeout(
      systemClock,
      timeoutMs,
      (limited) =>
        once(limited).catch((error: unknown) => {
          if (!fate.isStale || limited.aborted) throw error
          return once(limited)
        }),
      { parent: signal, message: `there is no answer within ${timeoutMs / 1000} s` },
    )
  } catch (error) {
    throw new NoAnswerError(reasonFor(error), fate.isConnected)
  }
}
