// What a user entry says before the words of the user: what has changed, what was said meanwhile, who else is answered.
import type { MessageRow } from '@mynah/contract/types'
import { type TextPart, wrapped } from '@mynah/plugin-ai/api'
import { lineOf } from '../prompt/speakers.js'
import type { UserPart } from '../session/types.js'

/** Lines of others that are carried in, at most, and their age, ms. */
export const LISTENED_ROWS = 40
export const LISTENED_AGE_MS = 24 * 3_600_000
const LINE = 500

export interface Preamble {
  readonly now: number
  readonly sections: readonly { readonly title: string; readonly text: string }[]
  /** What was said in the group since the last turn, without mentioning the bot. */
  readonly listened: readonly MessageRow[]
  /** The message that is quoted. */
  readonly quoted?: string | undefined
  readonly others: number
  /** Who speaks, in a conversation of several. */
  readonly speaker?: string | undefined
}

const text = (content: string): TextPart => ({ type: 'text', text: content })

/** The parts of a user entry. */
export function userParts(
  said: string,
  media: readonly UserPart[],
  { now, sections, listened, quoted, others, speaker }: Preamble,
): UserPart[] {
  const parts: UserPart[] = []
  const lines = [`[It is ${new Date(now).toISOString().slice(0, 16)}Z]`]
  for (const section of sections) lines.push(`[${section.title}] ${section.text}`)
  if (others > 0)
    lines.push(`[${others} other ${others === 1 ? 'message is' : 'messages are'} being answered at the same time]`)
  if (listened.length)
    lines.push(
      `[Said in the group since, not to you]\n${wrapped(listened.map(({ sender, text: said }) => lineOf(sender, said.slice(0, LINE))).join('\n'), 'group', row(listened))}`,
    )
  if (quoted !== undefined)
    lines.push(`[In answer to]\n${wrapped(quoted.slice(0, 4 * LINE), 'quoted message', 'quote')}`)
  parts.push(text(lines.join('\n')))
  const words = speaker === undefined ? said : `${speaker}: ${said}`
  // There are providers that refuse an empty part.
  if (words !== '') parts.push(text(words))
  parts.push(...media)
  return parts
}

/** A nonce that is the same whenever the same rows are shown. */
const row = (rows: readonly MessageRow[]): string => (rows.at(-1)?.id ?? 'rows').slice(-12)
