// The adapter as chat knows it.
import { defineAdapter, type Adapter } from '@mynah/plugin-chat/api'
import { IrcBot } from './bot.js'
import { IrcConfig } from './config.js'

/** Pace is kept line by line by the connection, as one message can be many lines. */
export const irc: Adapter = defineAdapter({
  name: 'irc',
  platform: 'IRC',
  schema: IrcConfig,
  acknowledges: 'never',
  shows: [],
  create: (endpoint) => new IrcBot(endpoint),
})
