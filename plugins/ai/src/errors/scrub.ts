// Texts of strangers before they are shown: without keys, without addresses, short.
import { clean, head } from '../text.js'

const LONGEST = 300
const ADDRESS = /\bhttps?:\/\/[^\s"'<>]{1,500}/gi
const KEY = /\b(?:sk|pk|rk|gsk|xai|key|AIza|Bearer)[-_ ]?[A-Za-z0-9_*.-]{8,200}/g

/** Shorter ones are no secrets, and stand in too many words. */
const SHORTEST_SECRET = 6

/** The beginning of `text` in one line, without `secrets`, and without what looks like a key or an address. */
export function scrub(text: string, secrets: readonly string[] = []): string {
  // Before anything is cut: half a key is no longer found.
  const line = clean(head(secrets.reduce(without, text), LONGEST * 4))
    .replace(/\s+/g, ' ')
    .trim()
  return head(line.replace(ADDRESS, '(address)').replace(KEY, '(key)'), LONGEST)
}

/** `text` without a secret, as it is and as it stands in JSON and in addresses. */
function without(text: string, secret: string): string {
  if (secret.length < SHORTEST_SECRET) return text
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)].reduce(
    (left, form) => left.replaceAll(form, '(key)'),
    text,
  )
}
