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
      'Where does it chat? sandbox, irc, telegram (sandbox) ',
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
