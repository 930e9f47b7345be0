import type { MessageRow } from '@mynah/contract/types'
import { type TextPart, wrapped } from '@mynah/plugin-ai/api'
import { DAY_MS } from '@mynah/kernel/util'
import { speakerLine } from '../prompt/speakers.js'
import type { UserPart } from '../session/types.js'

/** How many messages of others, and of what age, are shown to the model at most. */
export const OVERHEARD_ROWS = 40
export const OVERHEARD_AGE_MS = DAY_MS
const MAX_LINE = 500

export interface Preamble {
  readonly now: number
  readonly sections: readonly { readonly title: string; readonly text: string }[]
  /** Messages of the group since the last turn that did not mention the bot. */
  readonly overheard: readonly MessageRow[]
  /** Text of the message that is quoted. */
  readonly quoted?: string | undefined
  /** How many other messages of the session are being answered. */
  readonly others: number
  /** Texts of the sender's own ones among these messages. */
  readonly ownWords: readonly string[]
  /** Name of the sender in a conversation of several people. */
  readonly speaker?: string | undefined
}

const textPart = (text: string): TextPart => ({ type: 'text', text })

/** Returns the parts of a user entry: what has changed, the words of the user, and the media. */
export function userContent(
  said: string,
  media: readonly UserPart[],
  { now, sections, overheard, quoted, others, ownWords, speaker }: Preamble,
): UserPart[] {
  const lines = [`[It is ${new Date(now).toISOString().slice(0, 16)}Z]`]
  for (const section of sections) lines.push(`[${section.title}] ${section.text}`)
  if (others > 0)
    lines.push(`[${others} other ${others === 1 ? 'message is' : 'messages are'} being answered at the same time]`)
  if (ownWords.length) {
    const words = ownWords.map((text) => text.slice(0, MAX_LINE)).join('\n')
    lines.push(`[Of the same user, and answered separately]\n${wrapped(words, 'own message', 'own')}`)
  }
  if (overheard.length) {
    const talk = overheard.map(({ sender, text }) => speakerLine(sender, text.slice(0, MAX_LINE))).join('\n')
    lines.push(`[Said in the group since, not to you]\n${wrapped(talk, 'group', nonceOf(overheard))}`)
  }
  if (quoted !== undefined)
    lines.push(`[In answer to]\n${wrapped(quoted.slice(0, 4 * MAX_LINE), 'quoted message', 'quote')}`)
  const words = speaker === undefined ? said : `${speaker}: ${said}`
  // Some providers refuse an empty part.
  return [textPart(lines.join('\n')), ...(words === '' ? [] : [textPart(words)]), ...media]
}

/** Returns a nonce that is the same whenever the same rows are shown. */
const nonceOf = (rows: readonly MessageRow[]): string => (rows.at(-1)?.id ?? 'rows').slice(-12)
