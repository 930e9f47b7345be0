import { systemClock, type Clock } from '@mynah/kernel'
import { LruMap, pause, TimeoutError, withTimeout } from '@mynah/kernel/util'
import { API_ROOT, type DiscordConfig } from './config.js'
import { fieldsOf, parseObject, textOf, type Fields } from './wire.js'

const TIMEOUT_MS = 20_000
const MAX_ANSWER = 8 * 1024 * 1024
const MAX_BUCKETS = 1_000
/** Longest pause before a call whose rate is used up, ms. A longer one is an error at once. */
const SHORT_MS = 5_000
const LONGEST_WAIT_MS = 365 * 86_400_000
/** Errors of connections that were never made. */
const UNSENT = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

/** Discord refuses a request. */
export class DiscordError extends Error {
  override readonly name = 'DiscordError'
  readonly status: number
  /** Discord's own number of the error. */
  readonly code: number
  /** Milliseconds for which Discord takes nothing more. */
  readonly retryAfter: number | undefined
  readonly isGlobal: boolean

  constructor(status: number, body: Fields, retryAfter?: number, isGlobal = false) {
    const { message, code, errors } = body
    const details = errors === undefined ? '' : `: ${JSON.stringify(errors).slice(0, 200)}`
    super(`${textOf(message, 200) || 'no reason given'} (${[status, code].filter(Number).join(', ')})${details}`)
    this.status = status
    this.code = typeof code === 'number' ? code : 0
    this.retryAfter = retryAfter
    this.isGlobal = isGlobal
  }
}

/** There is no answer. Its message never has the address. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  /** Whether Discord may have got the request. */
  readonly wasSent: boolean

  constructor(reason: string, wasSent: boolean) {
    super(reason)
    this.wasSent = wasSent
  }
}

/** Returns a path whose parts are encoded. */
export const path = (strings: TemplateStringsArray, ...parts: readonly string[]): string =>
  String.raw({ raw: strings }, ...parts.map(encodeURIComponent))

/** Returns the unit that Discord counts calls for: the method, and the route with its first id. */
function bucketOf(method: string, at: string): string {
  const [route = ''] = at.split('?', 1)
  const parts = route.split('/').map((part, index) => {
    const isLaterId = index > 2 && (/^\d+$/.test(part) || part.includes('%'))
    return isLaterId ? ':id' : part
  })
  return `${method} ${parts.join('/')}`
}

/** Discord over HTTP. It repeats nothing, and waits before a call only where its rate is used up for a short time. */
export class Rest {
  readonly #root: string
  readonly #token: string
  readonly #clock: Clock
  readonly #signal: AbortSignal
  /** When a bucket takes calls again. */
  readonly #blocked = new LruMap<string, number>(MAX_BUCKETS)
  #allBlocked = 0

  constructor({ apiRoot = API_ROOT, token }: DiscordConfig, clock: Clock, signal: AbortSignal) {
    this.#root = apiRoot
    this.#token = token
    this.#clock = clock
    this.#signal = signal
  }

  get(at: string): Promise<unknown> {
    return this.call('GET', at)
  }

  /**
   * Returns the answer.
   *
   * @throws DiscordError, NoAnswerError
   */
  async call(method: string, at: string, body?: object | FormData): Promise<unknown> {
    const bucket = bucketOf(method, at)
    const until = Math.max(this.#allBlocked, this.#blocked.get(bucket) ?? 0)
    const wait = until - this.#clock.now()
    if (wait > SHORT_MS)
      throw new DiscordError(429, { message: 'The rate is used up' }, wait, until === this.#allBlocked)
    if (wait > 0) await pause(wait, this.#clock, this.#signal)
    const { status, headers, text } = await this.#exchange(method, at, body)
    if (headers.get('x-ratelimit-remaining') === '0')
      this.#blocked.set(bucket, this.#clock.now() + milliseconds(headers.get('x-ratelimit-reset-after'), 0))
    const answer = parseObject(text)
    if (status >= 200 && status < 300) return answer ?? parsed(text)
    const known = fieldsOf(answer)
    if (status !== 429) throw new DiscordError(status, known)
    const retryAfter = milliseconds(known.retry_after ?? headers.get('retry-after'), 1)
    const isGlobal = known.global === true || headers.get('x-ratelimit-scope') === 'global'
    const next = this.#clock.now() + retryAfter
    if (isGlobal) this.#allBlocked = next
    else this.#blocked.set(bucket, next)
    throw new DiscordError(status, known, retryAfter, isGlobal)
  }

  async #exchange(method: string, at: string, body: object | FormData | undefined) {
    const isForm = body instanceof FormData
    const exchange = async (signal: AbortSignal) => {
      const response = await fetch(`${this.#root}${at}`, {
        method,
        redirect: 'error',
        signal,
        headers: {
          authorization: `Bot ${this.#token}`,
          'user-agent': 'DiscordBot (mynah, 0.1.0)',
          ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
      })
      return { status: response.status, headers: response.headers, text: await readText(response) }
    }
    try {
      const message = `there is no answer within ${TIMEOUT_MS / 1000} s`
      return await withTimeout(systemClock, TIMEOUT_MS, exchange, { parent: this.#signal, message })
    } catch (error) {
      throw noAnswer(error)
    }
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    if ((size += chunk.length) > MAX_ANSWER) throw new NoAnswerError(`more than ${MAX_ANSWER} bytes`, true)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function noAnswer(error: unknown): NoAnswerError {
  if (error instanceof NoAnswerError) return error
  if (error instanceof TimeoutError) return new NoAnswerError(error.message, true)
  const { cause } = error as { cause?: { code?: unknown } }
  const code = String(cause?.code ?? '')
  return new NoAnswerError(/^[A-Z_]{2,40}$/.test(code) ? code : 'the connection failed', !UNSENT.test(code))
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function milliseconds(seconds: unknown, otherwise: number): number {
  const value = Number(seconds)
  return Math.min(1000 * (seconds !== null && value >= 0 ? value : otherwise), LONGEST_WAIT_MS)
}
