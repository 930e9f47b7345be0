import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderToPlainText, SendError, type OutboundMessage, type Segment } from '@mynah/plugin-chat/api'
import type { Thread } from './inbound.js'
import type { OutgoingMail } from './smtp.js'

/** Bytes of all attachments of a mail. Many servers take no larger mail. */
const MAX_ATTACHMENTS = 18 * 1024 * 1024
const MEDIA = new Set(['image', 'audio', 'record', 'voice', 'video', 'file', 'sticker'])
const SUBJECT_LENGTH = 70

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

async function bytesOf({
  type,
  data,
}: Segment): Promise<{ readonly name: string; readonly content: Buffer } | undefined> {
  const bytes = text(data.base64)
  if (bytes) return { name: text(data.name) || type, content: Buffer.from(bytes, 'base64') }
  const file = text(data.file)
  // An address becomes a link in the text: this host fetches no address that a message names.
  if (!file || /^https?:/i.test(file)) return undefined
  const path = file.startsWith('file:') ? fileURLToPath(file) : file
  const name = basename(path)
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) throw new SendError('refused', `The file "${name}" cannot be read`)
  if (found.size > MAX_ATTACHMENTS) throw tooLarge()
  return { name: text(data.name) || name, content: await readFile(path) }
}

const tooLarge = (): SendError =>
  new SendError('refused', `The attachments of a mail may have ${MAX_ATTACHMENTS} bytes together`)

/** Returns the words and the attachments of a message. */
export async function contentOf(segments: readonly Segment[]): Promise<Pick<OutgoingMail, 'text' | 'attachments'>> {
  const words: Segment[] = []
  const attachments: OutgoingMail['attachments'][number][] = []
  for (const segment of segments) {
    const attached = MEDIA.has(segment.type) ? await bytesOf(segment) : undefined
    if (!attached) {
      words.push(segment)
      continue
    }
    const mime = text(segment.data.mime)
    const filename = attached.name.replace(/[\p{C}/\\]/gu, '').slice(0, 255)
    attachments.push({ filename, content: attached.content, ...(mime ? { contentType: mime } : {}) })
  }
  if (attachments.reduce((sum, { content }) => sum + content.length, 0) > MAX_ATTACHMENTS) throw tooLarge()
  const plain = renderToPlainText(words)
  if (plain.trim() === '' && attachments.length === 0)
    throw new SendError('refused', 'The message has nothing that a mail can hold')
  return { text: plain, attachments }
}

/** Returns the id of a mail that is sent: the same at each attempt. */
export const messageIdOf = (key: string, domain: string): string =>
  `${key.replace(/[^\w.-]/g, '-').slice(0, 200)}@${domain}`

/** Returns the subject: that of the thread, or else the beginning of the text. */
export function subjectOf(thread: Thread | undefined, plain: string): string {
  if (thread && thread.subject !== '') return /^re:/i.test(thread.subject) ? thread.subject : `Re: ${thread.subject}`
  const [first = ''] = plain.trim().split('\n', 1)
  const line = Array.from(first.replace(/\p{C}/gu, ' ').trim())
  return line.length > SUBJECT_LENGTH ? `${line.slice(0, SUBJECT_LENGTH - 1).join('')}…` : line.join('')
}

/** Whether a message answers another one, as the thread shows it. */
export const answeredBy = ({ replyTo, segments }: OutboundMessage): string | undefined => {
  const quoted = replyTo ?? segments.find(({ type }) => type === 'reply')?.data.id
  return typeof quoted === 'string' && /^[^<>\s]{1,400}$/.test(quoted) ? quoted : undefined
}
