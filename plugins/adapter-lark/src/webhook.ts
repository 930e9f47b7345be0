import { createDecipheriv, createHash } from 'node:crypto'
import { contract, WireError } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { sameSecret } from '@mynah/kernel/util'
import type { Deliveries, DeliveryOptions } from '@mynah/plugin-chat/api'
import { route, type Route } from '@mynah/plugin-http-core/api'
import type { LarkBot } from './bot.js'
import { fieldsOf, parseObject, textOf, type Fields } from './wire.js'

const BODY_LIMIT = 1024 * 1024
const TIMESTAMP_HEADER = 'x-lark-request-timestamp'
const NONCE_HEADER = 'x-lark-request-nonce'
const SIGNATURE_HEADER = 'x-lark-signature'
/** A signature from more than five minutes ago or ahead is not taken. */
const FRESH_MS = 5 * 60_000
/** Lark takes the answer to a pressed button for three seconds. */
const ANSWER_MS = 2_500

const { rest } = contract({
  rest: {
    'POST /webhook/lark/:id': {
      summary: 'Events of Lark, encrypted and signed with the key of the account in `x-lark-signature`',
      params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 128 }) }),
      raw: 'application/json',
      scope: 'webhook',
      errors: ['unauthorized', 'not_ready'],
    },
  },
})

/** Returns what was encrypted; `undefined` where the key is another one. */
function decrypt(key: string, text: string): string | undefined {
  try {
    const bytes = Buffer.from(text, 'base64')
    const decipher = createDecipheriv('aes-256-cbc', createHash('sha256').update(key).digest(), bytes.subarray(0, 16))
    return Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** Whether a post has the signature of the key, and is fresh. */
function isSigned(key: string, body: Buffer, headers: Fields, now: number): boolean {
  const timestamp = textOf(headers[TIMESTAMP_HEADER], 32)
  const nonce = textOf(headers[NONCE_HEADER], 256)
  const right = createHash('sha256').update(timestamp).update(nonce).update(key).update(body).digest('hex')
  const isFresh = Math.abs(now - 1_000 * Number(timestamp || Number.NaN)) <= FRESH_MS
  return sameSecret(right, textOf(headers[SIGNATURE_HEADER], 128)) && isFresh
}

const isChallenge = (event: Fields): boolean => event.type === 'url_verification'

/** Returns the event of a post; `undefined` where it may not be from Lark. */
function eventOf(bot: LarkBot, body: Buffer, headers: Fields): Fields | undefined {
  const { mode, encryptKey, verificationToken } = bot.endpoint.config
  if (mode !== 'webhook' || encryptKey === undefined) return undefined
  const { encrypt } = fieldsOf(parseObject(body.toString('utf8')))
  const event = parseObject(decrypt(encryptKey, textOf(encrypt, BODY_LIMIT)) ?? '')
  if (!event) return undefined
  // Lark sends a challenge once, before it signs anything. Only the key can have encrypted it.
  if (!isChallenge(event) && !isSigned(encryptKey, body, headers, bot.endpoint.clock.now())) return undefined
  const token = textOf(event.token ?? fieldsOf(event.header).token, 256)
  return verificationToken === undefined || sameSecret(verificationToken, token) ? event : undefined
}

/** Resolves when an event is stored; where a button was pressed, at the latest in time for its answer. */
async function take(bot: LarkBot, event: Fields): Promise<void> {
  const taking = bot.events.take(event)
  if (fieldsOf(event.header).event_type !== 'card.action.trigger') return taking
  let cancel = (): void => {}
  const late = new Promise<void>((resolve) => {
    cancel = bot.endpoint.clock.setTimeout(resolve, ANSWER_MS)
  })
  await Promise.race([taking, late]).finally(cancel)
  taking.catch((error: unknown) => bot.endpoint.log.warn('failed to receive a pressed button', { error }))
}

/** Accepts what Lark posts in mode webhook. Resolves with the answer. */
export const deliveries: DeliveryOptions<LarkBot, Fields> = {
  adapter: 'lark',
  headers: [TIMESTAMP_HEADER, NONCE_HEADER, SIGNATURE_HEADER],
  async accept(bot, { headers, body }) {
    const event = bot && eventOf(bot, body, headers)
    if (!bot || !event) throw new WireError('unauthorized', 'The signature of this post is missing, wrong or old')
    if (isChallenge(event)) return { challenge: textOf(event.challenge, 1_024) }
    await take(bot, event)
    return {}
  },
}

/** Takes the events of Lark in mode webhook, by the id of their endpoint. */
export function webhookRoute(accounts: Deliveries<LarkBot, Fields>): Route {
  return route(
    rest,
    'POST /webhook/lark/:id',
    async ({ params }, call) => {
      const answer = await accounts.accept(params.id, call.request.headers, await call.body(), call.log)
      call.response.setHeader('content-type', 'application/json')
      call.response.end(JSON.stringify(answer))
    },
    { bodyLimit: BODY_LIMIT },
  )
}
