// Fetches addresses that come from models, chats or skills, within limits, and from public hosts only.
import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { systemClock, type Clock } from '@mynah/kernel'
import { WebError, type Web, type WebRequest, type WebResponse } from '../api/web.js'
import { isPublic, publicLookup } from './addresses.js'

const DEFAULTS = { timeout: 30_000, maxBytes: 2 * 1024 * 1024, redirects: 5 }
const MAX_URL = 8_192
/** Headers that another host may see. Any other may have a key. */
const COMMON_HEADERS = new Set([
  'accept',
  'accept-language',
  'user-agent',
  'content-type',
  'range',
  'if-none-match',
  'if-modified-since',
])
const UNPACK = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])
/** Headers that the connection sets itself. */
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'accept-encoding',
  'keep-alive',
  'te',
  'trailer',
  'expect',
])

export interface WebOptions {
  /** Returns the hosts that may be private, as `name` or `name:port`. Called at each request. */
  allowHosts(): readonly string[]
  readonly clock?: Clock
  readonly signal?: AbortSignal
}

interface Asked {
  readonly url: URL
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: string | Uint8Array | undefined
}

/** Creates the service that fetches addresses. */
export function createWeb(options: WebOptions): Web {
  return { fetch: (url, request = {}) => fetchThrough(url, request, options) }
}

async function fetchThrough(address: string | URL, request: WebRequest, options: WebOptions): Promise<WebResponse> {
  const { timeout = DEFAULTS.timeout, signal } = request
  const clock = options.clock ?? systemClock
  const abort = new AbortController()
  const stop = (): void => abort.abort(new WebError('aborted', 'The fetch was stopped'))
  const watched = [signal, options.signal].filter((each) => each !== undefined)
  for (const each of watched) each.addEventListener('abort', stop, { once: true })
  if (watched.some(({ aborted }) => aborted)) stop()
  const cancel = clock.setTimeout(
    () => abort.abort(new WebError('timeout', `Nothing whole came within ${timeout / 1000} s`)),
    timeout,
  )
  try {
    return await followRedirects(address, request, options, abort.signal)
  } catch (error) {
    if (error instanceof WebError) throw error
    if (abort.signal.aborted) throw abort.signal.reason
    throw failureOf(error)
  } finally {
    cancel()
    for (const each of watched) each.removeEventListener('abort', stop)
  }
}

async function followRedirects(
  address: string | URL,
  request: WebRequest,
  options: WebOptions,
  signal: AbortSignal,
): Promise<WebResponse> {
  const { maxBytes = DEFAULTS.maxBytes, redirects = DEFAULTS.redirects, over = 'fail' } = request
  let asked: Asked = {
    url: parse(address),
    method: request.method ?? 'GET',
    headers: headersOf(request.headers),
    body: request.body,
  }
  for (let followed = 0; ; followed++) {
    const message = await send(asked, options, signal)
    const target = redirectOf(message)
    if (target === undefined) return receive(message, asked.url, { maxBytes, over, signal })
    message.destroy()
    if (followed >= redirects) throw new WebError('redirects', `The address leads on more than ${redirects} times`)
    asked = following(asked, target, message.statusCode ?? 0)
  }
}

/** Parses an address of `http` or `https` without credentials. */
function parse(address: string | URL, base?: URL): URL {
  const text = String(address)
  if (text.length > MAX_URL) throw new WebError('address', 'The address is too long')
  let url: URL
  try {
    url = new URL(text, base)
  } catch {
    throw new WebError('address', 'This is no address')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new WebError('address', 'Only addresses of http and https are fetched')
  if (url.username || url.password)
    throw new WebError('address', 'Addresses with a user name or password are not fetched')
  url.hash = ''
  return url
}

function send(asked: Asked, { allowHosts }: WebOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const { url, method, headers, body } = asked
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  // An address omits the default port of its scheme, but the list may name it.
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const allowed = allowHosts().some((host) =>
    [url.hostname, hostname, `${url.hostname}:${port}`].includes(host.toLowerCase()),
  )
  // A literal address is not looked up.
  if (!allowed && isIP(hostname) && !isPublic(hostname))
    throw new WebError('forbidden', `${hostname} is an address of this machine or of a private network`)
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(
      url,
      {
        method,
        signal,
        agent: false,
        ...(allowed ? {} : { lookup: publicLookup }),
        headers: {
          'user-agent': 'Mynah',
          accept: '*/*',
          ...headers,
          'accept-encoding': 'gzip, deflate, br',
          ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        },
      },
      resolve,
    )
    request.on('error', reject)
    // A change of protocol gets neither an answer nor an error otherwise.
    request.on('close', () => reject(new Error('The connection ended before there was an answer')))
    request.end(body)
  })
}

function redirectOf(message: IncomingMessage): string | undefined {
  const { statusCode = 0, headers } = message
  return [301, 302, 303, 307, 308].includes(statusCode) && headers.location ? headers.location : undefined
}

function following(asked: Asked, target: string, status: number): Asked {
  const url = parse(target, asked.url)
  const headers =
    url.origin === asked.url.origin
      ? asked.headers
      : Object.fromEntries(Object.entries(asked.headers).filter(([name]) => COMMON_HEADERS.has(name)))
  if (status === 303 || (status < 303 && asked.method === 'POST'))
    return { url, headers, method: asked.method === 'HEAD' ? 'HEAD' : 'GET', body: undefined }
  return { ...asked, url, headers }
}

async function receive(
  message: IncomingMessage,
  url: URL,
  { maxBytes, over, signal }: { maxBytes: number; over: 'fail' | 'cut'; signal: AbortSignal },
): Promise<WebResponse> {
  const stop = (): void => void message.destroy(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  const chunks: Buffer[] = []
  let size = 0
  let cut = false
  try {
    for await (const chunk of decoded(message)) {
      size += (chunk as Buffer).length
      if (size > maxBytes) {
        if (over === 'fail') throw new WebError('too-large', `The answer is longer than ${maxBytes} bytes`)
        cut = true
        chunks.push((chunk as Buffer).subarray(0, (chunk as Buffer).length - (size - maxBytes)))
        break
      }
      chunks.push(chunk as Buffer)
    }
  } finally {
    signal.removeEventListener('abort', stop)
    message.destroy()
  }
  const body = Buffer.concat(chunks)
  const type = message.headers['content-type'] ?? ''
  const mediaType = (type.split(';', 1)[0] ?? '').trim().toLowerCase()
  return {
    status: message.statusCode ?? 0,
    url: url.href,
    headers: plain(message.headers),
    mediaType,
    body,
    cut,
    text: () => decode(body, type),
  }
}

/**
 * Returns the decompressed body. Its bytes are counted afterwards, so that a small body cannot grow without bound.
 */
function decoded(message: IncomingMessage): Readable {
  const unpack = UNPACK.get(message.headers['content-encoding']?.trim().toLowerCase() ?? '')
  if (!unpack || message.statusCode === 204 || message.statusCode === 304) return message
  const stream = unpack()
  message.on('error', (error) => stream.destroy(error))
  message.on('aborted', () => stream.destroy(new Error('The answer broke off')))
  return message.pipe(stream)
}

function decode(body: Buffer, type: string): string {
  const charset = /charset\s{0,10}=\s{0,10}"?([\w-]{1,40})/i.exec(type.slice(0, 500))?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    // The charset is unknown.
    return new TextDecoder().decode(body)
  }
}

function headersOf(given: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !OWN_HEADERS.has(name)),
  )
}

const plain = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )

/** Returns a failure without the network's own words, which have addresses. */
function failureOf(error: unknown): WebError {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ERR_INVALID_CHAR' || code === 'ERR_UNESCAPED_CHARACTERS' || code === 'ERR_INVALID_HTTP_TOKEN')
    return new WebError('address', 'The address or a header has characters that cannot be sent')
  return new WebError(
    'unreachable',
    `The address could not be fetched${typeof code === 'string' ? ` (${code})` : ''}`,
    { cause: error },
  )
}
