import {
  defineAdapter,
  formatEntities,
  type AccountProbe,
  type Adapter,
  type EndpointHandle,
} from '@mynah/plugin-chat/api'
import { SlackBot } from './bot.js'
import { API_ROOT, SlackConfig } from './config.js'
import { guide } from './guide.js'
import { MAX_FILES, MAX_TEXT } from './outbound.js'
import { probe } from './probe.js'

/** Slack allows one message a second in a channel, and short bursts. Other servers say theirs with their answers. */
const PACING = { burst: 3, perSecond: 1, per: 'channel' } as const

export interface SlackHost {
  /** Notes a bot, to which calls of Slack go. */
  keep(bot: SlackBot): void
  /** Whether Slack can call this host. */
  hasServer(): boolean
}

/** Returns the adapter of a host. */
export const slack = ({ keep, hasServer }: SlackHost): Adapter =>
  defineAdapter({
    name: 'slack',
    platform: 'Slack',
    schema: SlackConfig,
    guide,
    acknowledges: 'after-store',
    buttons: true,
    ephemeral: true,
    // Slack's own programs take it for a slash command.
    reservedPrefix: '/',
    limits: { text: MAX_TEXT, media: MAX_FILES },
    pacing: ({ apiRoot = API_ROOT }) => (apiRoot === API_ROOT ? PACING : undefined),
    format: formatEntities,
    create: (endpoint) => {
      const bot = new SlackBot(endpoint as EndpointHandle<SlackConfig>, hasServer)
      keep(bot)
      return bot
    },
    probe: (account) => probe(account as AccountProbe<SlackConfig>),
  })
