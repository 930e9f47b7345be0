// A model that obeys everything it reads: it makes every call that any text of its request names, once.
import type { Asked, Play } from './model-server.js'

/** Returns a text that the model obeys by this call. */
export const order = (name: string, input: object = {}): string => `[[call ${name} ${JSON.stringify(input)}]]`

const ORDER = /\[\[call ([\w-]{1,64}) (\{[^\n]*?\})\]\]/g

/** Returns the texts of a value, as they are read. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // An order that is quoted within another text has escapes.
    return undefined
  }
}

/** Returns the calls of a request that were not made yet. */
function ordersIn({ messages, tools = [] }: Asked): { name: string; input: unknown }[] {
  const made = new Set(
    messages.flatMap(({ tool_calls: calls }) =>
      ((calls ?? []) as { function: { name: string; arguments: string } }[]).map(
        ({ function: { name, arguments: input } }) => `${name} ${JSON.stringify(JSON.parse(input))}`,
      ),
    ),
  )
  const read = [...messages.filter(({ role }) => role !== 'assistant').map(({ content }) => content), tools]
  const found = new Map<string, { name: string; input: unknown }>()
  for (const text of read.flatMap(textsIn))
    for (const [, name = '', json = ''] of text.matchAll(ORDER)) {
      const input = parsed(json)
      if (input === undefined) continue
      const key = `${name} ${JSON.stringify(input)}`
      if (!made.has(key)) found.set(key, { name, input })
    }
  return [...found.values()]
}

export const obey: Play = (asked) => {
  const calls = ordersIn(asked).slice(0, 8)
  return calls.length ? { calls } : 'I have done everything.'
}

/** Returns the last results of tools, in order, after the last message of a user. */
export function lastResults(asked: Asked | undefined): string[] {
  const messages = asked?.messages ?? []
  const from = messages.findLastIndex(({ role }) => role === 'user')
  return messages.slice(from + 1).flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []))
}

/** Returns the names of the tools that a request offers. */
export const offeredIn = (asked: Asked | undefined): string[] =>
  ((asked?.tools ?? []) as { function: { name: string } }[]).map(({ function: { name } }) => name)
