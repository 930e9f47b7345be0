import { randomBytes } from 'node:crypto'

/** Characters between the bracket and the name of a mark. One set, so that matching takes linear time. */
const BETWEEN = String.raw`([\s\p{Cf}/／]*)`
/** The elements of our prompts. Unseen characters between the letters hide nothing. */
const OURS = ['outside', 'message', 'overheard'].map((name) => String.raw`${[...name].join(String.raw`\p{Cf}*`)}\b`)
/** Names in the marks of chat templates. Some may begin with a bar. */
const TEMPLATES = [
  ...['im_start', 'im_end', 'system', 'user', 'assistant', 'endoftext', 'begin_of_text'],
  ...['start_header_id', 'end_header_id', 'eot_id'],
].map((name) => String.raw`\|?${name}`)
const NAMES = [...OURS, ...TEMPLATES, 'start_of_turn', 'end_of_turn', '[<＜]SYS']
const MARKS = new RegExp(`[<＜‹\u2329\u3008⟨❮﹤]${BETWEEN}(${NAMES.join('|')})`, 'giu')

/**
 * Wraps text from outside in a mark with a nonce and its source. The text can neither end the mark nor look like one.
 */
export function wrapped(text: string, source: string, nonce = randomBytes(6).toString('hex')): string {
  const label = source.replace(/[^\w.:/@ -]/g, '').slice(0, 100)
  return `<outside ${nonce} from="${label}">\n${neutralize(text)}\n</outside ${nonce}>`
}

/**
 * Removes look-alikes of our marks, and of the tokens that separate speakers in chat templates. The text can then stand
 * in an element without ending it.
 */
export function neutralize(text: string): string {
  return text
    .replace(MARKS, (_, between: string, name: string) => `‹${/[/／]/.test(between) ? '/' : ''}${name}`)
    .replace(/\[(\/?)INST\]/gi, '‹$1INST›')
}
