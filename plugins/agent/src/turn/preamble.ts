import { type TextPart, wrapped } from '@mynah/plugin-ai/api'
import { DAY_MS } from '@mynah/kernel/util'
import type { UserPart } from '../session/types.js'

/** How many messages of others, and of what age, are shown to the model at most. */
export const OVERHEARD_ROWS = 40
export const OVERHEARD_AGE_MS = DAY_MS
export const MAX_LINE = 500
/** More than one message of any platform has. */
const MAX_FORWARDED = 16_384

export interface Preamble {
  readonly now: number
  readonly sections: readonly { readonly title: string; readonly text: string }[]
  /** Messages of the group since the last turn that did not mention the bot, each in its element. */
  readonly overheard: readonly string[]
  /** Text of the message that is quoted. */
  readonly quoted?: string | undefined
  /** Text of the message that the user has forwarded. */
  readonly forwarded?: string | undefined
  /** How many other messages of the session are being answered. */
  readonly others: number
  /** Texts of the sender's own ones among these messages. */
  readonly ownWords: readonly string[]
}

const textPart = (text: string): TextPart => ({ type: 'text', text })

/**
 * Returns the parts of a user entry: what has changed, the words of the user, the media, and what others said. That
 * comes last, so that nothing of it looks like a rule for what the user says.
 */
export function userContent(
  words: string,
  media: readonly UserPart[],
  { now, sections, overheard, quoted, forwarded, others, ownWords }: Preamble,
): UserPart[] {
  const lines = [`[It is ${new Date(now).toISOString().slice(0, 16)}Z]`]
  for (const section of sections) lines.push(`[${section.title}] ${section.text}`)
  if (others > 0)
    lines.push(`[${others} other ${others === 1 ? 'message is' : 'messages are'} being answered at the same time]`)
  if (ownWords.length) {
    const own = ownWords.map((text) => text.slice(0, MAX_LINE)).join('\n')
    lines.push(`[Of the same user, and answered separately]\n${wrapped(own, 'own message', 'own')}`)
  }
  const said: string[] = []
  if (quoted !== undefined)
    said.push(`[It answers this]\n${wrapped(quoted.slice(0, 4 * MAX_LINE), 'quoted message', 'quote')}`)
  if (forwarded !== undefined)
    said.push(
      `[Forwarded by the user, in words of another person]\n${wrapped(forwarded.slice(0, MAX_FORWARDED), 'forwarded message', 'forward')}`,
    )
  if (overheard.length) said.push(`[Said in the group since, not to you]\n${overheard.join('\n')}`)
  // Some providers refuse an empty part.
  return [
    textPart(lines.join('\n')),
    ...(words === '' ? [] : [textPart(words)]),
    ...media,
    ...(said.length ? [textPart(said.join('\n'))] : []),
  ]
}
