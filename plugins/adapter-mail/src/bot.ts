import { WireError } from '@mynah/contract'
import { messageOf } from '@mynah/kernel'
import { DAY_MS, LruMap, pause } from '@mynah/kernel/util'
import {
  SendError,
  type Bot,
  type EndpointHandle,
  type FetchLimits,
  type OutboundMessage,
  type Segment,
  type Self,
  type Target,
} from '@mynah/plugin-chat/api'
import { domainOf, ownAddress, parseChannelId } from './addresses.js'
import { AnswerLimit } from './answer-limit.js'
import type { MailConfig } from './config.js'
import { parse, readMail, threadIn, type RawMail, type ReadMail, type Thread } from './inbound.js'
import { isInSent, Mailbox } from './mailbox.js'
import { answeredBy, contentOf, messageIdOf, subjectOf } from './outbound.js'
import { Smtp, type OutgoingMail } from './smtp.js'

const POSITION = 'position'
/** How far back mail is looked at where the server has changed its numbers. */
const REREAD_DAYS = 7
const RETRY_FIRST_MS = 500
const RETRY_MAX_MS = 15_000
const MAX_THREADS = 2_000
/** Encoding of attachments makes them a third longer. */
const ENCODED = 1.4

interface Session {
  readonly mailbox: Mailbox
  readonly abort: AbortController
  /** The first mail that is not accepted yet. */
  next: number
  reading: Promise<void>
  hasNews: boolean
  isOnline: boolean
}

export class MailBot implements Bot {
  readonly #endpoint: EndpointHandle<MailConfig>
  readonly #smtp: Smtp
  readonly #limit: AnswerLimit
  /** Threads by the ids of their mails, and the latest mail by channel. */
  readonly #threads = new LruMap<string, Thread>(MAX_THREADS)
  readonly #latest = new LruMap<string, string>(MAX_THREADS)
  #session: Session | undefined

  constructor(endpoint: EndpointHandle<MailConfig>) {
    this.#endpoint = endpoint
    this.#smtp = new Smtp(endpoint.config)
    this.#limit = new AnswerLimit(endpoint.clock, endpoint.config.maxAnswers ?? 5)
  }

  async connect(): Promise<Self> {
    const { config, clock, signal } = this.#endpoint
    const id = assertAddress(config)
    const abort = new AbortController()
    const mailbox = new Mailbox(config, (reason) => this.#lost(session, reason))
    const session: Session = { mailbox, abort, next: 1, reading: Promise.resolve(), hasNews: false, isOnline: false }
    this.#session = session
    signal.addEventListener('abort', () => abort.abort(), { once: true, signal: abort.signal })
    await mailbox.open()
    await this.#smtp.verify()
    if (abort.signal.aborted) throw new Error('disconnected while connecting')
    const [validity, last] = ((await this.#endpoint.cursor.get(POSITION)) ?? '').split(':')
    const isKnown = validity === mailbox.uidValidity
    session.next = isKnown ? Number(last) + 1 : mailbox.uidNext
    session.isOnline = true
    // Without a position there is no mail that was missed.
    if (validity === '') await this.#endpoint.cursor.set(positionOf(mailbox.uidValidity, mailbox.uidNext - 1))
    else if (!isKnown) session.reading = this.#reread(session)
    mailbox.watch(clock, () => this.#read(session))
    this.#read(session)
    return { id, name: config.name ?? id }
  }

  /** Reports the first reason only, since later ones are its consequences. */
  #lost(session: Session, reason: string): void {
    if (!session.isOnline) return
    session.isOnline = false
    this.#endpoint.lost(reason)
  }

  async disconnect(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    if (!session) return
    session.isOnline = false
    session.abort.abort()
    await session.mailbox.close()
    await session.reading
  }

  /** Reads new mail, once more where there is news meanwhile. */
  #read(session: Session): void {
    if (session.hasNews) return
    session.hasNews = true
    session.reading = session.reading.then(async () => {
      session.hasNews = false
      try {
        for await (const raw of session.mailbox.from(session.next)) {
          if (!(await this.#take(raw, session))) return
          session.next = raw.uid + 1
        }
      } catch (error) {
        this.#lost(session, `failed to read mail: ${messageOf(error)}`)
      }
    })
  }

  /** Reads the last days again after the server has changed its numbers: only the ids say which mails are known. */
  async #reread(session: Session): Promise<void> {
    const { clock, log, cursor } = this.#endpoint
    log.warn(`the IMAP server has changed its numbers: the mail of ${REREAD_DAYS} days is compared by its ids`)
    try {
      const since = new Date(clock.now() - REREAD_DAYS * DAY_MS)
      for await (const raw of session.mailbox.since(since))
        if (raw.uid < session.next && !(await this.#take(raw, session))) return
      await cursor.set(positionOf(session.mailbox.uidValidity, session.next - 1))
    } catch (error) {
      this.#lost(session, `failed to read mail: ${messageOf(error)}`)
    }
  }

  /** Passes a mail on, and repeats until it is accepted. Returns false when the endpoint disconnects before. */
  async #take(raw: RawMail, { abort: { signal } }: Session): Promise<boolean> {
    const { config, cursor, log, clock } = this.#endpoint
    const position = positionOf(raw.uidValidity, raw.uid)
    const read: ReadMail = await readMail(raw, config).catch((error: unknown) => ({
      ignored: `it cannot be parsed: ${messageOf(error)}`,
    }))
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        if ('ignored' in read) {
          log.debug(`mail ${raw.uid} is ignored: ${read.ignored}`)
          await cursor.set(position)
          return true
        }
        this.#remember(read)
        await this.#endpoint.receive(read.message, { cursor: position })
        return true
      } catch (error) {
        log.warn(`failed to accept a mail, trying again: ${messageOf(error)}`)
        await pause(Math.min(RETRY_FIRST_MS * 2 ** attempt, RETRY_MAX_MS), clock, signal)
      }
    }
    return false
  }

  #remember({ message: { id, channel }, thread }: Extract<ReadMail, { message: unknown }>): void {
    this.#threads.set(id, thread)
    this.#latest.set(channel.id, id)
    const address = parseChannelId(channel.id)?.address
    if (address !== undefined) this.#limit.heard(address)
  }

  /** Returns the thread of a mail, which the folder has where this process has not seen it. */
  async #threadOf(id: string, { mailbox }: Session): Promise<Thread | undefined> {
    const known = this.#threads.get(id)
    if (known) return known
    const headers = await mailbox.headers(id).catch(() => undefined)
    const thread = headers && threadIn(await parse(headers), id)
    if (thread) this.#threads.set(id, thread)
    return thread
  }

  async send(target: Target, message: OutboundMessage): Promise<{ messageId: string }> {
    const session = this.#session
    if (!session?.isOnline) throw new SendError('offline', 'There is no connection to the mailbox')
    const place = target.type === 'private' ? parseChannelId(target.id) : undefined
    if (!place) throw new SendError('refused', `"${target.id}" is no address of mail`)
    const { config } = this.#endpoint
    const from = assertAddress(config)
    const content = await contentOf(message.segments)
    const { address } = place
    const answered = answeredBy(message) ?? this.#latest.get(target.id) ?? rootOf(place.thread)
    const thread = answered === undefined ? undefined : await this.#threadOf(answered, session)
    const isAnswer = this.#limit.isAnswer(address)
    if (!this.#limit.take(address))
      throw new SendError(
        'refused',
        `There were too many answers to ${address} in five minutes: a program may answer there`,
      )
    const messageId = messageIdOf(message.key, domainOf(from))
    const subject = subjectOf(thread, content.text)
    const references = thread?.references ?? (answered === undefined ? [] : [answered])
    await this.#smtp.send({
      ...content,
      from: config.name === undefined ? from : { name: config.name, address: from },
      to: address,
      subject,
      messageId: `<${messageId}>`,
      ...threadHeaders(answered, references),
      // Programs that obey these do not answer.
      headers: { 'Auto-Submitted': isAnswer ? 'auto-replied' : 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    })
    this.#threads.set(messageId, { subject, references: [...references, messageId] })
    return { messageId }
  }

  /** Servers that keep what they send have it in the folder of sent mail. Its absence says nothing. */
  async find(_target: Target, key: string): Promise<{ readonly messageId: string } | undefined> {
    const { config } = this.#endpoint
    const messageId = messageIdOf(key, domainOf(assertAddress(config)))
    return (await isInSent(config, messageId)) === true ? { messageId } : undefined
  }

  async fetchMedia({ data }: Segment, { maxBytes }: FetchLimits): Promise<Uint8Array> {
    const [, validity = '', uid, index] = /^(\d{1,20}):(\d{1,10}):(\d{1,3})$/.exec(String(data.fileId)) ?? []
    const session = this.#session
    if (uid === undefined) throw new WireError('not_found', 'The segment names no attachment')
    if (!session?.isOnline) throw new WireError('not_ready', 'There is no connection to the mailbox')
    const limit = Math.ceil(maxBytes * ENCODED) + 256 * 1024
    const source = await session.mailbox.source(validity, Number(uid), limit)
    if (!source) throw new WireError('not_found', 'The mail is not in the mailbox any more')
    const content = (await parse(source)).attachments[Number(index)]?.content
    if (content === undefined) throw new WireError('not_found', 'The mail has no such attachment')
    const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
    if (bytes.length > maxBytes || source.length >= limit)
      throw new WireError('too_large', `The attachment is larger than ${maxBytes} bytes`)
    return bytes
  }
}

/** Returns the id of the first mail of a thread, unless the channel has only its digest. */
const rootOf = (thread: string | undefined): string | undefined => (thread?.includes('@') === true ? thread : undefined)

const threadHeaders = (
  answered: string | undefined,
  references: readonly string[],
): Pick<OutgoingMail, 'inReplyTo' | 'references'> =>
  answered === undefined ? {} : { inReplyTo: `<${answered}>`, references: references.map((id) => `<${id}>`) }

const positionOf = (uidValidity: string, uid: number): Record<string, string> => ({
  [POSITION]: `${uidValidity}:${uid}`,
})

/** Returns the address of the bot. */
export function assertAddress(config: MailConfig): string {
  const address = ownAddress(config)
  if (address === undefined) throw new Error('The user name is no address: write the address of the bot as `from`')
  return address
}
