import { expect } from 'chai'
import { At, Formatted, renderToPlainText, Text } from '@mynah/plugin-chat/api'
import { privately, room } from './bot.js'
import { KINDS } from './servers.js'
import { onStage } from './stage.js'
import { until } from '@mynah/kernel/testing'

const LINE = 512

for (const kind of KINDS) {
  onStage('Channel messages', kind, {}, (stage) => {
    it('detects that a message addresses the bot', async () => {
      const alice = await stage.user('alice', '#room')
      const bot = await stage.bot()
      const said: [string, boolean][] = [
        ['mynah: hello', true],
        ['mynah, hello', true],
        ['MYNAH hello', true],
        ['@mynah hello', true],
        ['I like mynah.', true],
        ['mynah', true],
        ['hello', false],
        ['mynahs are birds', false],
        ['mynah-bot: hello', false],
        ['premynah', false],
      ]
      for (const [text] of said) alice.say('#room', text)
      await until(() => bot.heard.length === said.length, 'for all lines')
      expect(bot.heard.map(({ addressed }, index) => [said[index]?.[0], addressed])).to.deep.equal(said)
      expect(bot.heard[0]?.segments).to.deep.equal([At('mynah', 'mynah'), Text(' hello')])
      expect(bot.heard[0]?.channel).to.include({ type: 'group', id: '#room' })
      expect(bot.heard[0]?.sender).to.include({ id: 'alice', name: 'alice' })
      alice.say('mynah', 'in private')
      await until(() => bot.heard.length === said.length + 1, 'for the private line')
      expect(bot.heard.at(-1)).to.include({ addressed: true, text: 'in private' })
      expect(bot.heard.at(-1)?.channel).to.include({ type: 'private', id: 'alice' })
    })

    it('answers a command after the name of the bot', async () => {
      const alice = await stage.user('alice', '#room')
      await stage.bot()
      alice.say('#room', 'mynah: /help')
      await alice.gets(
        ({ nick, command, params }) => nick === 'mynah' && command === 'PRIVMSG' && (params[1] ?? '').includes('/help'),
        'the help',
      )
    })

    it('normalises the name of a channel from any case', async () => {
      const alice = await stage.user('alice', '#room')
      const bot = await stage.bot()
      alice.say('#ROOM', 'loud')
      await until(() => bot.heard.length === 1, 'for the line')
      expect(bot.heard[0]?.channel.id).to.equal('#room')
    })

    it('removes colours from text, and reads actions', async () => {
      const alice = await stage.user('alice', '#room')
      const bot = await stage.bot()
      alice.say('#room', '\x02bold\x02 \x0304,12red\x03 \x1ditalic\x0f 12')
      alice.say('#room', '\x01ACTION waves\x01')
      await until(() => bot.heard.length === 2, 'for both')
      expect(bot.heard.map(({ text }) => text)).to.deep.equal(['bold red italic 12', '* alice waves'])
    })

    it('sends lines as separate messages, actions as actions, and mentions by name', async () => {
      const alice = await stage.user('alice', '#room')
      const bot = await stage.bot()
      await alice.sees('mynah', '#room')
      await bot.send(room(), 'one\n\ntwo\r\nthree')
      await bot.send(room(), '/me nods')
      await bot.send(room(), [At('alice', 'alice'), Text(' look')])
      await bot.send(privately('alice'), 'psst')
      await until(() => alice.heard('mynah').length === 6, 'for all lines')
      expect(alice.heard('mynah')).to.deep.equal(['one', 'two', 'three', '\x01ACTION nods\x01', 'alice: look', 'psst'])
    })

    it('sends text in Markdown without its marks, and tables in columns', async () => {
      const alice = await stage.user('alice', '#room')
      const bot = await stage.bot()
      await alice.sees('mynah', '#room')
      const markdown = '**one** [two](https://e.org) `*3*`\n\n- four\n\n|a|bcde|\n|-|-|\n|f|g|'
      await bot.send(room(), [Formatted(markdown)])
      await until(() => alice.heard('mynah').length === 5, 'for all lines')
      expect(alice.heard('mynah')).to.deep.equal([
        'one two (https://e.org) `*3*`',
        '• four',
        'a   | bcde',
        '----+-----',
        'f   | g',
      ])
    })

    it('splits long text into lines without losing a character', async () => {
      const alice = await stage.user('alice', '#room')
      const bot = await stage.bot()
      await alice.sees('mynah', '#room')
      const texts = [
        'x'.repeat(2_000),
        '你好世界👋🏽'.repeat(100),
        'several words of a sentence that goes on '.repeat(40).trim(),
      ]
      for (const text of texts) {
        const from = alice.lines.length
        await bot.send(room(), text)
        const whole = (): string =>
          alice.lines
            .slice(from)
            .filter(({ command }) => command === 'PRIVMSG')
            .map(({ params }) => params[1])
            .join('')
            .replaceAll(' ', '')
        await until(
          () => whole() === text.replaceAll(' ', ''),
          () => `for the whole text, not ${whole()}`,
        )
      }
      for (const { raw, tags } of alice.lines)
        expect(Buffer.byteLength(raw) - (tags ? Buffer.byteLength(tags) + 2 : 0)).to.be.at.most(LINE - 2)
    })

    it('sends no control sequences or commands in the text of a message', async () => {
      const alice = await stage.user('alice', '#room')
      const bot = await stage.bot()
      await alice.sees('mynah', '#room')
      await bot.send(room(), '\x01VERSION\x01')
      await bot.send(room(), 'hello\0\r\nQUIT :gone\rJOIN #elsewhere')
      await bot.send(room(), 'end')
      await until(() => alice.heard('mynah').includes('end'), 'for the last line')
      expect(alice.heard('mynah')).to.deep.equal(['VERSION', 'hello', 'QUIT :gone', 'JOIN #elsewhere', 'end'])
      expect(bot.status()).to.equal('online')
    })

    it('ignores its own messages and notices', async () => {
      const alice = await stage.user('alice', '#room')
      const bot = await stage.bot({}, { answer: ({ text }) => `answer to ${text}` })
      await bot.send(room(), 'mynah: my own words')
      alice.raw('NOTICE mynah :private notice')
      alice.raw('NOTICE #room :mynah: public notice')
      alice.say('#room', 'real')
      await until(() => alice.heard('mynah').length === 2, 'for the answer')
      expect(alice.heard('mynah')).to.deep.equal(['mynah: my own words', 'answer to real'])
      expect(bot.heard.map(({ text }) => text)).to.deep.equal(['real'])
      expect(
        bot.notices.filter(({ kind }) => kind === 'notice').map(({ payload, channel }) => [payload, channel?.type]),
      ).to.deep.equal([
        [{ text: 'private notice' }, 'private'],
        [{ text: 'mynah: public notice' }, 'group'],
      ])
    })

    it('answers version requests at a limited rate', async () => {
      const alice = await stage.user('alice', '#room')
      const bot = await stage.bot()
      for (let index = 0; index < 10; index++) alice.say('mynah', '\x01VERSION\x01')
      alice.say('mynah', 'end')
      await until(() => bot.heard.length === 1, 'for the last line')
      await bot.send(privately('alice'), 'end')
      await until(() => alice.heard('mynah').includes('end'), 'for the end')
      expect(
        alice.lines
          .filter(({ nick, command }) => nick === 'mynah' && command === 'NOTICE')
          .map(({ params }) => params[1]),
      ).to.deep.equal(['\x01VERSION Mynah\x01'])
    })

    it('reports why a message was not sent', async () => {
      const bot = await stage.bot()
      const reason = (sending: Promise<unknown>): Promise<string> =>
        sending.then(
          () => 'sent',
          (error: Error) => error.message,
        )
      expect(await reason(bot.send(room('#elsewhere'), 'hello'))).to.contain(
        'The bot is not in the channel "#elsewhere"',
      )
      expect(await reason(bot.send(privately('#room'), 'hello'))).to.contain('is no user')
      expect(await reason(bot.send(room('#room,#other'), 'hello'))).to.contain('no name on IRC')
      expect(await reason(bot.send(privately('a b'), 'hello'))).to.contain('no name on IRC')
      expect(await reason(bot.send(privately('a\r\nQUIT'), 'hello'))).to.contain('no name on IRC')
      expect(await reason(bot.send(room(), ' \n '))).to.contain('no text')
      expect(await reason(bot.send(room(), 'line\n'.repeat(300)))).to.contain('300 lines')
      expect(bot.status()).to.equal('online')
      if (kind === 'inspircd')
        expect(await reason(bot.send(privately('nobody_here'), 'hello'))).to.match(/No such nick/i)
    })
  })
}

onStage('Channel messages', 'inspircd', {}, (stage) => {
  it('uses message ids and times of the server, and replies with a reference', async () => {
    const alice = await stage.user('alice', '#room')
    alice.raw('CAP REQ :message-tags server-time')
    const bot = await stage.bot({}, { answer: () => 'answer' })
    await alice.sees('mynah', '#room')
    alice.raw('@+draft/reply=earlier PRIVMSG #room :hello')
    await until(() => bot.heard.length === 1, 'for the line')
    const heard = bot.heard[0]
    expect(heard?.id).to.not.match(/^irc-/)
    expect(heard?.replyTo).to.equal('earlier')
    expect(Math.abs((heard?.timestamp ?? 0) - Date.now())).to.be.below(60_000)
    const answer = await alice.gets(({ nick, command }) => nick === 'mynah' && command === 'PRIVMSG', 'the answer')
    expect(answer.tags.split(';')).to.include(`+draft/reply=${heard?.id}`)
    const { messageId } = await bot.send(room(), 'again')
    await alice.gets(
      ({ tags, params }) => params[1] === 'again' && tags.includes(`msgid=${messageId}`),
      'the message by its id',
    )
    expect(renderToPlainText([...(heard?.segments ?? [])])).to.equal('hello')
  })
})
