import type { Message } from '@mynah/plugin-chat/api'
import type { Config } from '../config.js'

export type Trigger =
  | { readonly matches: false; readonly reason: string }
  | { readonly matches: true; readonly reason: string; readonly text: string }

type Asked = Pick<Message, 'text' | 'channel' | 'addressed' | 'segments'>

/** Decides whether a message is answered, and with which part of its text. A pure function. */
export function decide(message: Asked, config: Config['ai.trigger'], commandPrefix: string): Trigger {
  const no = (reason: string): Trigger => ({ matches: false, reason })
  if (!config.enabled) return no('ai.trigger.enabled is off')
  const text = message.text.trim()
  const hasMedia = message.segments.some(({ type }) => MEDIA.has(type))
  if (text === '' && !hasMedia) return no('there is nothing to answer')
  const ignored = (config.ignorePrefixes ?? [commandPrefix]).find((prefix) => text.startsWith(prefix))
  if (ignored !== undefined) return no(`begins with ${JSON.stringify(ignored)}`)
  if (message.channel.type !== 'private') {
    if (!message.addressed) return no('the bot is not mentioned')
    return config.respondToAt
      ? { matches: true, reason: 'the bot is mentioned', text }
      : no('ai.trigger.respondToAt is off')
  }
  const prefix = config.prefixes.find((candidate) => text.startsWith(candidate))
  if (prefix !== undefined) {
    const rest = text.slice(prefix.length).trim()
    return rest === '' && !hasMedia
      ? no('there is nothing to answer')
      : { matches: true, reason: `begins with ${JSON.stringify(prefix)}`, text: rest }
  }
  return config.respondToPrivate
    ? { matches: true, reason: 'a private message', text }
    : no('ai.trigger.respondToPrivate is off')
}

const MEDIA = new Set(['image', 'video', 'audio', 'record', 'voice', 'file', 'face', 'sticker', 'emoji'])
