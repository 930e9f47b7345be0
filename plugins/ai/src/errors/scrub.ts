// Texts of strangers before they are shown: without keys, without addresses, short.
import { clean, head } from '../text.js'

const LONGEST = 300
const ADDRESS = /\bhttps?:\/\/[^\s"'<>]{1,500}/gi
const KEY = /\b(?:sk|pk|rk|gsk|xai|key|AIza|Bearer)[-_ ]?[A-Za-z0-9_*.-]{8,200}/g

/** The beginning of `text` in one line, without what looks like a key or an address. */
export function scrub(text: string): string {
  const line = clean(head(text, LONGEST * 4)).replace(/\s+/g, ' ').trim()
  return head(line.replace(ADDRESS, '(address)').replace(KEY, '(key)'), LONGEST)
}
