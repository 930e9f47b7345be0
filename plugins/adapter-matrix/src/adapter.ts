import {
  defineAdapter,
  formatEntities,
  type AccountProbe,
  type Adapter,
  type EndpointHandle,
} from '@mynah/plugin-chat/api'
import { MatrixBot } from './bot.js'
import { MatrixConfig } from './config.js'
import { guide } from './guide.js'
import { probe } from './probe.js'

/** Synapse keeps keys for a day, other homeservers for half an hour. */
const REPEATS_MS = 30 * 60_000
/** Fits into an event of 65,536 bytes with its formatting. */
const MAX_TEXT = 8_000

/** No pacing here: each homeserver has its own limits and names them when they are reached. */
export const matrix: Adapter = defineAdapter({
  name: 'matrix',
  platform: 'Matrix',
  schema: MatrixConfig,
  guide,
  acknowledges: 'after-store',
  reservedPrefix: '/',
  repeats: { forMs: REPEATS_MS },
  limits: { text: MAX_TEXT, media: 1 },
  format: formatEntities,
  create: (endpoint) => new MatrixBot(endpoint as EndpointHandle<MatrixConfig>),
  probe: (account) => probe(account as AccountProbe<MatrixConfig>),
})
