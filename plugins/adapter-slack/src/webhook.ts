import { createHmac, randomBytes } from 'node:crypto'
import { contract, WireError } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { messageOf, systemClock } from '@mynah/kernel'
import { sameSecret } from '@mynah/kernel/util'
import type { Deliveries, DeliveryOptions } from '@mynah/plugin-chat/api'
import { route, type Route } from '@mynah/plugin-http-core/api'
import type { SlackBot } from './bot.js'
import type { Envelope } from './link.js'
import { parseObject, textOf, type Fields } from './wire.js'

const BODY_LIMIT = 1024 * 1024
const TIMESTAMP_HEADER = 'x-slack-request-timestamp'
const SIGNATURE_HEADER = 'x-slack-signature'
/** Largest difference between the clocks of Slack and host, in seconds. */
const WINDOW_S = 300
/** Interactions are acknowledged then, stored or not: Slack shows an error after 3 s. */
const ACKNOWLEDGE_MS = 2_500
/** For accounts without one, which answer as those with another secret do. */
const NO_SECRET = randomBytes(32).toString('hex')

const { rest } = contract({
  rest: {
    'POST /webhook/slack/:id': {
      summary: 'Events, buttons and commands of Slack, signed in `x-slack-signature` and `x-slack-request-timestamp`',
      params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 128 }) }),
      raw: 'application/json',
      scope: 'webhook',
      errors: ['unauthorized', 'not_ready'],
    },
  },
})

/** A call as it came. */
interface Call {
  readonly timestamp: unknown
  readonly signature: unknown
  readonly body: Buffer
}

function assertSigned({ timestamp, signature, body }: Call, secret: string, now: number): void {
  const time = typeof timestamp === 'string' && /^\d{1,12}$/.test(timestamp) ? timestamp : '0'
  const expected = createHmac('sha256', secret).update(`v0:${time}:`).update(body).digest('hex')
  const isRight = sameSecret(typeof signature === 'string' ? signature : '', `v0=${expected}`)
  if (!isRight || Math.abs(now / 1_000 - Number(time)) > WINDOW_S)
    throw new WireError('unauthorized', 'The signature is missing, wrong or older than five minutes')
}

/** Returns what a call has: JSON, or a form for buttons and commands. */
function payloadOf(body: string): Fields | Envelope {
  const json = parseObject(body)
  if (json) return json
  const form = new URLSearchParams(body)
  const payload = parseObject(form.get('payload') ?? '')
  if (payload) return { type: 'interactive', payload }
  if (form.has('command')) return { type: 'slash_commands', payload: Object.fromEntries(form) }
  throw new WireError('invalid_request', 'The body is neither an event nor an interaction')
}

const isEnvelope = (found: Fields | Envelope): found is Envelope =>
  'payload' in found && found.type !== 'event_callback'

/** Accepts what Slack sends. Resolves with the answer to a challenge. */
export const deliveries: DeliveryOptions<SlackBot, Fields | null> = {
  adapter: 'slack',
  headers: [TIMESTAMP_HEADER, SIGNATURE_HEADER],
  async accept(bot, { headers, body }, log) {
    const { config, clock } = bot?.endpoint ?? { config: undefined, clock: systemClock }
    const secret = config?.appToken === undefined ? config?.signingSecret : undefined
    const call = { timestamp: headers[TIMESTAMP_HEADER], signature: headers[SIGNATURE_HEADER], body }
    assertSigned(call, secret ?? NO_SECRET, clock.now())
    const found = payloadOf(body.toString('utf8'))
    if (!isEnvelope(found) && found.type === 'url_verification') return { challenge: textOf(found.challenge, 1_000) }
    const envelope: Envelope = isEnvelope(found) ? found : { type: 'events_api', payload: found }
    try {
      await accept(bot as SlackBot, envelope)
    } catch (error) {
      log.warn(`failed to accept a call, Slack will repeat it: ${messageOf(error)}`)
      throw new WireError('not_ready', 'The call cannot be accepted now', { cause: error })
    }
    return null
  },
}

/** Handles calls for all accounts, by the id of their endpoint. */
export function webhookRoute(accounts: Deliveries<SlackBot, Fields | null>): Route {
  return route(
    rest,
    'POST /webhook/slack/:id',
    async ({ params }, call) => {
      const answer = await accounts.accept(params.id, call.request.headers, await call.body(), call.log)
      call.response.setHeader('content-type', 'application/json')
      call.response.end(answer === null ? '' : JSON.stringify(answer))
    },
    { bodyLimit: BODY_LIMIT },
  )
}

async function accept(bot: SlackBot, envelope: Envelope): Promise<void> {
  const taken = bot.take(envelope)
  if (envelope.type === 'events_api') return taken
  const { clock, log } = bot.endpoint
  let cancel = (): void => {}
  const late = new Promise<void>((resolve) => {
    cancel = clock.setTimeout(resolve, ACKNOWLEDGE_MS)
  })
  // It may still fail after it is acknowledged.
  taken.catch((error: unknown) => log.debug(`failed to accept an interaction: ${messageOf(error)}`))
  await Promise.race([taken, late]).finally(() => cancel())
}
