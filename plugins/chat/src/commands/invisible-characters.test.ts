import { expect } from 'chai'
import { aiPaths, At, defineCommand, param, Text, yesOrNo, type Message } from '../api.js'
import { eachTest, type Platform } from '../test/support.js'

const status = defineCommand({ name: 'status', description: 'Shows the state', run: () => 'fine' })
const pick = defineCommand({
  name: 'pick card',
  description: 'Picks',
  args: { number: param.integer(), word: param.rest({ optional: true }) },
  run: ({ args }) => JSON.stringify(args),
})

describe('a command with invisible characters', () => {
  const platforms = eachTest()
  let read: Message[] = []

  const start = (prefix = '/'): Promise<Platform> => {
    read = []
    return platforms.start({
      commands: [status, pick],
      config: { commands: { prefix } },
      setup: (ctx) =>
        ctx.contribute(aiPaths, {
          name: 'reader',
          decide: () => ({ matches: true, reason: 'always' }),
          handle: async (message) => void read.push(message),
        }),
    })
  }

  for (const [name, text] of Object.entries({
    'word joiners around it': '\u2060/status\u2060',
    'a zero width space after it': '/status\u200b',
    'a full-width slash': '／status',
    'a byte order mark before and in it': '\ufeff/sta\ufefftus',
    'marks of direction': '\u200e/\u200fstatus\u061c',
    'an isolate around it': '\u2068/status\u2069',
    'a soft hyphen in it': '/sta\u00adtus',
    'a selector of a variant': '/\ufe0fstatus\ufe0f',
    'full-width letters': '／ｓｔａｔｕｓ',
    'tags and joiners in it': '/st\u200d\u{e0061}atus',
  }))
    it(`is run with ${name}`, async () => {
      const bot = await start()
      expect(await bot.say(text)).to.deep.equal(['fine'])
      expect(await bot.say([At('bot'), Text(` ${text}`)])).to.deep.equal(['fine'])
    })

  it('is run with a longer prefix', async () => {
    const bot = await start('!!')
    expect(await bot.say('\u200b!\u2060！status')).to.deep.equal(['fine'])
    expect(await bot.say('!status')).to.deep.equal([])
  })

  it('reads numbers in full-width digits, and leaves other words as they are', async () => {
    const bot = await start()
    expect(await bot.say('／pick\u200b card １２\u2060 👩\u200d🚀 ❤\ufe0f')).to.deep.equal([
      JSON.stringify({ number: 12, word: '👩\u200d🚀 ❤\ufe0f' }),
    ])
  })

  it('reaches the model unchanged where it is none', async () => {
    const bot = await start()
    for (const text of ['\u2060hi\u200b there', '／', '\u200b', '👩\u200d🚀 １']) await bot.say(text)
    expect(read.map(({ text }) => text)).to.deep.equal(['\u2060hi\u200b there', '／', '\u200b', '👩\u200d🚀 １'])
  })

  it('is not run where it is read in another order than it is written', async () => {
    const bot = await start()
    expect(await bot.say('/pick card \u202e21')).to.deep.equal([
      'The message has characters that show its text in another order. Please type it again without them.',
    ])
    expect(await bot.say('/pick card 1 \u202drest')).to.have.length(1)
    for (const text of ['\u202e/status', '/\u202esutats', '/sta\u202etus'])
      expect(await bot.say(text)).to.deep.equal([])
  })

  it('is not run for letters that look alike', async () => {
    const bot = await start()
    expect((await bot.say('/stаtus')).join()).not.to.include('fine')
    expect(await bot.say('∕status')).to.deep.equal([])
  })
})

describe('a yes or no', () => {
  it('may have invisible characters around it', () => {
    for (const text of ['yes\u200b', '\u2060Yes.', '\ufeffy', '是\u200b']) expect(yesOrNo(text), text).to.equal(true)
    expect(yesOrNo('no\u2060')).to.equal(false)
  })

  it('is no word that only looks like it, or is read in another order', () => {
    for (const text of ['уes', 'ｙｅｓ', '\u202esey', '\u202eyes', 'ye\u202es', 'y\u0435s', 'yes no'])
      expect(yesOrNo(text), text).to.equal(undefined)
  })
})
