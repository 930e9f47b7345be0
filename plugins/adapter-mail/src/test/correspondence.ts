// The mails between a user and the bot, as the program of the user shows them.
import type { RigMedia } from '@mynah/plugin-chat/testing'
import type { Dovecot } from './dovecot.js'
import { mail } from './mail.js'
import type { Sent, SmtpSink } from './smtp-sink.js'

const BOUNDARY = 'between-the-parts'

export class Correspondence {
  readonly #server: Dovecot
  readonly #sink: SmtpSink
  readonly #sent: string[] = []
  readonly #sentBySecond: string[] = []
  #last = ''
  #said: { readonly id: string; readonly text: string } = { id: '', text: '' }
  #newest: Sent | undefined

  constructor(server: Dovecot, sink: SmtpSink) {
    this.#server = server
    this.#sink = sink
  }

  async say(text: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#last = mail(text, headers)
    this.#said = { id: /^Message-ID: (.*)$/im.exec(this.#last)?.[1] ?? '', text }
    await this.again()
  }

  /** Delivers the last mail again. */
  again(): Promise<void> {
    return this.#server.drop('bot', this.#last)
  }

  /** Answers the last mail of the bot. */
  reply(text: string): Promise<void> {
    this.#take()
    const id = this.#newest?.mail.messageId ?? ''
    return this.say(text, { 'In-Reply-To': id, References: id })
  }

  /** Returns the text of the mail that the last one of the bot answers. */
  quoted(): string | undefined {
    this.#take()
    return this.#newest?.mail.inReplyTo === this.#said.id ? this.#said.text : undefined
  }

  show({ bytes, name = 'file', mime = 'application/octet-stream' }: RigMedia): Promise<void> {
    const lines = [
      `--${BOUNDARY}`,
      `Content-Type: ${mime}`,
      `Content-Disposition: attachment; filename="${name}"`,
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(bytes).toString('base64'),
      `--${BOUNDARY}--`,
    ]
    const type = `multipart/mixed; boundary="${BOUNDARY}"`
    return this.say(lines.join('\r\n'), { 'Content-Type': type, 'Content-Transfer-Encoding': '7bit' })
  }

  media(): readonly RigMedia[] {
    this.#take()
    return (this.#newest?.mail.attachments ?? []).map(({ content, filename, mimeType }) => ({
      bytes: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
      mime: mimeType,
      ...(filename === null ? {} : { name: filename }),
    }))
  }

  sent(): readonly string[] {
    this.#take()
    return this.#sent
  }

  sentBySecond(): readonly string[] {
    this.#take()
    return this.#sentBySecond
  }

  /** Mails are let go, so that only the memory of the bot is measured. */
  #take(): void {
    const texts = this.#sink.texts.splice(0)
    for (const [index, sent] of this.#sink.sent.splice(0).entries()) {
      const isSecond = sent.mail.from?.address === 'second@example.net'
      const list = isSecond ? this.#sentBySecond : this.#sent
      list.push(texts[index] ?? '')
      if (!isSecond) this.#newest = sent
    }
  }
}
