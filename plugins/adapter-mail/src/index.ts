import { definePlugin } from '@mynah/kernel'
import { adapters, defineAdapter, endpointSchema, type AccountProbe, type EndpointHandle } from '@mynah/plugin-chat/api'
import { MailBot } from './bot.js'
import { MailConfig } from './config.js'
import { guide } from './guide.js'
import { probe } from './probe.js'

export default definePlugin({
  name: 'adapter-mail',
  description: 'A mailbox as a chat platform, by IMAP and SMTP',
  descriptions: { 'zh-CN': '通过 IMAP 与 SMTP 以邮箱作为聊天平台' },
  items: [endpointSchema({ name: 'mail', schema: MailConfig })],
  setup(ctx) {
    ctx.contribute(
      adapters,
      defineAdapter({
        name: 'mail',
        platform: 'Mail',
        schema: MailConfig,
        guide,
        acknowledges: 'after-store',
        create: (endpoint) => new MailBot(endpoint as EndpointHandle<MailConfig>),
        probe: (account) => probe(account as AccountProbe<MailConfig>),
      }),
    )
  },
})
