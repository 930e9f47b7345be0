import { Socket } from 'node:net'
import { createTransport } from 'nodemailer'
import { SendError } from '@mynah/plugin-chat/api'
import type { MailConfig } from './config.js'
import { endpointOf, isLoopback } from './servers.js'

const CONNECT_MS = 15_000
const SOCKET_MS = 60_000
/** Time before a server that is busy is asked again. Lists of unknown senders let one in after a few minutes. */
const BUSY_MS = 60_000
const REASON_LENGTH = 300

/** A mail as it leaves the host. */
export interface OutgoingMail {
  readonly from: string | { readonly name: string; readonly address: string }
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly messageId: string
  readonly inReplyTo?: string
  readonly references?: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly attachments: readonly {
    readonly filename: string
    readonly content: Buffer
    readonly contentType?: string
  }[]
}

interface SmtpError extends Error {
  readonly code?: string
  readonly responseCode?: number
  readonly response?: string
}

/** Returns the words of a server in one line, without control characters. */
export const wordsOfServer = (text: unknown): string =>
  String(text ?? '')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, REASON_LENGTH)

/**
 * Returns a failure as chat expects it.
 *
 * @param isSent whether the server has begun to take the text of the mail
 */
function smtpErrorOf(error: unknown, isSent: boolean): Error {
  const { code, responseCode, response, message } = error as SmtpError
  const words = wordsOfServer(response)
  if (code === 'EAUTH')
    return new SendError('refused', `The SMTP server refuses user and password: check \`password\` (${words})`)
  if (responseCode !== undefined && responseCode >= 500)
    return new SendError('refused', `The SMTP server refuses the mail: ${words}`)
  if (responseCode !== undefined && responseCode >= 400)
    return new SendError('rate-limited', `The SMTP server takes no mail now: ${words}`, { retryAfter: BUSY_MS })
  const reason = `The connection to the SMTP server broke (${code ?? wordsOfServer(message)})`
  return isSent ? new Error(`${reason}; the mail may have arrived`) : new SendError('offline', reason)
}

/** Sends one mail over a connection of its own. */
export class Smtp {
  readonly #config: MailConfig

  constructor(config: MailConfig) {
    this.#config = config
  }

  #transport(onReply: (reply: string) => void = () => {}) {
    const { smtp, user, password } = this.#config
    const { host, port, isSecure } = endpointOf(smtp)
    const ignore = (): void => {}
    return createTransport({
      host,
      port,
      secure: isSecure,
      requireTLS: !isSecure && !isLoopback(host),
      auth: { user, pass: password },
      // Each mail is a few small packets, which would otherwise wait for each other.
      socket: new Socket().setNoDelay(true),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SOCKET_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
      // The transaction shows when the server begins to take the text; errors do not say it.
      transactionLog: true,
      logger: {
        level: ignore,
        trace: ignore,
        info: ignore,
        warn: ignore,
        error: ignore,
        fatal: ignore,
        debug: (entry: { readonly tnx?: string }, reply: unknown) => {
          if (entry?.tnx === 'server') onReply(String(reply))
        },
      } as never,
    })
  }

  /** Logs in and leaves again. */
  async verify(): Promise<void> {
    const transport = this.#transport()
    try {
      await transport.verify()
    } catch (error) {
      throw new Error(smtpErrorOf(error, false).message.replace('the mail', 'the login'))
    } finally {
      transport.close()
    }
  }

  async send(mail: OutgoingMail): Promise<void> {
    let isSent = false
    const transport = this.#transport((reply) => {
      isSent ||= reply.startsWith('354')
    })
    try {
      await transport.sendMail({
        ...mail,
        references: [...(mail.references ?? [])],
        attachments: [...mail.attachments],
      })
    } catch (error) {
      throw smtpErrorOf(error, isSent)
    } finally {
      transport.close()
    }
  }
}
