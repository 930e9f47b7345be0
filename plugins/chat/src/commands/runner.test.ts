import { expect } from 'chai'
import fc from 'fast-check'
import { pathRedactor, type LogRecord } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import { At, commands, components, defineCommand, param, Text, type Command } from '../api.js'
import { readInput, UsageError } from '../commands/read-input.js'
import { lineOf, tokenize, UnclosedQuote } from '../commands/tokens.js'
import { textsFor } from '../texts.js'
import { eachTest } from '../test/support.js'

const show = defineCommand({
  name: 'show',
  description: { en: 'Shows its input', 'zh-CN': '显示输入' },
  aliases: ['s', 'display it'],
  args: { word: param.string(), count: param.integer({ default: 1, min: 1, max: 9 }) },
  options: {
    loud: param.boolean({ short: 'l' }),
    color: param.choice(['red', 'green'], { optional: true }),
    size: param.number({ default: 1.5 }),
  },
  run: ({ args, options }) => JSON.stringify({ ...args, ...options }),
})
const more: Command[] = [
  defineCommand({
    name: 'note add',
    description: 'Adds',
    args: { text: param.rest() },
    run: ({ args }) => `added ${args.text}`,
  }),
  defineCommand({ name: 'note list', description: 'Lists', run: () => 'notes' }),
  defineCommand({ name: 'who', description: 'Names', args: { user: param.user() }, run: ({ args }) => args.user }),
  defineCommand({
    name: 'shutdown',
    description: 'Ends',
    requiredAnyRole: ['master', 'group_admin'],
    run: () => 'bye',
  }),
  defineCommand({ name: 'park open', description: 'Opens', requiredAnyRole: ['trusted', 'master'], run: () => 'open' }),
  defineCommand({ name: 'secretly', description: 'Hidden', hidden: true, run: () => 'hidden' }),
  defineCommand({ name: 'alone', description: 'Private', privateOnly: true, run: () => 'just us' }),
  defineCommand({ name: 'often', description: 'Limited', rateLimit: { count: 2, seconds: 10 }, run: () => 'ok' }),
  defineCommand({
    name: 'breaks',
    description: 'Breaks',
    run: () => {
      throw new Error('at /home/someone/secret.ts')
    },
  }),
  defineCommand({
    name: 'refuses',
    description: 'Refuses',
    run: () => {
      throw new WireError('not_found', 'No such thing')
    },
  }),
  defineCommand({
    name: 'waits',
    description: 'Refuses',
    run: () => {
      throw new WireError('not_ready', 'The database is not available: /var/db (SQLITE_IOERR)')
    },
  }),
  defineCommand({
    name: 'twice',
    description: 'Replies more than once',
    run: async ({ reply }) => {
      await reply('first')
      return 'second'
    },
  }),
]
const withoutPaths = (record: LogRecord): LogRecord => ({
  ...record,
  message: pathRedactor('/srv/bot')(record.message),
})
const group = { channel: { type: 'group' as const, id: 'g' } }

describe('CommandRunner', () => {
  const platforms = eachTest()
  const start = (config?: Record<string, unknown>) =>
    platforms.start({
      commands: [show, ...more],
      ...(config
        ? { config: { endpoints: [{ adapter: 'test', id: 'one', master: 'owner', trusted: ['friend'] }], ...config } }
        : {}),
    })

  it('reads typed arguments and options', async () => {
    const bot = await start()
    expect(await bot.say('/show word')).to.deep.equal(['{"word":"word","count":1,"loud":false,"size":1.5}'])
    for (const line of [
      '/show "two words" 3 -l --color=GREEN --size 2',
      '/show "two words" 3 -l=yes --color=GREEN --size 2',
    ])
      expect(await bot.say(line)).to.deep.equal(['{"word":"two words","count":3,"loud":true,"color":"green","size":2}'])
    expect(await bot.say('/SHOW “say \\” it” --no-loud -- 4')).to.deep.equal([
      '{"word":"say ” it","count":4,"loud":false,"size":1.5}',
    ])
    expect(await bot.say('/note add   as it "was" written ')).to.deep.equal(['added as it "was" written'])
    expect(await bot.say([Text('/who '), At('77', 'Some One')])).to.deep.equal(['77'])
    expect(await bot.say([At('bot'), Text(' /who @88')])).to.deep.equal(['88'])
  })

  it('tells in one line for whom a command is, or a group of them', async () => {
    const bot = await start()
    expect(await bot.say('/shutdown')).to.deep.equal([
      'This command is for my owner and administrators of the group only.',
    ])
    expect(await bot.say('/park')).to.deep.equal(['This command is for people whom my owner trusts and my owner only.'])
  })

  it('reports the mistake in the input', async () => {
    const bot = await start()
    const cases: [string, string][] = [
      ['/show', 'missing'],
      ['/show a b', 'whole number'],
      ['/show a 10', '1 – 9'],
      ['/show a 1 more', 'too much'],
      ['/show a --colour red', 'no option'],
      ['/show a --color blue', 'one of red, green'],
      ['/show a --size', 'needs a value'],
      ['/show a --size big', 'must be a number'],
      ['/show "a', 'not closed'],
      ['/show a --loud=maybe', 'yes or no'],
      ['/show a --no-color red', 'no option'],
      ['/show a -x', 'no option -x'],
      ['/show a -x=4', 'no option -x'],
      ['/show a -l=perhaps', 'yes or no'],
    ]
    for (const [line, told] of cases) {
      const [answer, ...rest] = await bot.say(line)
      expect(answer, line).to.contain(told)
      expect(rest).to.deep.equal([])
    }
  })

  it('finds commands by aliases and sub-commands, and lists the members of a group', async () => {
    const bot = await start()
    expect(await bot.say('/s x')).to.deep.equal(await bot.say('/display it x'))
    expect(await bot.say('/note list')).to.deep.equal(['notes'])
    expect((await bot.say('/note nonsense'))[0]).to.match(/note add.*\n.*note list/)
    expect(await bot.say('/ show x')).to.deep.equal([])
    expect(await bot.say('show x')).to.deep.equal([])
  })

  it('suggests a similar command that the user may call, where the bot is addressed', async () => {
    const bot = await start()
    expect((await bot.say('/shwo x'))[0]).to.contain('Did you mean /show?')
    expect(await bot.say('/shwo x', group)).to.deep.equal([])
    expect((await bot.say('/shwo x', { ...group, mentioned: true }))[0]).to.contain('/show')
    expect(await bot.say('/shutdwon')).to.deep.equal([])
    expect((await bot.say('/shutdwon', { sender: { id: 'owner' } }))[0]).to.contain('/shutdown')
    expect(await bot.say('/secretlx')).to.deep.equal([])
    expect(await bot.say(`/${'x'.repeat(200_000)}`)).to.deep.equal([])
  })

  it('generates help that shows only what the user may call', async () => {
    const bot = await start()
    const [list] = await bot.say('/help')
    expect(list)
      .to.contain('/show <word> [count] [--loud] [--color <red|green>] [--size <number>] – Shows its input')
      .and.contain('/note add <text…>')
    expect(list).not.to.contain('shutdown').and.not.to.contain('secretly')
    expect((await bot.say('/help', { sender: { id: 'owner' } }))[0]).to.contain('/shutdown')
    for (const text of [list, (await bot.say('/help show'))[0], (await bot.say('/help note'))[0]])
      for (const line of (text as string).split('\n'))
        expect(line.trimStart(), 'another bot would obey').to.not.match(/^\//)
    expect((await bot.say('/help show'))[0])
      .to.contain('Also: /s, /display it')
      .and.contain('-l, --loud')
      .and.contain('default 1.5')
    expect((await bot.say('/help note'))[0]).to.contain('/note list')
    expect((await bot.say('/help nothing'))[0]).to.contain('no command /nothing')
    expect((await bot.say('/help shutdown'))[0]).to.contain('no command /shutdown')
  })

  it('answers in the language of the user', async () => {
    const bot = await start({ commands: { locale: 'zh-CN' } })
    expect((await bot.say('/help'))[0])
      .to.contain('命令：')
      .and.contain('显示输入')
    expect((await bot.say('/show', { sender: { id: 'ann', locale: 'en' } }))[0]).to.contain('is missing')
    expect((await bot.say('/show'))[0]).to.contain('缺少')
  })

  it('requires one of the roles of a command, from the configuration or the platform', async () => {
    const bot = await start()
    expect((await bot.say('/shutdown'))[0]).to.contain('for my owner')
    expect((await bot.say('/shutdown', { sender: { id: 'friend' } }))[0]).to.contain('for my owner')
    expect(await bot.say('/shutdown', { sender: { id: 'owner' } })).to.deep.equal(['bye'])
    expect(await bot.say('/shutdown', { ...group, sender: { id: 'x', role: 'owner' } })).to.deep.equal(['bye'])
    expect((await bot.say('/shutdown', { ...group, sender: { id: 'x', role: 'member' } }))[0]).to.contain(
      'for my owner',
    )
    expect([...bot.chat.rolesOf('test', 'one', 'owner')]).to.have.members(['user', 'master'])
    expect([...bot.chat.rolesOf('test', 'one', 'friend')]).to.have.members(['user', 'trusted'])
    expect(bot.chat.mastersOf('test', 'one')).to.deep.equal(['owner'])
  })

  it('runs private commands in private chats only', async () => {
    const bot = await start()
    expect(await bot.say('/alone')).to.deep.equal(['just us'])
    expect((await bot.say('/alone', group))[0]).to.contain('private chat only')
  })

  it('limits the calls of each user until the time is over', async () => {
    const bot = await start()
    for (let call = 0; call < 2; call++) expect(await bot.say('/often')).to.deep.equal(['ok'])
    expect((await bot.say('/often'))[0]).to.contain('try again in 10 s')
    expect(await bot.say('/often', { sender: { id: 'bob' } })).to.deep.equal(['ok'])
    await bot.clock.advance(10_000)
    expect(await bot.say('/often')).to.deep.equal(['ok'])
  })

  it('tells once in each window that a user is too fast, and is silent then', async () => {
    const bot = await start()
    const call = async (sender = 'ann'): Promise<string> => (await bot.say('/often', { sender: { id: sender } })).join()
    expect([await call(), await call()]).to.deep.equal(['ok', 'ok'])
    expect(await call()).to.contain('try again in 10 s')
    await bot.clock.advance(6_000)
    expect([await call(), await call()]).to.deep.equal(['', ''])
    expect(await call('bob')).to.equal('ok')
    await bot.clock.advance(4_000)
    expect([await call(), await call()]).to.deep.equal(['ok', 'ok'])
    expect(await call()).to.contain('try again in 10 s')
    expect(await call()).to.equal('')
  })

  it('applies one limit to all commands where the configuration sets it', async () => {
    const bot = await start({ commands: { rateLimit: { count: 1, seconds: 60 }, prefix: '!' } })
    expect(await bot.say('!note list')).to.deep.equal(['notes'])
    expect((await bot.say('!who 1'))[0]).to.contain('60 s')
  })

  it('reports a failure without its reason, and a refusal with it', async () => {
    const bot = await start()
    expect(await bot.say('/breaks')).to.deep.equal(['/breaks failed; the log of the host has the reason.'])
    expect(bot.log.some(({ message }) => message.includes('secret.ts'))).to.equal(true)
    expect(await bot.say('/refuses')).to.deep.equal(['No such thing'])
  })

  for (const [locale, text] of [
    ['en', 'That cannot be done at the moment. Please try again in a moment.'],
    ['zh-CN', '现在暂时做不到，请稍后再试。'],
  ] as const)
    it(`says nothing in ${locale} of what the host lacks, such as a file of its database`, async () => {
      const bot = await start({ commands: { locale } })
      expect(await bot.say('/waits')).to.deep.equal([text])
    })

  for (const [locale, text] of [
    ['en', 'That cannot be done at the moment: The database is not available: …/db (SQLITE_IOERR)'],
    ['zh-CN', '现在暂时做不到：The database is not available: …/db (SQLITE_IOERR)'],
  ] as const)
    it(`names in ${locale} what the host lacks to its operators, in private and without paths`, async () => {
      const endpoints = [{ adapter: 'test', id: 'one', master: 'ann', trusted: ['bob'] }]
      const bot = await platforms.start({
        commands: more,
        config: { commands: { locale }, endpoints },
        host: { redact: { paths: withoutPaths, secrets: (record) => record } },
      })
      expect(await bot.say('/waits', { sender: { id: 'ann' } })).to.deep.equal([text])
      expect(await bot.say('/waits', { sender: { id: 'bob' } })).to.deep.equal([text])
      for (const from of [{ sender: { id: 'carol' } }, { sender: { id: 'ann' }, ...group }])
        expect((await bot.say('/waits', from))[0]).not.to.contain('database')
    })

  it('sends several replies of a command in order', async () => {
    const bot = await start()
    expect(await bot.say('/twice')).to.deep.equal(['first', 'second'])
  })

  it('lists commands with their pattern and plugin', async () => {
    const bot = await start()
    expect(bot.chat.commands()).to.deep.include({ pattern: '/note add <text…>', desc: 'Adds', plugin: 'test-platform' })
    expect(bot.chat.commands()).to.deep.include({
      pattern: '/help [command…]',
      desc: 'Lists commands, or describes one',
      plugin: 'chat',
    })
  })

  it('follows plugins that add and remove commands', async () => {
    let remove = (): void => {}
    const bot = await platforms.start({
      setup: (ctx) => {
        remove = ctx.contribute(commands, show) as unknown as () => void
      },
    })
    expect(await bot.say('/show x')).to.have.length(1)
    remove()
    expect(await bot.say('/show x')).to.deep.equal([])
  })

  it('sends message components that a command returns', async () => {
    const bot = await platforms.start({
      commands: [
        defineCommand({
          name: 'hi',
          description: 'Greets',
          run: () => [{ type: 'component', data: { name: 'greeting', props: { who: 'Ann' } } }],
        }),
        defineCommand({ name: 'lost', description: 'x', run: () => [{ type: 'component', data: { name: 'none' } }] }),
      ],
      setup: (ctx) => {
        ctx.contribute(components, { name: 'greeting', render: ({ who }) => `Hello ${String(who)}` })
      },
    })
    expect(await bot.say('/hi')).to.deep.equal(['Hello Ann'])
    expect((await bot.say('/lost')).join()).not.to.contain('component')
  })
})

describe('tokenize', () => {
  const quote = (value: string): string => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

  it('returns quoted words as they were, for any text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 12 }), (words) => {
        const text = words.map(quote).join(' ')
        expect(tokenize({ text, mentions: new Map() }, 0).map(({ value }) => value)).to.deep.equal(words)
      }),
    )
  })

  it('fails only with errors that the user can be shown', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const line = lineOf([Text(text)], undefined)
        try {
          readInput(show, line, tokenize(line, 0), '/', textsFor('en'))
        } catch (error) {
          expect(error instanceof UsageError || error instanceof UnclosedQuote).to.equal(true)
        }
      }),
    )
  })
})
