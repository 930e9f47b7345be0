import { createHash } from 'node:crypto'
import PostalMime, { type Email } from 'postal-mime'
import { omitUndefined } from '@mynah/kernel/util'
import { Text, type Channel, type InboundMessage, type Segment } from '@mynah/plugin-chat/api'
import { addressOf, isAllowed, ownAddress, personIdOf } from './addresses.js'
import { isVerified } from './authentication.js'
import { wordsOf } from './body.js'
import type { MailConfig } from './config.js'

const NAME_LENGTH = 512
const MAX_ID = 400
const MAX_ATTACHMENTS = 50
const MAX_REFERENCES = 100
/** Bounds of what the parser builds. */
const PARSER = { maxNestingDepth: 32, maxHeadersSize: 256 * 1024 } as const

/** A mail as the server has it. */
export interface RawMail {
  readonly uid: number
  readonly uidValidity: string
  readonly source: Uint8Array
  /** When the server has received it. */
  readonly receivedAt: number | undefined
  /** Whether it comes from before the position. */
  readonly late?: boolean
}

/** The parts of a mail that an answer repeats. */
export interface Thread {
  readonly subject: string
  /** Ids of the thread, the first one first. */
  readonly references: readonly string[]
}

/** A mail for chat, or why it is none. */
export type ReadMail = { readonly message: InboundMessage; readonly thread: Thread } | { readonly ignored: string }

/** Returns the ids in a header, without the brackets. */
const idsIn = (header: string): string[] =>
  [...header.matchAll(/<([^<>\s]{1,400})>/g)].map(([, id]) => id as string).slice(0, MAX_REFERENCES)

export const parse = (source: Uint8Array): Promise<Email> => PostalMime.parse(source, PARSER)

const headersOf = ({ headers }: Email, name: string): string[] =>
  headers.filter(({ key }) => key === name).map(({ value }) => value)

const headerOf = (mail: Email, name: string): string => headersOf(mail, name)[0] ?? ''

/** Returns why a mail is not for a bot; `undefined` where a person may have written it. */
function automatic(mail: Email): string | undefined {
  const submitted = headerOf(mail, 'auto-submitted').trim().toLowerCase()
  if (submitted !== '' && submitted !== 'no') return 'it was sent by a program (Auto-Submitted)'
  if (headersOf(mail, 'list-id').length > 0) return 'it comes from a mailing list (List-Id)'
  if (/^\s*<>/.test(headerOf(mail, 'return-path'))) return 'it reports a delivery (null sender)'
  if (/bulk|junk|list|auto/i.test(headerOf(mail, 'precedence'))) return 'it was sent to many (Precedence)'
  return undefined
}

/** The part of a media type that chat has segments for. */
const typeOf = (mime: string): string => /^(image|audio|video)\//.exec(mime)?.[1] ?? 'file'

const sizeOf = (content: string | ArrayBuffer | Uint8Array): number =>
  typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength

function attachmentsOf({ attachments }: Email, { uid, uidValidity }: RawMail): Segment[] {
  return attachments.slice(0, MAX_ATTACHMENTS).map(({ filename, mimeType, content }, index) => {
    const mime = /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(mimeType) ? mimeType.toLowerCase() : 'application/octet-stream'
    const name = filename?.replace(/[\p{C}/\\]/gu, '').slice(0, 255)
    const data = { fileId: `${uidValidity}:${uid}:${index}`, name: name || undefined, mime, size: sizeOf(content) }
    return { type: typeOf(mime), data: omitUndefined(data) }
  })
}

/** Returns the id of a mail: that of its sender, or else one of its bytes. */
function idOf(mail: Email, source: Uint8Array): string {
  const [id] = idsIn(mail.messageId ?? '')
  return id !== undefined && id.length <= MAX_ID ? id : createHash('sha256').update(source).digest('hex')
}

const subjectOf = (mail: Email): string => (mail.subject ?? '').replace(/\p{C}/gu, ' ').trim().slice(0, NAME_LENGTH)

/** Returns the thread that a mail belongs to. */
export function threadIn(mail: Email, id: string): Thread {
  const ids = [...idsIn(mail.references ?? ''), ...idsIn(mail.inReplyTo ?? '').slice(0, 1), id]
  return { subject: subjectOf(mail), references: [...new Set(ids)] }
}

/** Returns why a mail is not handled; `undefined` where it is. */
function reasonToIgnore(mail: Email, from: string, config: MailConfig): string | undefined {
  if (from === ownAddress(config)) return 'the bot itself has sent it'
  return automatic(mail) ?? (isAllowed(from, config.allow) ? undefined : 'its sender is not in `allow`')
}

/** Returns the conversation that a mail belongs to. */
function channelOf(
  person: string,
  name: string | undefined,
  { subject, references }: Thread,
  isThread: boolean,
): Channel {
  const id = isThread ? `${person}:${threadIdOf(references[0] as string)}` : person
  return omitUndefined({
    type: 'private' as const,
    id,
    name: isThread && subject !== '' ? subject : name,
    parent: isThread ? ({ type: 'group', id: person } as const) : undefined,
  })
}

/** Reads a mail. */
export async function readMail(raw: RawMail, config: MailConfig): Promise<ReadMail> {
  const mail = await parse(raw.source)
  const sender = mail.from && 'address' in mail.from ? mail.from : undefined
  const from = addressOf(sender?.address)
  if (from === undefined) return { ignored: 'it has no sender' }
  const reason = reasonToIgnore(mail, from, config)
  if (reason !== undefined) return { ignored: reason }
  const id = idOf(mail, raw.source)
  const thread = threadIn(mail, id)
  const isFirst = thread.references.length === 1
  const words = wordsOf({ text: mail.text, html: mail.html, subject: mail.subject, isFirst })
  const content = [...(words === '' ? [] : [Text(words)]), ...attachmentsOf(mail, raw)]
  if (content.length === 0) return { ignored: 'it is empty' }
  const name = sender?.name?.replace(/\p{C}/gu, '').slice(0, NAME_LENGTH) || undefined
  const person = personIdOf(from, isVerified(headersOf(mail, 'authentication-results'), config.authServer, from))
  return {
    thread,
    message: omitUndefined({
      id,
      channel: channelOf(person, name, thread, config.replies === 'thread'),
      sender: omitUndefined({ id: person, name }),
      content,
      mentioned: true,
      replyTo: idsIn(mail.inReplyTo ?? '')[0],
      timestamp: raw.receivedAt,
      late: raw.late || undefined,
    }),
  }
}

/** The first mail of a thread names it; an id that is too long is replaced by its digest. */
const threadIdOf = (root: string): string =>
  root.length <= 300 ? root : createHash('sha256').update(root).digest('hex')
