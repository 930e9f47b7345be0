// Reads the refusal of a chat completion: its words, without those that it repeats of the request, and the place of the
// field that it is about, where it gives one.
import { isRecord } from '@mynah/contract'
import { parsedOr, wordsIn } from '../errors/words.js'
import type { Fields } from './alternating.js'

const MAX_CHARS = 8_000
const MAX_DEPTH = 6
/** The shortest text of a message that is looked for in a refusal. */
const SHORTEST_ECHO = 16

/** A refusal of a request. */
export interface Refusal {
  readonly words: string
  /** The field that it is about, from the outside in; empty where it names none. */
  readonly path: readonly string[]
}

/** Returns what a refusal of a request with these messages says, or `undefined` when it says nothing. */
export function refusalOf(said: string, messages: readonly Fields[]): Refusal | undefined {
  const document = parsedOr(said)
  const words = (wordsIn(document) || said).slice(0, MAX_CHARS)
  if (words.trim() === '') return undefined
  return { words: withoutEchoes(words, messages), path: pathIn(document) ?? pathInWords(words) }
}

/** Returns the place that an error object names. */
function pathIn(value: unknown, depth = 0): readonly string[] | undefined {
  if (depth > MAX_DEPTH) return undefined
  if (Array.isArray(value)) return pathIn(value[0], depth + 1)
  if (!isRecord(value)) return undefined
  const { loc } = value
  if (Array.isArray(loc)) return loc.filter((part) => part !== 'body').map(String)
  const name = ['param', 'parameter', 'field', 'property']
    .map((key) => value[key])
    .find((each) => typeof each === 'string')
  if (typeof name === 'string' && name !== '')
    return name
      .slice(0, 200)
      .split(/[.[\]/]+/)
      .filter(Boolean)
  for (const key of ['error', 'detail', 'details', 'errors']) {
    const found = pathIn(value[key], depth + 1)
    if (found) return found
  }
  return undefined
}

/** Returns the place in words that have an error of a Python program, or the path of a role, in them. */
function pathInWords(words: string): readonly string[] {
  const [, message] = /\bmessages\W{1,2}(\d{1,4})\W{1,3}role\b/.exec(words) ?? []
  if (message !== undefined) return ['messages', message, 'role']
  const found = /['"]loc['"]: ?[([]([^)\]]{1,200})[)\]]/.exec(words)?.[1]
  return found === undefined
    ? []
    : Array.from(found.matchAll(/\w+/g), ([part]) => part).filter((part) => part !== 'body')
}

/** Returns a text without what it repeats of the messages: people may write about fields and roles, too. */
function withoutEchoes(words: string, messages: readonly Fields[]): string {
  let left = words
  for (const text of messages.flatMap(textsOf)) {
    if (text.length < SHORTEST_ECHO) continue
    const beginning = text.slice(0, SHORTEST_ECHO)
    for (let at = left.indexOf(beginning); at !== -1; at = left.indexOf(beginning, at + 1)) {
      let end = SHORTEST_ECHO
      while (end < text.length && left[at + end] === text[end]) end++
      left = `${left.slice(0, at)}${left.slice(at + end)}`
    }
    const ending = text.slice(-SHORTEST_ECHO)
    for (let at = left.indexOf(ending); at !== -1; at = left.indexOf(ending, at + 1)) {
      let begin = 0
      while (begin < at && left[at - begin - 1] === text[text.length - SHORTEST_ECHO - begin - 1]) begin++
      left = `${left.slice(0, at - begin)}${left.slice(at + SHORTEST_ECHO)}`
    }
  }
  return left
}

function textsOf({ content }: Fields): string[] {
  const parts: unknown[] = Array.isArray(content) ? content : [content]
  return parts.flatMap((part) => {
    const text = isRecord(part) ? part['text'] : part
    return typeof text === 'string' ? [text] : []
  })
}
