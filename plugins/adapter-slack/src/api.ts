import { systemClock } from '@mynah/kernel'
import { TimeoutError, withTimeout } from '@mynah/kernel/util'
import type { FetchLimits } from '@mynah/plugin-chat/api'
import { API_ROOT, type SlackConfig } from './config.js'
import { parseObject, textOf, type Fields } from './wire.js'

const TIMEOUT_MS = 20_000
/** Time to send or to get a file, ms. */
const FILE_TIMEOUT_MS = 120_000
const MAX_ANSWER = 8 * 1024 * 1024
const LONGEST_WAIT_MS = 365 * 86_400_000
/** Errors of connections that were never made. */
const UNSENT = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

/** Slack refuses a call. */
export class SlackError extends Error {
  override readonly name = 'SlackError'
  readonly method: string
  readonly status: number
  /** Slack's own word for it. */
  readonly code: string
  /** Milliseconds for which Slack takes nothing more. */
  readonly retryAfter: number | undefined

  constructor(method: string, status: number, answer: Fields, retryAfter?: number) {
    const code = textOf(answer.error, 100) || 'no reason given'
    const needed = textOf(answer.needed, 100)
    const hint = needed && `: add the scope "${needed}" on the page OAuth & Permissions and install the app again`
    super(`${code}${status === 200 ? '' : ` (${status})`}${hint}`)
    this.method = method
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
  }
}

/** There is no answer. Its message never has the address. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  /** Whether Slack may have got the request. */
  readonly wasSent: boolean

  constructor(reason: string, wasSent: boolean) {
    super(reason)
    this.wasSent = wasSent
  }
}

/**
 * Returns whether an address that came in an answer is of Slack, so that tokens and requests go nowhere else. That of
 * a proxy counts too.
 */
export function isOfSlack(address: string, apiRoot = API_ROOT): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, host, hostname, username } = new URL(address)
  const root = new URL(apiRoot)
  const isSecure = protocol === 'https:' || protocol === 'wss:'
  if (username !== '' || (!isSecure && root.protocol !== 'http:')) return false
  return host === root.host || (isSecure && /(?:^|\.)slack(?:-gov)?\.com$/.test(hostname))
}

/** Slack's Web API and files. It repeats nothing. */
export class SlackApi {
  readonly #root: string
  readonly #token: string
  readonly #signal: AbortSignal
  /** The scopes of the token, as the last answer of `auth.test` named them. */
  scopes: ReadonlySet<string> = new Set()
  /** Slack's own time at its last answer, in seconds; before that the time of this host. */
  serverTime = Math.floor(systemClock.now() / 1_000)

  constructor({ apiRoot = API_ROOT, botToken }: SlackConfig, signal: AbortSignal) {
    this.#root = apiRoot
    this.#token = botToken
    this.#signal = signal
  }

  /**
   * Returns the answer.
   *
   * @throws SlackError, NoAnswerError
   */
  async call(method: string, args: Fields = {}, token = this.#token): Promise<Fields> {
    const form = new URLSearchParams()
    for (const [key, value] of Object.entries(args))
      if (value !== undefined) form.set(key, typeof value === 'string' ? value : JSON.stringify(value))
    const { status, headers, bytes } = await this.#exchange(`${this.#root}/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    const date = Date.parse(headers.get('date') ?? '')
    if (date > 0) this.serverTime = Math.floor(date / 1_000)
    if (method === 'auth.test') this.scopes = new Set((headers.get('x-oauth-scopes') ?? '').split(/[\s,]+/))
    const answer = parseObject(bytes.toString('utf8')) ?? {}
    if (status === 429) throw new SlackError(method, 429, { error: 'ratelimited' }, waitOf(headers))
    if (status !== 200 || answer.ok !== true) throw new SlackError(method, status, answer)
    return answer
  }

  /** Sends the bytes of a file to the address that Slack has named. */
  async upload(address: string, bytes: Uint8Array): Promise<void> {
    this.#assertOfSlack(address)
    const headers = { 'content-type': 'application/octet-stream' }
    const { status } = await this.#exchange(address, { method: 'POST', headers, body: bytes }, FILE_TIMEOUT_MS)
    if (status !== 200) throw new SlackError('upload', status, { error: 'the file was not taken' })
  }

  /** Answers an interaction. Returns false where its address has ended. */
  async respond(address: string, body: object): Promise<boolean> {
    this.#assertOfSlack(address)
    const headers = { 'content-type': 'application/json' }
    const answer = await this.#exchange(address, { method: 'POST', headers, body: JSON.stringify(body) })
    const { status } = answer
    if (status === 429) throw new SlackError('respond', 429, { error: 'ratelimited' }, waitOf(answer.headers))
    if (status >= 500) throw new SlackError('respond', status, {})
    return status < 300
  }

  /** Returns the bytes of a file. */
  async download(address: string, { maxBytes, signal }: FetchLimits): Promise<{ bytes: Buffer; mime: string }> {
    this.#assertOfSlack(address)
    const stopped = new AbortController()
    const stop = (): void => stopped.abort()
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    try {
      const options = { headers: { authorization: `Bearer ${this.#token}` }, signal: stopped.signal }
      const { status, headers, bytes } = await this.#exchange(address, options, FILE_TIMEOUT_MS, maxBytes)
      if (status !== 200) throw new SlackError('download', status, { error: 'the file was not given' })
      return { bytes, mime: headers.get('content-type') ?? '' }
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  #assertOfSlack(address: string): void {
    if (!isOfSlack(address, this.#root)) throw new NoAnswerError('the address is not of Slack', false)
  }

  async #exchange(address: string, init: RequestInit, timeoutMs = TIMEOUT_MS, maxBytes = MAX_ANSWER) {
    const exchange = async (signal: AbortSignal) => {
      // A file that may not be read is redirected to a page to log in.
      const response = await fetch(address, { ...init, redirect: 'manual', signal })
      return { status: response.status, headers: response.headers, bytes: await bytesOf(response, maxBytes) }
    }
    try {
      const message = `there is no answer within ${timeoutMs / 1000} s`
      return await withTimeout(systemClock, timeoutMs, exchange, { parent: init.signal ?? this.#signal, message })
    } catch (error) {
      throw noAnswer(error)
    }
  }
}

async function bytesOf({ body }: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    if ((size += chunk.length) > maxBytes) throw new NoAnswerError(`there are more than ${maxBytes} bytes`, true)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function noAnswer(error: unknown): NoAnswerError {
  if (error instanceof NoAnswerError) return error
  if (error instanceof TimeoutError) return new NoAnswerError(error.message, true)
  const { cause } = error as { cause?: { code?: unknown } }
  const code = String(cause?.code ?? '')
  return new NoAnswerError(/^[A-Z_]{2,40}$/.test(code) ? code : 'the connection failed', !UNSENT.test(code))
}

function waitOf(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? 1)
  return Math.min(1000 * (seconds >= 0 ? seconds : 1), LONGEST_WAIT_MS)
}
