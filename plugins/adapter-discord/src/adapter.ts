import {
  defineAdapter,
  formatEntities,
  type AccountProbe,
  type Adapter,
  type EndpointHandle,
} from '@mynah/plugin-chat/api'
import { DiscordBot } from './bot.js'
import { DiscordConfig } from './config.js'
import { guide } from './guide.js'
import { MAX_FILES, MAX_TEXT } from './outbound.js'
import { probe } from './probe.js'

/** Discord says "the past few minutes". */
const REPEATS_MS = 120_000

/** All requests of a bot together may be 50 a second. Discord names the rates of single channels in its answers. */
const PACING = { burst: 45, perSecond: 45 } as const

export const discord: Adapter = defineAdapter({
  name: 'discord',
  platform: 'Discord',
  schema: DiscordConfig,
  guide,
  acknowledges: 'after-store',
  guilds: true,
  buttons: true,
  ephemeral: true,
  repeats: { forMs: REPEATS_MS },
  limits: { text: MAX_TEXT, media: MAX_FILES },
  pacing: PACING,
  format: formatEntities,
  create: (endpoint) => new DiscordBot(endpoint as EndpointHandle<DiscordConfig>),
  probe: (account) => probe(account as AccountProbe<DiscordConfig>),
})
