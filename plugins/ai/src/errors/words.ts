// The words of an error body, in any of the shapes that servers use for them.
import { isRecord } from '@mynah/contract'

const MAX_DEPTH = 6
/** The most errors of a list that are shown. */
const MAX_LISTED = 5
/** Fields that have words, by precedence. */
const FIELDS = [
  'message',
  'msg',
  'detail',
  'error',
  'errors',
  'error_description',
  'error_message',
  'error_msg',
  'errorMessage',
  'Message',
  'description',
  'reason',
  'title',
]

/** Returns the words of an error body, or an empty text. Copies of the request in it are left out. */
export function wordsIn(body: unknown, depth = 0): string {
  if (typeof body === 'string') return body.trim()
  if (depth > MAX_DEPTH) return ''
  if (Array.isArray(body))
    return body
      .slice(0, MAX_LISTED)
      .map((each) => wordsIn(each, depth + 1))
      .filter(Boolean)
      .join('; ')
  if (!isRecord(body)) return ''
  const { error, metadata } = body
  const words = (isRecord(error) && wordsIn(error, depth + 1)) || firstWords(body, depth)
  // The words of the server behind a relay.
  const raw = isRecord(metadata) && typeof metadata['raw'] === 'string' ? metadata['raw'] : ''
  const inner = wordsIn(parsedOr(raw), depth + 1)
  const place = placeIn(body)
  return [place && words && !words.includes(place) ? `${place}: ${words}` : words, inner].filter(Boolean).join(': ')
}

function firstWords(body: Readonly<Record<string, unknown>>, depth: number): string {
  for (const name of FIELDS) {
    const given = body[name]
    // Some servers list errors by field.
    const value =
      name === 'errors' && isRecord(given)
        ? Object.entries(given).map(([field, msg]) => ({ loc: [field], msg }))
        : given
    const words = name === 'error' && isRecord(value) ? '' : wordsIn(value, depth + 1)
    if (words) return words
  }
  return ''
}

/** Returns the path of the field that one error of a list is about. */
function placeIn({ loc }: Readonly<Record<string, unknown>>): string {
  return Array.isArray(loc) ? loc.filter((part) => part !== 'body').join('.') : ''
}

/** Returns the value of a text of JSON, or the text. */
export function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Plain text is shown as it is.
    return text
  }
}
