import { systemClock, type Clock } from '@mynah/kernel'
import { TimeoutError, withTimeout } from '@mynah/kernel/util'
import { API_ROOT, OLD_API_ROOT, type DingTalkConfig } from './config.js'
import { DingTalkError, NoAnswerError } from './errors.js'
import { countOf, fieldsOf, parseObject, textOf, type Fields } from './wire.js'

const TIMEOUT_MS = 20_000
const MAX_ANSWER = 1024 * 1024
/** A token is not used in the last minutes of its time. */
const MARGIN_S = 300
const LONGEST_TOKEN_S = 86_400
const OLD_INVALID_TOKENS: ReadonlySet<string> = new Set(['40001', '40014', '42001'])
/** Errors of connections that were never made. */
const UNSENT = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

interface Limits {
  readonly maxBytes: number
  readonly signal: AbortSignal
}
interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}

interface AccessToken {
  readonly value: Promise<string>
  until: number
}

/** DingTalk over HTTP. It repeats only what was refused because its token had ended. */
export class Rest {
  readonly #config: DingTalkConfig
  readonly #root: string
  readonly #oldRoot: string
  readonly #clock: Clock
  readonly #signal: AbortSignal
  #token: AccessToken | undefined

  constructor(config: DingTalkConfig, clock: Clock, signal: AbortSignal) {
    this.#config = config
    this.#root = config.apiRoot ?? API_ROOT
    this.#oldRoot = this.#root === API_ROOT ? OLD_API_ROOT : this.#root
    this.#clock = clock
    this.#signal = signal
  }

  /**
   * Calls a method that needs no token.
   *
   * @throws DingTalkError, NoAnswerError
   */
  open(path: string, body: object): Promise<Fields> {
    return this.#post(`${this.#root}${path}`, body)
  }

  /** Calls a method of the robot. */
  call(path: string, body: object): Promise<Fields> {
    return this.#withToken((token) =>
      this.#post(`${this.#root}${path}`, body, { 'x-acs-dingtalk-access-token': token }),
    )
  }

  /** Answers a message by its session. */
  answer(session: string, body: object): Promise<Fields> {
    return this.#post(`${this.#oldRoot}/robot/sendBySession?session=${encodeURIComponent(session)}`, body)
  }

  /** Uploads a file and returns its id. */
  async upload(type: 'image' | 'file', form: FormData): Promise<string> {
    const answer = await this.#withToken((token) =>
      this.#post(`${this.#oldRoot}/media/upload?access_token=${encodeURIComponent(token)}&type=${type}`, form),
    )
    return textOf(answer.media_id, 512)
  }

  /** Fetches a file from where DingTalk has put it. */
  async download(address: string, { maxBytes, signal }: Limits): Promise<Buffer> {
    const url = this.#fileAddress(address)
    const { status, bytes } = await this.#exchange(url, { method: 'GET' }, { maxBytes, signal })
    if (status !== 200) throw new DingTalkError(status, { message: 'the file cannot be fetched' })
    return bytes
  }

  /** Files are on hosts of Alibaba, so that no answer makes this host fetch from a private network. */
  #fileAddress(address: string): string {
    const url = URL.canParse(address) ? new URL(address) : undefined
    const own = new URL(this.#root)
    if (url?.origin === own.origin && this.#root !== API_ROOT) return url.href
    const isKnown = url && url.port === '' && /(?:^|\.)(?:dingtalk|aliyuncs|alicdn)\.com$/.test(url.hostname)
    if (!isKnown) throw new DingTalkError(403, { message: 'the file is on an unknown host' })
    url.protocol = 'https:'
    return url.href
  }

  async #withToken(work: (token: string) => Promise<Fields>): Promise<Fields> {
    const token = await this.#accessToken()
    try {
      return await work(token)
    } catch (error) {
      if (!(error instanceof DingTalkError) || !isTokenError(error)) throw error
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
    const { clientId, clientSecret } = this.#config
    const answer = await this.open('/v1.0/oauth2/accessToken', { appKey: clientId, appSecret: clientSecret })
    const seconds = Math.min(countOf(answer.expireIn) ?? 0, LONGEST_TOKEN_S)
    onEnd(this.#clock.now() + 1_000 * Math.max(seconds - MARGIN_S, seconds / 2))
    return textOf(answer.accessToken, 512)
  }

  async #post(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Fields> {
    const isForm = body instanceof FormData
    const init = {
      method: 'POST',
      headers: { accept: 'application/json', ...(isForm ? {} : { 'content-type': 'application/json' }), ...headers },
      body: isForm ? body : JSON.stringify(body),
    }
    const answer = await this.#exchange(url, init, { maxBytes: MAX_ANSWER, signal: this.#signal })
    const fields = fieldsOf(parseObject(answer.bytes.toString('utf8')))
    // The older interface answers 200 to everything.
    const isTaken = answer.status >= 200 && answer.status < 300 && (fields.errcode ?? 0) === 0
    if (isTaken) return fields
    throw new DingTalkError(answer.status, fields, answer.headers.get('retry-after'))
  }

  async #exchange(url: string, init: RequestInit, { maxBytes, signal: parent }: Limits): Promise<Answer> {
    const exchange = async (signal: AbortSignal): Promise<Answer> => {
      const response = await fetch(url, { ...init, redirect: 'error', signal })
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

const isTokenError = ({ status, code }: DingTalkError): boolean =>
  status === 401 || code === 'InvalidAuthentication' || OLD_INVALID_TOKENS.has(code)

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
