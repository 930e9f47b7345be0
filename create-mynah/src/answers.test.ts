import { tmpdir } from 'node:os'
import { expect } from 'chai'
import { answersFrom, type Prompt } from './answers.js'
import { UsageError } from './usage-error.js'

/** Returns a prompt that gives these answers, and records the questions. */
function person(...answers: string[]): Prompt & { readonly asked: string[]; closed: boolean } {
  const asked: string[] = []
  return {
    asked,
    closed: false,
    async question(text) {
      asked.push(text)
      return answers.shift() ?? ''
    },
    close() {
      this.closed = true
    },
  }
}

describe('answersFrom', () => {
  it('asks four questions with defaults, and starts the bot', async () => {
    const somebody = person()
    expect(await answersFrom([], somebody)).to.deep.equal({
      kind: 'bot',
      folder: 'my-bot',
      name: 'my-bot',
      platform: 'sandbox',
      model: 'none',
      values: {},
      page: false,
      database: false,
      install: true,
      start: true,
    })
    expect(somebody.asked).to.deep.equal([
      'What is it? bot, plugin, adapter (bot) ',
      'Into which folder? (my-bot) ',
      'Where does it chat? sandbox, dingtalk, discord, irc, lark, mail, matrix, onebot, slack, telegram, webhook, xmpp (sandbox) ',
      'Which models answer? none, openai, anthropic, google, deepseek, ollama, compatible (none) ',
    ])
    expect(somebody.closed).to.equal(true)
  })

  it('accepts abbreviations, and asks again after an unknown answer', async () => {
    const somebody = person('p', 'mynah-plugin-dice', 'perhaps', 'y')
    expect(await answersFrom([], somebody)).to.include({ kind: 'plugin', name: 'dice', page: true, start: false })
    expect(somebody.asked).to.have.length(4)
    expect(somebody.asked.at(-1)).to.equal('"perhaps" is none of them. With a page of the console? no, yes (no) ')
  })

  it('asks again for a value that cannot work, and says why', async () => {
    const somebody = person('bot', 'my-irc-bot', 'irc', 'irc server', 'https://irc.example', 'irc.example')
    const { values } = await answersFrom([], somebody)
    expect(values).to.include({ IRC_HOST: 'irc.example' })
    expect(somebody.asked.slice(3, 6)).to.deep.equal([
      'Which IRC server? (irc.libera.chat) ',
      '"irc server" is no name of a server: write it like irc.example.org. Which IRC server? (irc.libera.chat) ',
      '"https://irc.example" is no name of a server: write it like irc.example.org. Which IRC server? (irc.libera.chat) ',
    ])
  })

  it('asks what the platform and the models need, with a default where there is one', async () => {
    const somebody = person('bot', 'my-irc-bot', 'irc', 'irc.example', '', '', '', '#plums', 'compatible', '', 'a-key')
    expect(await answersFrom([], somebody)).to.deep.include({
      platform: 'irc',
      model: 'compatible',
      values: {
        IRC_HOST: 'irc.example',
        IRC_PORT: '6697',
        IRC_TLS: 'true',
        IRC_NICK: 'my-irc-bo',
        IRC_CHANNEL: '#plums',
        MODEL_URL: 'http://127.0.0.1:8000/v1',
        MODEL_KEY: 'a-key',
      },
    })
  })

  it('leaves open what has no answer', async () => {
    expect(await answersFrom([], person('bot', 'b', 'telegram', '', 'anthropic', ''))).to.deep.include({ values: {} })
    expect(await answersFrom(['b', '--platform', 'irc', '--model', 'openai', '--yes'])).to.deep.include({ values: {} })
  })

  it('makes the secret of a peer where none is given, and asks again for one that is too short', async () => {
    const made = /^[0-9a-f]{64}$/
    const asked = await answersFrom([], person('bot', 'b', 'webhook', '', '', 'none'))
    expect(asked.values['WEBHOOK_URL']).to.equal('http://127.0.0.1:9000/messages')
    expect(asked.values['WEBHOOK_SECRET']).to.match(made)
    const silent = await answersFrom(['b', '--platform', 'webhook', '--yes'])
    expect(silent.values['WEBHOOK_SECRET']).to.match(made).and.not.to.equal(asked.values['WEBHOOK_SECRET'])
    const somebody = person('bot', 'b', 'webhook', 'peer.example', 'https://peer.example', 'short', 'x'.repeat(16), '')
    expect((await answersFrom([], somebody)).values).to.deep.equal({
      WEBHOOK_URL: 'https://peer.example',
      WEBHOOK_SECRET: 'x'.repeat(16),
    })
    expect(somebody.asked.join('\n')).to.contain('"peer.example" is no address').and.contain('"short" is no secret')
  })

  it('asks for an application on DingTalk, Lark and Slack, and again for what the adapter would refuse', async () => {
    const onDingTalk = person('bot', 'b', 'dingtalk', 'an id', 'ding1', 'short', 'client-secret', 'none')
    expect((await answersFrom([], onDingTalk)).values).to.deep.equal({
      DINGTALK_CLIENT_ID: 'ding1',
      DINGTALK_CLIENT_SECRET: 'client-secret',
    })
    expect(onDingTalk.asked.join('\n')).to.contain('"an id" is no Client ID').and.contain('"short" is no secret')
    const onLark = person('bot', 'b', 'lark', 'open.feishu.cn', '', 'app', 'cli_01234567', '', 'none')
    expect((await answersFrom([], onLark)).values).to.deep.equal({
      LARK_DOMAIN: 'https://open.feishu.cn',
      LARK_APP_ID: 'cli_01234567',
    })
    expect(onLark.asked.join('\n')).to.contain('"open.feishu.cn" is no address').and.contain('"app" is no App ID')
    const onSlack = person('bot', 'b', 'slack', 'xapp-12345678', 'xoxb-12345678', 'xapp-12345678', 'none')
    expect((await answersFrom([], onSlack)).values).to.deep.equal({
      SLACK_BOT_TOKEN: 'xoxb-12345678',
      SLACK_APP_TOKEN: 'xapp-12345678',
    })
    expect(onSlack.asked.join('\n')).to.contain('"xapp-12345678" is no token of a bot')
  })

  it('asks for an account on Matrix, XMPP and mail, and again for what the adapter would refuse', async () => {
    const matrix = [
      'https://matrix.example/',
      'https://matrix.example',
      'mynah',
      'a pass "word"',
      'alice',
      '@a:b.example',
    ]
    const onMatrix = person('bot', 'b', 'matrix', ...matrix, 'none')
    expect((await answersFrom([], onMatrix)).values).to.deep.equal({
      MATRIX_HOMESERVER: 'https://matrix.example',
      MATRIX_USER: 'mynah',
      MATRIX_PASSWORD: 'a pass "word"',
      MATRIX_MASTER: '@a:b.example',
    })
    expect(onMatrix.asked.join('\n')).to.contain('without a slash at the end').and.contain('"alice" is no user id')
    const onXmpp = person('bot', 'b', 'xmpp', 'mynah', 'mynah@xmpp.example', 'secret', '', 'none')
    expect((await answersFrom([], onXmpp)).values).to.deep.equal({
      XMPP_JID: 'mynah@xmpp.example',
      XMPP_PASSWORD: 'secret',
    })
    const mail = [
      'imap.example',
      'imaps://imap.example',
      'smtps://smtp.example',
      'bot@mail.example',
      'secret',
      '@a.example',
    ]
    const byMail = person('bot', 'b', 'mail', ...mail, 'none')
    expect((await answersFrom([], byMail)).values).to.deep.equal({
      MAIL_IMAP: 'imaps://imap.example',
      MAIL_SMTP: 'smtps://smtp.example',
      MAIL_USER: 'bot@mail.example',
      MAIL_PASSWORD: 'secret',
      MAIL_ALLOW: '@a.example',
    })
  })

  it('refuses a folder with files before the next question', async () => {
    const somebody = person('bot', tmpdir())
    const refused = await answersFrom([], somebody).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(refused).to.be.instanceOf(UsageError).and.to.have.property('message').that.contains('is not empty')
    expect(somebody.asked).to.have.length(2)
  })

  it('ends at Ctrl-C in a question, before any file is written', async () => {
    const gone: Prompt = {
      question: () => Promise.reject(Object.assign(new Error('Aborted with Ctrl+C'), { name: 'AbortError' })),
      close() {},
    }
    const refused = await answersFrom([], gone).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(refused)
      .to.be.instanceOf(UsageError)
      .and.to.include({ message: '\nStopped. Nothing was written.', exitCode: 130 })
  })

  it('does not ask for values given as flags, and asks nothing with --yes', async () => {
    const somebody = person()
    expect(await answersFrom(['adapter', 'x'], somebody)).to.include({ kind: 'adapter', name: 'x' })
    expect(await answersFrom(['x', '--platform', 'sandbox', '--model', 'none', '--no-start'], somebody)).to.include({
      platform: 'sandbox',
      start: false,
    })
    expect(await answersFrom(['--yes', '--start'], somebody)).to.include({ folder: 'my-bot', start: true })
    expect(await answersFrom(['--yes', '--start', '--no-install'], somebody)).to.include({ start: false })
    expect(somebody.asked).to.deep.equal([])
  })
})
