import type { AccountProbe, ProbeResult } from '@mynah/plugin-chat/api'
import { assertAddress } from './bot.js'
import type { MailConfig } from './config.js'
import { Mailbox } from './mailbox.js'
import { Smtp } from './smtp.js'

/** Logs in at both servers and leaves again. Reads no mail. */
export async function probe({ config, signal }: AccountProbe<MailConfig>): Promise<ProbeResult> {
  const id = assertAddress(config)
  const mailbox = new Mailbox(config)
  const abort = (): void => void mailbox.close()
  signal.addEventListener('abort', abort, { once: true })
  try {
    await mailbox.open()
    const missing = [
      ...(mailbox.has('IDLE') ? [] : ['The IMAP server has no IDLE, so that new mail is seen up to two minutes late']),
      ...(config.authServer === undefined
        ? [
            'No sender can be an owner or trusted: write the first word of the header Authentication-Results as `authServer`',
          ]
        : []),
    ]
    await new Smtp(config).verify()
    return { id, name: config.name ?? id, missing }
  } finally {
    signal.removeEventListener('abort', abort)
    await mailbox.close()
  }
}
