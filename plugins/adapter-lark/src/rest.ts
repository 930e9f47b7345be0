import { systemClock, type Clock } from '@mynah/kernel'
import { TimeoutError, withTimeout } from '@mynah/kernel/util'
import { DOMAIN, type LarkConfig } from './config.js'
import { LarkError, NoAnswerError } from './errors.js'
import { countOf, fieldsOf, parseObject, textOf, type Fields } from './wire.js'

const TIMEOUT_MS = 20_000
const MAX_ANSWER = 4 * 1024 * 1024
/** A token is not used in the last minutes of its time. */
const MARGIN_S = 300
const LONGEST_TOKEN_S = 86_400
const INVALID_TOKENS: ReadonlySet<number> = new Set([99_991_661, 99_991_663, 99_991_664, 99_991_668])
/** Errors of connections that were never made. */
const UNSENT = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

interface AccessToken {
  readonly value: Promise<string>
  until: number
}
interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}
interface Limits {
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** Returns a path whose parts are encoded. */
export const path = (strings: TemplateStringsArray, ...parts: readonly string[]): string =>
  `/open-apis/im/v1${String.raw({ raw: strings }, ...parts.map(encodeURIComponent))}`

/** Lark over HTTP. It repeats only what was refused because its token had ended. */
export class Rest {
  readonly #config: LarkConfig
  readonly #root: string
  readonly #clock: Clock
  readonly #signal: AbortSignal
  #token: AccessToken | undefined

  constructor(config: LarkConfig, clock: Clock, signal: AbortSignal) {
    this.#config = config
    this.#root = config.domain ?? DOMAIN
    this.#clock = clock
    this.#signal = signal
  }

  /**
   * Calls a method that needs no token.
   *
   * @throws LarkError, NoAnswerError
   */
  async open(at: string, body: object): Promise<Fields> {
    return fieldsIn(await this.#exchange('POST', at, body))
  }

  /** Calls a method and returns the data of its answer. */
  async call(method: string, at: string, body?: object): Promise<Fields> {
    return this.#withToken(async (token) => {
      const answer = fieldsIn(await this.#exchange(method, at, body, token))
      return fieldsOf(answer.data ?? answer.bot)
    })
  }

  /** Fetches a file that was sent with a message. */
  download(at: string, limits: Limits): Promise<Buffer> {
    return this.#withToken(async (token) => {
      const answer = await this.#exchange('GET', at, undefined, token, limits)
      if (answer.status !== 200) fieldsIn(answer)
      return answer.bytes
    })
  }

  async #withToken<T>(work: (token: string) => Promise<T>): Promise<T> {
    const token = await this.#accessToken()
    try {
      return await work(token)
    } catch (error) {
      if (!(error instanceof LarkError) || !INVALID_TOKENS.has(error.code)) throw error
      this.#token = undefined
      return work(await this.#accessToken())
    }
  }

  #accessToken(): Promise<string> {
    if (this.#token && this.#clock.now() < this.#token.until) return this.#token.value
    const token: AccessToken = {
      until: Infinity,
      value: this.#newToken((until) => {
        token.until = until
      }),
    }
    this.#token = token
    token.value.catch(() => {
      if (this.#token === token) this.#token = undefined
    })
    return token.value
  }

  async #newToken(onEnd: (until: number) => void): Promise<string> {
    const { appId, appSecret } = this.#config
    const at = '/open-apis/auth/v3/tenant_access_token/internal'
    const answer = await this.open(at, { app_id: appId, app_secret: appSecret })
    const seconds = Math.min(countOf(answer.expire) ?? 0, LONGEST_TOKEN_S)
    onEnd(this.#clock.now() + 1_000 * Math.max(seconds - MARGIN_S, seconds / 2))
    return textOf(answer.tenant_access_token, 512)
  }

  async #exchange(
    method: string,
    at: string,
    body?: object,
    token?: string,
    { maxBytes, signal: parent }: Limits = { maxBytes: MAX_ANSWER, signal: this.#signal },
  ): Promise<Answer> {
    const isForm = body instanceof FormData
    const exchange = async (signal: AbortSignal): Promise<Answer> => {
      const response = await fetch(`${this.#root}${at}`, {
        method,
        redirect: 'error',
        signal,
        headers: {
          ...(body && !isForm ? { 'content-type': 'application/json; charset=utf-8' } : {}),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
      })
      return { status: response.status, headers: response.headers, bytes: await readBytes(response, maxBytes) }
    }
    try {
      const message = `there is no answer within ${TIMEOUT_MS / 1000} s`
      return await withTimeout(systemClock, TIMEOUT_MS, exchange, { parent, message })
    } catch (error) {
      throw noAnswer(error)
    }
  }
}

/** Returns an answer. Lark has a code in each, also where the status is 200. */
function fieldsIn({ status, headers, bytes }: Answer): Fields {
  const fields = fieldsOf(parseObject(bytes.toString('utf8')))
  if (status >= 200 && status < 300 && fields.code === 0) return fields
  throw new LarkError(status, fields, headers.get('x-ogw-ratelimit-reset') ?? headers.get('retry-after'))
}

async function readBytes({ body }: Response, maxBytes: number): Promise<Buffer> {
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
