import { randomBytes } from 'node:crypto'

/**
 * Wraps text from outside in a mark with a nonce and its source. The text can neither end the mark nor look like one.
 */
export function wrapped(text: string, source: string, nonce = randomBytes(6).toString('hex')): string {
  const label = source.replace(/[^\w.:/@ -]/g, '').slice(0, 100)
  return `<outside ${nonce} from="${label}">\n${neutral(text)}\n</outside ${nonce}>`
}

/** Removes look-alikes of the mark, and of the tokens that separate speakers in chat templates. */
function neutral(text: string): string {
  return text
    .replace(
      /[<＜‹〈]([/／]?)(outside|\|?im_start|\|?im_end|\|?system|\|?user|\|?assistant|\|?endoftext|\|?begin_of_text|\|?start_header_id|\|?end_header_id|\|?eot_id|start_of_turn|end_of_turn|[<＜]SYS)/gi,
      '‹$1$2',
    )
    .replace(/\[(\/?)INST\]/gi, '‹$1INST›')
}
