import type { Segment } from '@mynah/contract/types'
import { isForwarded, renderToPlainText, type Message } from '@mynah/plugin-chat/api'
import type { Config } from '../config.js'

export type Trigger =
  | { readonly matches: false; readonly reason: string }
  | { readonly matches: true; readonly reason: string; readonly text: string; readonly agent?: string | undefined }

/** The parts of a message that decide. */
export type Asked = Pick<Message, 'text' | 'channel' | 'addressed' | 'segments'>

/** Decides whether a message is answered, and with which part of its text. A pure function. */
export function decide(message: Asked, config: Config['ai.trigger'], commandPrefix: string): Trigger {
  const no = (reason: string): Trigger => ({ matches: false, reason })
  if (!config.enabled) return no('ai.trigger.enabled is off')
  const text = wordsOf(message)
  const hasMedia = message.segments.some(({ type }) => MEDIA.has(type))
  if (text === '' && !hasMedia) return no('there is nothing to answer')
  const prefixed = afterMention(message, text)
  const ignored = (config.ignorePrefixes ?? [commandPrefix]).find((prefix) => prefixed.startsWith(prefix))
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

/** Decides whether a message that begins with the command of an agent is answered, and with which part of its text. */
export function decideCommand(message: Asked, commandText: string, { enabled }: Config['ai.trigger']): Trigger {
  if (!enabled) return { matches: false, reason: 'ai.trigger.enabled is off' }
  const hasMedia = message.segments.some(({ type }) => MEDIA.has(type))
  return commandText === '' && !hasMedia
    ? { matches: false, reason: 'there is nothing to answer' }
    : { matches: true, reason: 'the command of an agent', text: commandText }
}

/** Returns the words of a message behind a mention of the bot. */
export function askedWords(message: Asked): string {
  return afterMention(message, wordsOf(message))
}

/** Returns the text of a message, without segments of types that chat does not know. */
function wordsOf({ text, segments }: Asked): string {
  if (isForwarded(segments)) return FORWARDED
  const known = segments.filter(({ type }) => KNOWN.has(type))
  return (known.length === segments.length ? text : renderToPlainText(known)).trim()
}

/** Returns the text behind quotes and mentions at its beginning. */
function afterMention({ segments }: Asked, text: string): string {
  if (isForwarded(segments)) return text
  const isLead = ({ type, data }: Segment): boolean =>
    type === 'at' || type === 'reply' || data.quoted === true || (type === 'text' && String(data.text).trim() === '')
  const first = segments.findIndex((segment) => !isLead(segment))
  return first > 0 ? renderToPlainText(segments.slice(first)).trim() : text
}

/** Stands for words of another person, which the model sees apart from those of the sender. */
const FORWARDED = '[forwarded message]'
const MEDIA = new Set(['image', 'video', 'audio', 'record', 'voice', 'file', 'face', 'sticker', 'emoji'])
const KNOWN = new Set([...MEDIA, 'text', 'at', 'reply', 'card', 'html', 'markdown'])
