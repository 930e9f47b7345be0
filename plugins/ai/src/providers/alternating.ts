// Messages of a chat completion whose roles take turns, for servers whose templates know no others.
import { isRecord } from '@mynah/contract'

export type Fields = Record<string, unknown>

/** The text of a role that has nothing to say. Some servers refuse an empty one. */
const NOTHING = '…'

/** Words of refusals that are about the order of roles. */
const ORDER_WORDS = [
  'alternat',
  'interleav',
  'successive',
  'consecutive',
  'in a row',
  'unexpected role',
  'expected role',
  'expected last role',
  'after role',
  'role must',
  'roles must',
  'role should',
  'roles should',
  'must be first',
  'must be the first',
  'first message',
  'last message',
  'at the beginning',
  'with a user',
  'must be a user',
]

/** Returns whether a refusal is about the order of roles. */
export function isAboutOrder(words: string): boolean {
  const text = words.toLowerCase()
  return ORDER_WORDS.some((word) => text.includes(word))
}

/** Returns whether a refusal is about the role of instructions, wherever they are. */
export const isAboutSystem = (words: string): boolean =>
  (/\bsystem\b/i.test(words) && /(?:not |n't |un)(?:support|allow|accept)/i.test(words)) ||
  /only user,? and assistant/i.test(words)

export const messagesOf = ({ messages }: Fields): Fields[] => (Array.isArray(messages) ? messages.filter(isRecord) : [])

const isInstruction = ({ role }: Fields): boolean => role === 'system' || role === 'developer'

/**
 * Returns messages whose roles take turns: one of the system at most, first; then one of the user and one of the
 * assistant in turn, each with the results of its calls.
 */
export function alternating(messages: readonly Fields[]): Fields[] {
  const made: Fields[] = []
  for (const message of messages) {
    const before = made.at(-1)
    const isLate = isInstruction(message) && before !== undefined && before['role'] !== message['role']
    const next = isLate ? { ...message, role: 'user' } : message
    if (before && before['role'] === next['role'] && next['role'] !== 'tool') {
      made[made.length - 1] = merged(before, next)
      continue
    }
    if (before?.['role'] === 'tool' && next['role'] === 'user') made.push({ role: 'assistant', content: NOTHING })
    if (next['role'] === 'assistant' && (!before || isInstruction(before)))
      made.push({ role: 'user', content: NOTHING })
    made.push(next)
  }
  return made
}

/** Returns messages whose roles take turns, with the instructions at the beginning of the first one of the user. */
export function withoutSystem(messages: readonly Fields[]): Fields[] {
  return alternating(messages.map((message) => (message['role'] === 'system' ? { ...message, role: 'user' } : message)))
}

function merged(first: Fields, second: Fields): Fields {
  const calls = [first, second].flatMap(({ tool_calls: list }) => (Array.isArray(list) ? (list as unknown[]) : []))
  return {
    ...first,
    ...second,
    content: mergedContent(first['content'], second['content']),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
}

function mergedContent(first: unknown, second: unknown): unknown {
  if (typeof first === 'string' && typeof second === 'string') return [first, second].filter(Boolean).join('\n\n')
  const parts = [first, second].flatMap((content): unknown[] => {
    if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
    return Array.isArray(content) ? content : []
  })
  return parts.length > 0 ? parts : null
}
