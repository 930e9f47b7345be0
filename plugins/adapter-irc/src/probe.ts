import type { AccountProbe, Self } from '@mynah/plugin-chat/api'
import type { IrcConfig } from './config.js'
import { Connection } from './connection.js'

/**
 * Registers with the server and leaves. Joins no channel, where people would see the bot come and go. While an endpoint
 * has the nick, the server gives another one.
 */
export async function probe({ config, clock, log, signal }: AccountProbe<IrcConfig>): Promise<Self> {
  const connection = new Connection({ config, clock, log, self: () => {} })
  // Closing makes a registration in progress fail.
  const stop = (): void => void connection.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    await connection.open(() => {})
    return { id: connection.nick, name: connection.nick }
  } finally {
    signal.removeEventListener('abort', stop)
    await connection.close()
  }
}
