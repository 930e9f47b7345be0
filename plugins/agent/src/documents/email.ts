import PostalMime, { type Address } from 'postal-mime'
import { htmlText } from './html.js'
import type { Document } from './kind.js'
import type { PageWriter } from './page-writer.js'

/** Attachments of an e-mail that are read. */
const MAX_ATTACHMENTS = 20

/**
 * Writes an e-mail: who wrote what to whom, and its attachments.
 *
 * @param readAttached writes the text of an attachment; absent in one that is attached itself
 */
export async function readEmail(
  bytes: Uint8Array,
  writer: PageWriter,
  readAttached: ((document: Document) => Promise<void>) | undefined,
): Promise<void> {
  const mail = await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer', maxNestingDepth: 50 })
  const header = [
    ...line('From', mail.from && [mail.from]),
    ...line('To', mail.to),
    ...line('Cc', mail.cc),
    ...(mail.date === undefined ? [] : [`Date: ${mail.date}`]),
    ...(mail.subject === undefined ? [] : [`Subject: ${mail.subject}`]),
  ]
  const body = mail.text?.trim() ? mail.text : htmlText(mail.html ?? '')
  writer.write([...header, '', body].join('\n'))
  for (const { filename, mimeType, content } of mail.attachments.slice(0, MAX_ATTACHMENTS)) {
    const attached = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
    const name = (filename ?? 'without a name').replace(/[\]\s]+/g, ' ').slice(0, 200)
    writer.write(`[attachment ${name}, ${mimeType}, ${attached.length} bytes]`)
    await readAttached?.({ bytes: attached, name: filename ?? '', mediaType: mimeType })
  }
  const others = mail.attachments.length - MAX_ATTACHMENTS
  if (others > 0) writer.write(`[another ${others} attachments]`)
}

const shownAddress = ({ name, address }: Address): string =>
  [name, address === undefined ? '' : `<${address}>`].filter((part) => part !== '').join(' ')

const line = (title: string, addresses: readonly Address[] | undefined): string[] =>
  addresses?.length ? [`${title}: ${addresses.slice(0, 20).map(shownAddress).join(', ')}`] : []
