import { writeFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { skipBecause, TestClock, until } from '@mynah/kernel/testing'
import { systemClock, type Clock } from '@mynah/kernel'
import { File, Image, Text, type Segment } from '@mynah/plugin-chat/api'
import { mutate, randomBytes, SeededRandom } from '@mynah/plugin-chat/testing'
import { probe } from '../probe.js'
import { Account, alice, failure } from './account.js'
import { Dovecot, PASSWORD, whyNoDovecot } from './dovecot.js'
import { mail } from './mail.js'
import { SmtpSink } from './smtp-sink.js'

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, fatal() {} } as never
const never = new AbortController().signal
const BOT = 'bot@example.net'

describe('A mailbox', function () {
  let server: Dovecot
  let sink: SmtpSink
  const accounts: Account[] = []
  const connect = async (...[more, earlier, clock]: [object?, Account?, Clock?]): Promise<Account> => {
    const account = await Account.connect(server, sink, more, earlier, clock)
    accounts.push(account)
    return account
  }
  before(function () {
    const reason = whyNoDovecot()
    if (reason !== undefined) skipBecause(this, reason)
  })
  beforeEach(async () => {
    server = await Dovecot.start()
    sink = await new SmtpSink().listen()
  })
  afterEach(async () => {
    for (const account of accounts.splice(0)) await account.stop()
    await sink?.stop()
    await server?.stop()
    sink?.check()
  })

  it('is read from the first connection on, and goes on after a restart where it stopped', async () => {
    await server.deliver(BOT, mail('before the bot'))
    const first = await connect()
    await server.deliver(BOT, mail('one'))
    await first.hears(1)
    await first.stop()
    for (const text of ['two', 'three']) await server.deliver(BOT, mail(text))
    const second = await connect({}, first)
    await second.hears(2)
    expect([...first.texts, ...second.texts]).to.deep.equal(['one', 'two', 'three'])
    expect(second.messages[0]?.timestamp).to.be.a('number')
  })

  it('loses no mail and handles none twice while its server dies twenty times', async () => {
    const account = await connect()
    const said: string[] = []
    const deliver = async (text: string): Promise<void> => {
      said.push(text)
      await server.drop('bot', mail(text))
    }
    for (let death = 1; death <= 20; death++) {
      await deliver(`before ${death}`)
      await server.kill()
      await until(
        () => account.lost.length >= death,
        () => `loss ${death}; ${account.lost.length} until now`,
      )
      await account.bot.disconnect()
      await deliver(`while away ${death}`)
      await server.run()
      await account.bot.connect()
    }
    await account.hears(said.length)
    expect(account.texts).to.deep.equal(said)
  })

  it('keeps a mail until the store has it', async () => {
    const account = await connect()
    account.isStoreUp = false
    await server.deliver(BOT, mail('kept'))
    await until(() => account.log.some((line) => line.includes('trying again')), 'the first attempt')
    await account.stop()
    expect(account.messages).to.deep.equal([])
    const next = await connect({}, account)
    await next.hears(1)
    expect(next.texts).to.deep.equal(['kept'])
  })

  it('compares ids where the server has changed its numbers', async () => {
    const account = await connect()
    for (const text of ['one', 'two']) await server.deliver(BOT, mail(text))
    await account.hears(2)
    await account.bot.disconnect()
    await server.kill()
    await server.renumber('bot')
    await server.drop('bot', mail('three'))
    await server.run()
    await account.bot.connect()
    await account.hears(3)
    await server.deliver(BOT, mail('four'))
    await account.hears(4)
    expect(account.texts).to.deep.equal(['one', 'two', 'three', 'four'])
    expect(account.messages.map(({ late }) => late === true)).to.deep.equal([false, false, true, false])
    expect(account.log.join('\n')).to.include('changed its numbers')
  })

  it('is answered in the thread, also by a process that has not seen the mail', async () => {
    const first = await connect()
    const headers = { Subject: 'Tea time', 'Message-ID': '<t1@example.org>', References: '<t0@example.org>' }
    await server.deliver(BOT, mail('at five?', headers))
    await first.hears(1)
    const { messageId } = await first.send([Text('yes 你好')])
    expect(messageId).to.equal('run-1@example.net')
    await first.stop()
    const second = await connect({ name: 'Mynah' }, first)
    await second.send([Text('really')], alice, { replyTo: 't1@example.org', key: 'k' })
    expect(
      sink.sent.map(({ to, mail: sent }) => [to, sent.subject, sent.inReplyTo, sent.references, sent.text?.trim()]),
    ).to.deep.equal([
      ['alice@example.org', 'Re: Tea time', '<t1@example.org>', '<t0@example.org> <t1@example.org>', 'yes 你好'],
      ['alice@example.org', 'Re: Tea time', '<t1@example.org>', '<t0@example.org> <t1@example.org>', 'really'],
    ])
    expect(sink.sent.map(({ mail: { from, messageId: id } }) => [from, id])).to.deep.equal([
      [{ address: BOT, name: '' }, '<run-1@example.net>'],
      [{ address: BOT, name: 'Mynah' }, '<k@example.net>'],
    ])
    await second.send([Text('A new subject that is rather long, so that it must end somewhere in the middle')], {
      type: 'private',
      id: 'bob@example.org',
    })
    expect(sink.sent[2]?.mail.subject).to.match(/^A new subject .{50,56}…$/)
    expect(sink.sent[2]?.mail.headers.find(({ key }) => key === 'auto-submitted')?.value).to.equal('auto-generated')
  })

  it('says why a mail was not taken, and whether it may have arrived', async () => {
    const account = await connect()
    const send = () => failure(account.send([Text('x')]))
    for (const [stage, fault, kind, words] of [
      ['auth', '535 5.7.8 wrong', 'refused', 'check `password`'],
      ['mail', '451 4.3.0 later', 'rate-limited', 'takes no mail now: 451 4.3.0 later'],
      ['rcpt', '550 5.1.1 no such user', 'refused', '550 5.1.1 no such user'],
      ['data', '452 4.2.2 full', 'rate-limited', '452'],
      ['end', '554 5.6.0 spam', 'refused', '554 5.6.0 spam'],
      ['end', '451 4.7.1 greylisted', 'rate-limited', '451'],
      ['greeting', 'close', 'offline', 'connection'],
      ['rcpt', 'close', 'offline', 'connection'],
      ['end', 'close', undefined, 'may have arrived'],
    ] as const) {
      sink.script(stage, fault)
      const error = await send()
      expect([error.kind, error.message.includes(words)], `${stage} ${fault}: ${error.message}`).to.deep.equal([
        kind,
        true,
      ])
      expect(error.message).to.not.include(PASSWORD)
    }
    expect((await account.send([Text('y')])).messageId).to.match(/@example\.net$/)
    await sink.stop()
    expect((await send()).kind).to.equal('offline')
  })

  it('names the option that is wrong, without the password', async () => {
    for (const [config, words] of [
      [{ password: 'not-the-password' }, 'check `password`'],
      [{ imap: 'imap://127.0.0.1:1' }, 'ECONNREFUSED'],
      [{ smtp: 'smtp://127.0.0.1:1' }, 'SMTP'],
      [{ folder: 'None' }, 'IMAP server cannot be used'],
      [{ user: 'bot', from: undefined as never }, '`from`'],
    ] as const) {
      const account = new Account({ ...Account.configOf(server, sink), ...config } as never)
      const error = await failure(account.bot.connect())
      expect(error.message).to.include(words)
      expect(error.message).to.not.match(/not-the-password|password-of-the/)
      await account.stop()
    }
  })

  it('is lost after 90 s of silence, and leaves nothing behind', async () => {
    const clock = new TestClock()
    const account = await connect({}, undefined, clock)
    server.freeze()
    try {
      await clock.advance(80_000)
      expect(account.lost).to.deep.equal([])
      await clock.advance(10_000)
      expect(account.lost).to.deep.equal(['The IMAP server has said nothing for 90 s'])
    } finally {
      server.thaw()
    }
    await account.stop()
    expect(clock.pending).to.equal(0)
  })

  it('has attachments, whose bytes can be fetched within the limit', async () => {
    const account = await connect()
    const picture = Buffer.from('the bytes of a picture').toString('base64')
    const parts = [
      ['Content-Type: text/plain', '', 'look'],
      [
        'Content-Type: image/png',
        'Content-Disposition: attachment; filename="../a.png"',
        'Content-Transfer-Encoding: base64',
        '',
        picture,
      ],
      ['Content-Type: application/pdf; name=b.pdf', 'Content-Transfer-Encoding: base64', '', picture],
    ].map((lines) => `--b\r\n${lines.join('\r\n')}\r\n`)
    const type = { 'Content-Type': 'multipart/mixed; boundary=b', 'Content-Transfer-Encoding': undefined }
    await server.deliver(BOT, mail(`${parts.join('')}--b--`, type))
    await account.hears(1)
    const [words, image, file] = (account.messages[0]?.content ?? []) as Segment[]
    expect([words, image?.type, image?.data.name, image?.data.mime, file?.type, file?.data.name]).to.deep.equal([
      Text('look'),
      'image',
      '..a.png',
      'image/png',
      'file',
      'b.pdf',
    ])
    const limits = { maxBytes: 100, signal: never }
    const bytes = await account.bot.fetchMedia(image as Segment, limits)
    expect(Buffer.from(bytes).toString()).to.equal('the bytes of a picture')
    for (const [segment, maxBytes, code] of [
      [image, 5, 'too_large'],
      [Image({ url: 'http://169.254.169.254/' }), 100, 'not_found'],
      [{ type: 'image', data: { fileId: '1:1:0' } }, 100, 'not_found'],
    ] as [Segment, number, string][])
      expect((await failure(account.bot.fetchMedia(segment, { ...limits, maxBytes }))).code).to.equal(code)
  })

  it('sends attachments, and refuses those that cannot be sent', async () => {
    const account = await connect()
    const path = join(tmpdir(), `mail-${process.pid}.txt`)
    await writeFile(path, 'the file')
    try {
      await account.send([
        Text('see'),
        File({ file: path }),
        Image({ base64: 'AAAA', name: 'x.png', mime: 'image/png' }),
        Image('https://a.example/p.png'),
      ])
    } finally {
      await rm(path)
    }
    const [sent] = sink.sent
    expect(sent?.mail.text?.trim()).to.equal('see\n[image] https://a.example/p.png')
    expect(
      sent?.mail.attachments.map(({ filename, mimeType, content }) => [
        filename,
        mimeType,
        (content as ArrayBuffer).byteLength,
      ]),
    ).to.deep.equal([
      [`mail-${process.pid}.txt`, 'text/plain', 8],
      ['x.png', 'image/png', 3],
    ])
    for (const [segments, words] of [
      [[File({ file: '/no/such/secret/a.txt' })], '"a.txt" cannot be read'],
      [[File({ base64: 'A'.repeat(26_000_000) })], 'bytes together'],
      [[Text(' ')], 'nothing that a mail can hold'],
    ] as const) {
      const error = await failure(account.send(segments))
      expect([error.kind, error.message.includes(words), error.message.includes('/no/')]).to.deep.equal([
        'refused',
        true,
        false,
      ])
    }
    for (const target of [
      { type: 'group', id: 'alice@example.org' },
      { type: 'private', id: 'a@b\r\nBcc: c@d' },
      { type: 'private', id: 'x' },
    ])
      expect((await failure(account.send([Text('x')], target as never))).kind).to.equal('refused')
    expect(sink.sent).to.have.length(1)
  })

  it('hears good mail between broken ones', async () => {
    const account = await connect()
    const chance = new SeededRandom(11)
    for (let index = 1; index <= 60; index++) {
      const lines = mail('x', { Subject: 'y' }).split('\r\n')
      const broken = chance.below(2) ? randomBytes(chance, 300) : (mutate(chance, lines) as unknown[])
      const raw = Buffer.isBuffer(broken) ? broken.toString('latin1') : [broken].flat().map(String).join('\r\n')
      await server.drop('bot', raw)
      if (index % 20 > 0) continue
      await server.drop('bot', mail(`number ${index}`))
      await until(
        () => account.texts.includes(`number ${index}`),
        () => `number ${index}; ${account.lost.join()}`,
      )
    }
    expect(account.lost).to.deep.equal([])
  })

  it('does not go on for ever with another program', async () => {
    let ahead = 0
    const clock: Clock = { ...systemClock, now: () => systemClock.now() + ahead }
    const account = await connect({}, undefined, clock)
    // The other side ignores that our mail says it was sent by a program.
    const refusals: string[] = []
    sink.onMail = ({ mail: sent }) => server.drop('bot', mail(`got ${sent.subject}`))
    for (let round = 1; refusals.length === 0; round++) {
      await account.hears(round - 1)
      if (round === 1) await server.drop('bot', mail('first'))
      await account.hears(round)
      await account.send([Text(`answer ${round}`)]).catch((error: Error) => refusals.push(error.message))
    }
    expect(sink.sent).to.have.length(5)
    expect(refusals[0]).to.include('too many answers to alice@example.org')
    ahead = 300_000
    await account.send([Text('later')])
  })

  it('of two bots ends at once, since each says that it is a program', async () => {
    const one = await connect()
    const two = await connect({ user: 'two@example.org' })
    sink.onMail = ({ to, source }) => server.deliver(to, `${source}\r\n`, BOT)
    await one.send([Text('hello, bot')], { type: 'private', id: 'two@example.org' })
    await until(() => two.log.some((line) => line.includes('Auto-Submitted')), 'the mail to be ignored')
    expect(two.messages).to.deep.equal([])
  })

  it('finds what was sent where the server keeps it', async () => {
    const account = await connect()
    expect(await account.bot.find(alice, 'run-9')).to.equal(undefined)
    await server.drop('bot', mail('sent', { 'Message-ID': '<run-9@example.net>' }), '.Sent')
    expect(await account.bot.find(alice, 'run-9')).to.deep.equal({ messageId: 'run-9@example.net' })
  })

  it('can be tried without reading anything', async () => {
    await server.deliver(BOT, mail('unread'))
    const tried = (more: object) =>
      probe({ config: Account.configOf(server, sink, more), log: silent, clock: systemClock, signal: never })
    const { id, missing } = await tried({})
    expect([id, missing?.length, missing?.[0]?.includes('`authServer`')]).to.deep.equal([BOT, 1, true])
    expect((await tried({ authServer: 'mx.example.net' })).missing).to.deep.equal([])
    expect((await failure(tried({ password: 'wrong' }))).message).to.include('check `password`')
  })
})
