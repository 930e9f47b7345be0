import { ImapFlow } from 'imapflow'
import { systemClock, type Clock } from '@mynah/kernel'
import type { MailConfig } from './config.js'
import type { RawMail } from './inbound.js'
import { endpointOf, isLoopback } from './servers.js'
import { wordsOfServer } from './smtp.js'

/** Bytes of a mail that are read when it arrives. */
const MAX_SOURCE = 4 * 1024 * 1024
const MAX_LITERAL = 48 * 1024 * 1024
const IDLE_AFTER_MS = 300
const CONNECT_MS = 20_000
const LOGOUT_MS = 2_000
/** The unit of limits of time. A clock that jumps must not end a connection. */
const TICK_MS = 5_000
const ASK_TICKS = 12
/** An answer is due 25 s after the question, so that silence is noticed within 90 s. */
const SILENT_TICKS = ASK_TICKS + 5

interface ImapError extends Error {
  readonly code?: string
  readonly authenticationFailed?: boolean
  readonly responseText?: string
}

/** Returns why the server cannot be used, for the owner. */
function imapErrorOf(error: unknown): Error {
  const { code, authenticationFailed, responseText, message } = error as ImapError
  if (authenticationFailed === true)
    return new Error(`The IMAP server refuses user and password: check \`password\` (${wordsOfServer(responseText)})`)
  const words = wordsOfServer(responseText) || wordsOfServer(message)
  return new Error(`The IMAP server cannot be used${code ? ` (${code})` : ''}: ${words}`)
}

function clientFor({ imap, user, password }: MailConfig): ImapFlow {
  const { host, port, isSecure } = endpointOf(imap)
  return new ImapFlow({
    host,
    port,
    secure: isSecure,
    ...(isSecure || isLoopback(host) ? {} : { doSTARTTLS: true }),
    auth: { user, pass: password },
    logger: false,
    autoIdleDelay: IDLE_AFTER_MS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    maxLineLength: 1024 * 1024,
    maxLiteralSize: MAX_LITERAL,
    maxResponseSize: MAX_LITERAL + 2 * 1024 * 1024,
    maxResponseTokens: 100_000,
  })
}

/** One connection to one folder. It is used once. */
export class Mailbox {
  readonly #client: ImapFlow
  readonly #folder: string
  readonly #lost: (reason: string) => void
  #stopTicks: () => void = () => {}
  #ticks = 0
  #uidValidity = ''
  #next = 1

  constructor(config: MailConfig, onLost: (reason: string) => void = () => {}) {
    this.#client = clientFor(config)
    this.#folder = config.folder ?? 'INBOX'
    this.#lost = onLost
    let lastError = 'The IMAP server closed the connection'
    this.#client.on('error', (error: unknown) => {
      lastError = imapErrorOf(error).message
    })
    this.#client.on('close', () => {
      this.#stopTicks()
      onLost(lastError)
    })
  }

  /** Number of the count: with another one, the numbers of mails mean other mails. */
  get uidValidity(): string {
    return this.#uidValidity
  }

  /** The number of the next mail, when the folder was opened. */
  get uidNext(): number {
    return this.#next
  }

  /** Logs in and opens the folder. */
  async open(): Promise<void> {
    try {
      await this.#client.connect()
      const box = await this.#client.mailboxOpen(this.#folder)
      this.#uidValidity = String(box.uidValidity)
      this.#next = Number.isSafeInteger(box.uidNext) && box.uidNext > 0 ? box.uidNext : 1
    } catch (error) {
      this.#client.close()
      throw imapErrorOf(error)
    }
  }

  /** Calls back when there may be new mail, and asks a silent server whether it is still there. */
  watch(clock: Clock, onNews: () => void): void {
    this.#client.on('exists', onNews)
    let isAsking = false
    this.#stopTicks = clock.setInterval(() => {
      this.#ticks++
      if (this.#ticks >= SILENT_TICKS) {
        this.#stopTicks()
        this.#lost('The IMAP server has said nothing for 90 s')
        return this.#client.close()
      }
      if (this.#ticks < ASK_TICKS || isAsking) return
      isAsking = true
      this.#client
        .noop()
        .then(() => this.#heard())
        // The end of the connection is reported by itself.
        .catch(() => undefined)
        .finally(() => {
          isAsking = false
        })
    }, TICK_MS)
  }

  #heard(): void {
    this.#ticks = 0
  }

  /** Returns the mails from a number on, in order. */
  async *from(first: number): AsyncGenerator<RawMail> {
    const uids = await this.#client.search({ uid: `${first}:*` }, { uid: true })
    yield* this.#read(uids, (uid) => uid >= first)
  }

  /** Returns the mails of the last days, in order. */
  async *since(date: Date): AsyncGenerator<RawMail> {
    for await (const mail of this.#read(await this.#client.search({ since: date }, { uid: true })))
      yield { ...mail, late: true }
  }

  async *#read(
    found: readonly number[] | false | undefined,
    isWanted = (_: number): boolean => true,
  ): AsyncGenerator<RawMail> {
    this.#heard()
    // `*` is the last mail, also where it is below the first number.
    for (const uid of [...(found || [])].filter(isWanted).sort((a, b) => a - b)) {
      const mail = await this.#client.fetchOne(
        String(uid),
        { uid: true, internalDate: true, source: { maxLength: MAX_SOURCE } },
        { uid: true },
      )
      this.#heard()
      if (!mail || !mail.source) continue
      const at = new Date(mail.internalDate ?? Number.NaN).getTime()
      const receivedAt = Number.isFinite(at) && at >= 0 ? at : undefined
      yield { uid, uidValidity: this.#uidValidity, source: mail.source, receivedAt }
    }
  }

  /** Returns the bytes of a mail; `undefined` where it is gone or larger than the limit. */
  async source(uidValidity: string, uid: number, maxBytes: number): Promise<Uint8Array | undefined> {
    if (uidValidity !== this.#uidValidity) return undefined
    const maxLength = Math.min(maxBytes, MAX_LITERAL)
    const mail = await this.#client.fetchOne(String(uid), { uid: true, source: { maxLength } }, { uid: true })
    this.#heard()
    return mail ? mail.source : undefined
  }

  /** Returns the headers of a mail of this folder by its id. */
  async headers(messageId: string): Promise<Uint8Array | undefined> {
    const found = await this.#client.search({ header: { 'message-id': `<${messageId}>` } }, { uid: true })
    this.#heard()
    const uid = found ? found.at(-1) : undefined
    if (uid === undefined) return undefined
    const mail = await this.#client.fetchOne(String(uid), { uid: true, headers: true }, { uid: true })
    return mail ? mail.headers : undefined
  }

  /** Returns whether the server has an extension, such as `IDLE`. */
  has(capability: string): boolean {
    return this.#client.capabilities.has(capability)
  }

  async close(): Promise<void> {
    this.#stopTicks()
    const cancel = systemClock.setTimeout(() => this.#client.close(), LOGOUT_MS)
    await this.#client.logout().catch(() => undefined)
    cancel()
    this.#client.close()
  }
}

/** Returns whether the folder of sent mail has one; `undefined` where the account has no such folder. */
export async function isInSent(config: MailConfig, messageId: string): Promise<boolean | undefined> {
  const client = clientFor(config)
  client.on('error', () => {})
  try {
    await client.connect()
    const sent = (await client.list()).find(({ specialUse }) => specialUse === '\\Sent')
    if (!sent) return undefined
    await client.mailboxOpen(sent.path, { readOnly: true })
    const found = await client.search({ header: { 'message-id': `<${messageId}>` } }, { uid: true })
    return Boolean(found && found.length > 0)
  } catch (error) {
    throw imapErrorOf(error)
  } finally {
    client.close()
  }
}
