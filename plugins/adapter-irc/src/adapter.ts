import { defineAdapter, type Adapter } from '@mynah/plugin-chat/api'
import { IrcBot } from './bot.js'
import { IrcConfig } from './config.js'
import { probe } from './probe.js'

/** No pacing here: the connection limits the rate of lines, and a message may have many. */
export const irc: Adapter = defineAdapter({
  name: 'irc',
  platform: 'IRC',
  schema: IrcConfig,
  acknowledges: 'never',
  reservedPrefix: '/',
  shows: [],
  create: (endpoint) => new IrcBot(endpoint),
  probe,
})
