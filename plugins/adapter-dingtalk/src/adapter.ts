import {
  defineAdapter,
  formatEntities,
  type AccountProbe,
  type Adapter,
  type EndpointHandle,
} from '@mynah/plugin-chat/api'
import { DingTalkBot } from './bot.js'
import { DingTalkConfig, pacingOf } from './config.js'
import { guide } from './guide.js'
import { MAX_TEXT } from './outbound.js'
import { probe } from './probe.js'

/** DingTalk takes no key of a message and shows no history, so that an unknown outcome stays unknown. */
export const dingtalk: Adapter = defineAdapter({
  name: 'dingtalk',
  platform: 'DingTalk',
  schema: DingTalkConfig,
  guide,
  acknowledges: 'after-store',
  limits: { text: MAX_TEXT, media: 1 },
  pacing: (config) => pacingOf(config as DingTalkConfig),
  format: formatEntities,
  create: (endpoint) => new DingTalkBot(endpoint as EndpointHandle<DingTalkConfig>),
  probe: (account) => probe(account as AccountProbe<DingTalkConfig>),
})
