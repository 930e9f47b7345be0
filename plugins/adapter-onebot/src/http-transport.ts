import { createHmac, timingSafeEqual } from 'node:crypto'
import { contract, WireError } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { messageOf, type Clock } from '@mynah/kernel'
import { withTimeout } from '@mynah/kernel/util'
import { SendError, type Deliveries, type DeliveryOptions } from '@mynah/plugin-chat/api'
import { responseBytes, route, type Route } from '@mynah/plugin-http-core/api'
import { ActionError, dataOf, type Transport } from './action.js'
import type { PeerAccount } from './peer-account.js'
import type { OneBotConfig } from './config.js'
import { idOf, parseFrame, type Frame } from './wire.js'

const ANSWER_MS = 30_000
const MAX_ANSWER = 8 * 1024 * 1024
const BODY_LIMIT = 1024 * 1024
const SIGNATURE_HEADER = 'x-signature'
const SELF_HEADER = 'x-self-id'
/**
 * Time after which the server is asked whether it is still there, ms. A whole one has to be quiet, and the answer has
 * its own limit, so that a dead server is noticed within 90 s.
 */
const IDLE_MS = 30_000
/** Failures before anything was sent. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Whether a failed request shows that the server is there. */
const isAnswer = (error: unknown): boolean =>
  error instanceof ActionError || (error instanceof SendError && error.kind === 'rate-limited')

/** Requests to the server. Its events arrive as posts. */
export class HttpTransport implements Transport {
  readonly #config: OneBotConfig
  readonly #clock: Clock
  readonly #signal: AbortSignal
  readonly #stopTicks: () => void
  #isQuiet = false
  #asking = false

  constructor(config: OneBotConfig, clock: Clock, signal: AbortSignal, onLost: (reason: string) => void) {
    this.#config = config
    this.#clock = clock
    this.#signal = signal
    this.#stopTicks = clock.setInterval(() => {
      if (this.#isQuiet && !this.#asking) {
        this.#asking = true
        this.call('get_status', {})
          .catch((error: unknown) => {
            if (!isAnswer(error)) onLost(messageOf(error))
          })
          .finally(() => {
            this.#asking = false
          })
      }
      this.#isQuiet = true
    }, IDLE_MS)
  }

  /** Notes that the server is there. */
  heard(): void {
    this.#isQuiet = false
  }

  async call(action: string, params: Frame): Promise<unknown> {
    const { answer, status } = await withTimeout(
      this.#clock,
      ANSWER_MS,
      (signal) => this.#post(action, params, signal),
      {
        parent: this.#signal,
        message: `The OneBot server has not answered ${action} within ${ANSWER_MS / 1000} s`,
      },
    )
    if (!answer)
      throw new Error(`The OneBot server answers ${action} with something else than JSON (${status}): check \`url\``)
    this.heard()
    return dataOf(action, answer)
  }

  async #post(
    action: string,
    params: Frame,
    signal: AbortSignal,
  ): Promise<{ answer: Frame | undefined; status: number }> {
    const { url = '', token } = this.#config
    const response = await fetch(`${url.endsWith('/') ? url : `${url}/`}${action}`, {
      method: 'POST',
      body: JSON.stringify(params),
      redirect: 'manual',
      signal,
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
    }).catch((error: unknown) => {
      const code = (error as { cause?: { code?: string } }).cause?.code ?? 'the connection broke'
      const reason = `The OneBot server cannot be reached (${code})`
      throw NOT_SENT.has(code) ? new SendError('offline', reason) : new Error(reason)
    })
    const { status } = response
    if (status === 200)
      return { answer: parseFrame((await responseBytes(response, MAX_ANSWER, signal)).toString('utf8')), status }
    void response.body?.cancel().catch(() => undefined)
    if (status === 429) {
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
      throw new SendError('rate-limited', 'The OneBot server asks to slow down (429)', {
        scope: 'endpoint',
        ...(seconds > 0 ? { retryAfter: seconds * 1000 } : {}),
      })
    }
    if (status >= 300 && status < 500) throw new ActionError(action, status, '')
    throw new Error(`The OneBot server answers ${action} with ${status}`)
  }

  close(): Promise<void> {
    this.#stopTicks()
    return Promise.resolve()
  }
}

const { rest } = contract({
  rest: {
    'POST /webhook/onebot/:id': {
      summary: 'Events of a OneBot server, signed with the secret of the account in `x-signature`',
      params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 128 }) }),
      raw: 'application/json',
      scope: 'webhook',
      status: 204,
      errors: ['unauthorized', 'not_ready', 'conflict'],
    },
  },
})

function isSigned(secret: string, body: Buffer, signature: unknown): boolean {
  const sent = /^sha1=([0-9a-f]{40})$/i.exec(String(signature))?.[1] ?? ''
  const right = createHmac('sha1', secret).update(body).digest()
  return sent !== '' && timingSafeEqual(Buffer.from(sent, 'hex'), right)
}

/** Accepts what servers in mode http post. */
export const deliveries: DeliveryOptions<PeerAccount, null> = {
  adapter: 'onebot',
  headers: [SIGNATURE_HEADER, SELF_HEADER],
  async accept(bot, { headers, body }) {
    const { mode, secret = '' } = bot?.endpoint.config ?? {}
    // Computed in any case, so that an unknown account takes the same time and has the same answer.
    const passes = isSigned(secret, body, headers[SIGNATURE_HEADER])
    if (!passes || !bot || secret === '' || mode !== 'http')
      throw new WireError('unauthorized', 'The signature of this post is missing or wrong')
    const selfId = idOf(headers[SELF_HEADER])
    const mistake = selfId === undefined ? undefined : bot.selfMistake(selfId)
    if (mistake) throw new WireError('conflict', mistake)
    const event = parseFrame(body.toString('utf8'))
    if (!event) throw new WireError('invalid_request', 'The body is no event')
    await bot.post(event)
    return null
  },
}

/** Takes the events of servers in mode http, by the id of their endpoint. */
export function postRoute(accounts: Deliveries<PeerAccount, null>): Route {
  return route(
    rest,
    'POST /webhook/onebot/:id',
    async ({ params }, call) => {
      await accounts.accept(params.id, call.request.headers, await call.body(), call.log)
      call.response.end()
    },
    { bodyLimit: BODY_LIMIT },
  )
}
