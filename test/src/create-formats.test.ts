import { expect } from 'chai'
import { mistakesIn } from '@mynah/contract/validate'
import { channel, host, nick, telegramToken } from '../../create-mynah/dist/formats.js'
import { IrcConfig } from '../../plugins/adapter-irc/dist/config.js'
import { TelegramConfig } from '../../plugins/adapter-telegram/dist/config.js'

describe('answers that npm create mynah accepts', () => {
  const irc = { host: 'irc.example', nick: 'mynah' }

  it('are accepted by the adapters', () => {
    for (const value of ['irc.libera.chat', '::1', 'münchen.example']) {
      expect(host(value), value).to.equal(undefined)
      expect(mistakesIn(IrcConfig, { ...irc, host: value }), value).to.deep.equal([])
    }
    for (const value of ['mynah', '[bot]', 'b-1', 'Köchin', 'x'.repeat(64)]) {
      expect(nick(value), value).to.equal(undefined)
      expect(mistakesIn(IrcConfig, { ...irc, nick: value }), value).to.deep.equal([])
    }
    for (const value of ['#mynah-bots', '##c++', '&local', `#${'x'.repeat(199)}`]) {
      expect(channel(value), value).to.equal(undefined)
      expect(mistakesIn(IrcConfig, { ...irc, channels: [value] }), value).to.deep.equal([])
    }
    for (const value of ['1:x', `123456789:${'A'.repeat(128)}`]) {
      expect(telegramToken(value), value).to.equal(undefined)
      expect(mistakesIn(TelegramConfig, { token: value }), value).to.deep.equal([])
    }
  })
})
