import { channel, host, nick, port, telegramToken, yesOrNo } from './formats.js'
import type { Variable } from './models.js'

export const PLATFORMS = ['sandbox', 'irc', 'telegram'] as const
export type Platform = (typeof PLATFORMS)[number]

/** Returns a nick that every server takes: it begins with a letter and has at most nine characters. */
const nickOf = (name: string): string => name.slice(0, 9)

/**
 * Returns what a person is asked for a platform, and what `.env` keeps.
 *
 * @param name of the bot
 */
export function variablesOf(platform: Platform, name: string): readonly Variable[] {
  switch (platform) {
    case 'sandbox':
      return []
    case 'irc':
      return [
        { name: 'IRC_HOST', question: 'Which IRC server?', fallback: 'irc.libera.chat', problemOf: host },
        { name: 'IRC_PORT', question: 'Which port?', fallback: '6697', problemOf: port },
        { name: 'IRC_TLS', question: 'With TLS? true, false', fallback: 'true', problemOf: yesOrNo },
        { name: 'IRC_NICK', question: 'Which nick?', fallback: nickOf(name), problemOf: nick },
        { name: 'IRC_CHANNEL', question: 'Which channel?', fallback: '#mynah-bots', problemOf: channel },
      ]
    case 'telegram':
      return [
        {
          name: 'TELEGRAM_TOKEN',
          question: 'The token from @BotFather? Enter to write it into .env later',
          problemOf: telegramToken,
        },
      ]
  }
}
