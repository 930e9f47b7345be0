import { expect } from 'chai'
import { channel, host, httpAddress, nick, port, telegramToken, yesOrNo } from './formats.js'

const formats = { channel, host, httpAddress, nick, port, telegramToken, yesOrNo }

const cases: readonly [format: keyof typeof formats, good: readonly string[], bad: readonly string[]][] = [
  [
    'host',
    ['irc.libera.chat', 'localhost', '127.0.0.1', '::1', '2001:db8::1', 'a-b.example', 'münchen.example'],
    ['irc server', 'https://irc.libera.chat', 'irc.libera.chat:6697', '-', 'a..b', '#mynah', '[::1]', '.'],
  ],
  ['port', ['1', '6697', '65535'], ['0', '65536', '6697 ', 'tls', '-1']],
  ['yesOrNo', ['true', 'false'], ['yes', 'True', '1']],
  ['nick', ['mynah', 'My_Bot', '[bot]', 'b-1', 'Köchin'], ['1bot', 'my bot', '-bot', '#bot']],
  ['channel', ['#mynah-bots', '&local', '##c++'], ['mynah', '#', '#a b', '#a,#b']],
  ['httpAddress', ['http://127.0.0.1:8000/v1', 'https://models.example'], ['127.0.0.1:8000', 'ftp://x', 'localhost']],
  ['telegramToken', [`123456789:${'A'.repeat(35)}`], ['123456789', 'bot', '123: AAA']],
]

describe('formats of answers', () => {
  for (const [format, good, bad] of cases) {
    it(`${format} accepts what can work, and says what is wrong with the rest`, () => {
      for (const answer of good) expect(formats[format](answer), answer).to.equal(undefined)
      for (const answer of bad) expect(formats[format](answer), answer).to.match(/^is n/)
    })
  }
})
