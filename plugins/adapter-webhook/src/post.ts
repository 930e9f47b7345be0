import { systemClock, type Clock } from '@mynah/kernel'
import { omitUndefined, withTimeout } from '@mynah/kernel/util'
import { responseBytes } from '@mynah/plugin-http-core/api'
import { SendError } from '@mynah/plugin-chat/api'
import { sign } from './signature.js'

const TRIES = 5
const RETRY_FIRST_MS = 500
const TIMEOUT_MS = 10_000
/** Time for the body after the status, ms. */
const ANSWER_MS = 2_000
const MAX_ANSWER = 64 * 1024
/** Failures before anything was sent. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

export interface Posting {
  readonly url: string
  readonly secret: string
  readonly key: string
  readonly body: string
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** The failure of an attempt that may be repeated. */
interface Failed {
  readonly reason: string
  /** Whether the peer may have taken the message. */
  readonly sent: boolean
  /** The error of a peer that did not take the message. */
  readonly error?: SendError
}

function retryAfterOf(response: Response, now: number): number | undefined {
  const value = response.headers.get('retry-after') ?? ''
  if (/^\d{1,6}$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/**
 * Returns the peer's id of the message. An answer without one is fine, since its status says that the message was
 * accepted.
 */
async function messageIdOf(response: Response, signal: AbortSignal): Promise<string | undefined> {
  let answer: unknown
  const read = (limit: AbortSignal): Promise<Buffer> => responseBytes(response, MAX_ANSWER, limit)
  try {
    answer = JSON.parse((await withTimeout(systemClock, ANSWER_MS, read, { parent: signal })).toString('utf8'))
  } catch {
    return undefined
  }
  const { messageId } = (answer ?? {}) as { messageId?: unknown }
  return typeof messageId === 'string' && messageId !== '' && messageId.length <= 512 ? messageId : undefined
}

interface Answer {
  readonly response: Response
  readonly messageId?: string | undefined
}

/** Posts once. Limits are real time, also where a test lets pauses between attempts pass at once. */
async function ask({ url, secret, key, body, clock }: Posting, signal: AbortSignal): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    redirect: 'manual',
    signal,
    headers: { 'content-type': 'application/json', 'idempotency-key': key, ...sign(secret, body, clock.now()) },
  })
  if (response.ok) return { response, messageId: await messageIdOf(response, signal) }
  void response.body?.cancel().catch(() => undefined)
  return { response }
}

async function attempt(posting: Posting): Promise<Failed | { readonly messageId?: string }> {
  const { clock, signal } = posting
  let response: Response
  try {
    const limited = (limit: AbortSignal): Promise<Answer> => ask(posting, limit)
    const answer = await withTimeout(systemClock, TIMEOUT_MS, limited, { parent: signal })
    if (answer.response.ok) return omitUndefined({ messageId: answer.messageId })
    ;({ response } = answer)
  } catch (error) {
    const { cause, name } = error as { cause?: { code?: string }; name?: string }
    const code =
      cause?.code ?? (name === 'TimeoutError' ? `no answer within ${TIMEOUT_MS / 1000} s` : 'the connection broke')
    return { reason: `The peer cannot be reached (${code})`, sent: !NOT_SENT.has(code) }
  }
  const { status } = response
  if (status === 429) {
    const retryAfter = retryAfterOf(response, clock.now())
    const reason = 'The peer asks to slow down (429)'
    return failed(new SendError('rate-limited', reason, retryAfter === undefined ? {} : { retryAfter }))
  }
  if (status >= 500 || status === 408) return { reason: `The peer answers ${status}`, sent: true }
  if (status >= 300 && status < 400)
    return failed(
      new SendError(
        'refused',
        `The peer answers ${status}, and redirects are not followed: give the final address as \`url\``,
      ),
    )
  return failed(new SendError('refused', `The peer refuses the message (${status})`))
}

const failed = (error: SendError): Failed => ({ reason: error.message, sent: false, error })

/** Posts a message until the peer has accepted it. See {@link SendError} for what is thrown. */
export async function post(posting: Posting): Promise<{ readonly messageId?: string }> {
  const { clock, signal } = posting
  let sent = false
  let reason = ''
  for (let tried = 0; tried < TRIES && !signal.aborted; tried++) {
    if (tried > 0)
      await new Promise<void>((resolve) => {
        clock.setTimeout(resolve, RETRY_FIRST_MS * 2 ** (tried - 1))
      })
    const outcome = await attempt(posting)
    if (!('reason' in outcome)) return outcome
    // The peer may have taken the message before, when its answer was lost.
    if (outcome.error && !sent) throw outcome.error
    ;({ reason } = outcome)
    sent ||= outcome.sent
    if (outcome.error?.kind === 'refused') break
  }
  throw sent
    ? new Error(`${reason}; the message may have arrived`)
    : new SendError('offline', reason || 'The endpoint stops')
}
