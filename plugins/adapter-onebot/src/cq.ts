// Messages as text with codes, such as `[CQ:at,qq=1] hello`. Servers send them unless their message format is `array`.
import type { Frame } from './wire.js'

// A bracket is always escaped, so that codes that begin and never end cost time linear in their length.
const CODE = /\[CQ:([\w.-]{1,32})((?:,[\w.-]{1,64}=[^,[\]]*)*)\]/g
const ESCAPES: Readonly<Record<string, string>> = { '&amp;': '&', '&#91;': '[', '&#93;': ']', '&#44;': ',' }

const unescape = (text: string): string => text.replace(/&(?:amp|#91|#93|#44);/g, (code) => ESCAPES[code] as string)

function parametersOf(text: string): Record<string, string> {
  const pairs = text.split(',').slice(1)
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at), unescape(pair.slice(at + 1))]
    }),
  )
}

/** Returns a text with codes as an array of segments. */
export function parseCodes(text: string): Frame[] {
  const segments: Frame[] = []
  let end = 0
  const addText = (to: number): void => {
    if (to > end) segments.push({ type: 'text', data: { text: unescape(text.slice(end, to)) } })
  }
  for (const match of text.matchAll(CODE)) {
    addText(match.index)
    segments.push({ type: match[1], data: parametersOf(match[2] ?? '') })
    end = match.index + match[0].length
  }
  addText(text.length)
  return segments
}
