import { randomBytes } from 'node:crypto'

/** Names in the marks of chat templates, and our own. Some may begin with a bar. */
const BARRED = [
  ...['im_start', 'im_end', 'system', 'user', 'assistant', 'endoftext', 'begin_of_text'],
  ...['start_header_id', 'end_header_id', 'eot_id'],
].map((name) => String.raw`\|?${name}`)
const NAMES = ['outside', ...BARRED, 'start_of_turn', 'end_of_turn', '[<＜]SYS']
const MARKS = new RegExp(`[<＜‹〈]([/／]?)(${NAMES.join('|')})`, 'gi')

/**
 * Wraps text from outside in a mark with a nonce and its source. The text can neither end the mark nor look like one.
 */
export function wrapped(text: string, source: string, nonce = randomBytes(6).toString('hex')): string {
  const label = source.replace(/[^\w.:/@ -]/g, '').slice(0, 100)
  return `<outside ${nonce} from="${label}">\n${neutral(text)}\n</outside ${nonce}>`
}

/** Removes look-alikes of the mark, and of the tokens that separate speakers in chat templates. */
function neutral(text: string): string {
  return text.replace(MARKS, '‹$1$2').replace(/\[(\/?)INST\]/gi, '‹$1INST›')
}
