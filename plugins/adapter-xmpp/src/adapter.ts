import { defineAdapter, type AccountProbe, type Adapter, type EndpointHandle } from '@mynah/plugin-chat/api'
import { XmppBot } from './bot.js'
import { XmppConfig } from './config.js'
import { guide } from './guide.js'
import { probe } from './probe.js'

/** Servers take stanzas of at least 10,000 bytes. Most take 256 KiB and more. */
const MAX_TEXT = 8_000

export const xmpp: Adapter = defineAdapter({
  name: 'xmpp',
  platform: 'XMPP',
  schema: XmppConfig,
  guide,
  acknowledges: 'after-store',
  reservedPrefix: '/',
  limits: { text: MAX_TEXT },
  shows: [],
  create: (endpoint) => new XmppBot(endpoint as EndpointHandle<XmppConfig>),
  probe: (account) => probe(account as AccountProbe<XmppConfig>),
})
