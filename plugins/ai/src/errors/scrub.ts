import { clean, head } from '../text.js'

const LONGEST = 300
const ADDRESS = /\bhttps?:\/\/[^\s"'<>]{1,500}/gi
const KEY = /\b(?:sk|pk|rk|gsk|xai|key|AIza|Bearer)[-_ ]?[A-Za-z0-9_*.-]{8,200}/g
const WORD = /[\w*-]{4,200}/g
/** A part of a key, as messages about keys show it. */
const isPartOfKey = (word: string): boolean => word.includes('***') && /\w/.test(word)
/** A text of letters and digits that no word is as long as. */
const LONG_TOKEN = /\b(?=[A-Za-z_]{0,64}\d)[A-Za-z0-9_]{32,200}/g

/** Shorter texts are no secrets and occur in too many words. */
const SHORTEST_SECRET = 6

/** Returns the beginning of a text in one line, without secrets, and without anything like a key or an address. */
export function scrub(text: string, secrets: readonly string[] = []): string {
  // Before anything is cut, because half a key would not be found.
  const line = clean(head(secrets.reduce(without, text), LONGEST * 4))
    .replace(/\s+/g, ' ')
    .trim()
  const plain = line
    .replace(ADDRESS, '(address)')
    .replace(KEY, '(key)')
    .replace(WORD, (word) => (isPartOfKey(word) ? '(key)' : word))
    .replace(LONG_TOKEN, '(key)')
  return head(plain, LONGEST)
}

/** Removes a secret from a text, in its plain form and as escaped in JSON and addresses. */
function without(text: string, secret: string): string {
  if (secret.length < SHORTEST_SECRET) return text
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)].reduce(
    (left, form) => left.replaceAll(form, '(key)'),
    text,
  )
}
