import { expect } from 'chai'
import { isAllowed, parseChannelId } from '../addresses.js'
import { isVerified } from '../authentication.js'
import { withoutQuote, wordsOf } from '../body.js'
import type { MailConfig } from '../config.js'
import { readMail } from '../inbound.js'
import { mail } from './mail.js'

const config: MailConfig = {
  imap: 'imaps://a.example',
  smtp: 'smtps://a.example',
  user: 'bot@example.net',
  password: 'x',
  allow: ['*'],
}
const read = (text: string, headers?: Record<string, string | undefined>, more: Partial<MailConfig> = {}) =>
  readMail(
    { uid: 1, uidValidity: '7', source: Buffer.from(mail(text, headers)), receivedAt: 5 },
    { ...config, ...more },
  )

describe('The sender of a mail', () => {
  const verified = (headers: string[], from = 'alice@example.org') => isVerified(headers, 'mx.example.net', from)

  it('is verified by the server of this mailbox only, in the header that it has added last', () => {
    for (const header of [
      'mx.example.net; dkim=pass header.d=example.org',
      'MX.example.net 1; spf=fail smtp.mailfrom=x; dkim=pass (2048-bit) header.i=@example.org header.s=k',
      'mx.example.net; dkim=fail header.d=example.org; dkim=pass header.i=a@example.org',
    ])
      expect(verified([header]), header).to.equal(true)
    expect(verified(['mx.example.net; dkim=pass header.d=example.org'], 'alice@mail.example.org')).to.equal(true)
    for (const header of [
      '',
      'mx.example.net',
      'mx.example.net; none',
      'mx.example.net; spf=pass smtp.mailfrom=example.org',
      'mx.example.net; dkim=pass header.d=evil.example',
      'mx.example.net; dkim=pass header.d=org',
      'mx.example.net; dkim=pass header.d=ample.org',
      'mx.example.net; dkim=fail header.d=example.org',
      'mx.example.net; dkim=fail (dkim=pass header.d=example.org)',
      'evil.example; dkim=pass header.d=example.org',
      'evil.example (mx.example.net); dkim=pass header.d=example.org',
      'evil.example; x=(; mx.example.net; dkim=pass header.d=example.org',
    ])
      expect(verified([header]), header).to.equal(false)
  })

  it('is not verified by what was written below the header of the server', () => {
    const forged = 'mx.example.net; dkim=pass header.d=example.org'
    expect(verified(['mx.example.net; dkim=none', forged])).to.equal(false)
    expect(verified(['other.example; dkim=none', forged])).to.equal(true)
    expect(isVerified([forged], undefined, 'alice@example.org')).to.equal(false)
  })

  it('has rights with that alone, and a conversation of its own without', async () => {
    const headers = { 'Authentication-Results': 'mx.example.net; dkim=pass header.d=example.org' }
    for (const [authServer, id] of [
      ['mx.example.net', 'alice@example.org'],
      ['mx.other.net', '~alice@example.org'],
      [undefined, '~alice@example.org'],
    ] as const) {
      const found = await read('hi', headers, authServer === undefined ? {} : { authServer })
      const { message } = found as Extract<typeof found, { message: unknown }>
      expect([message.sender, message.channel.id]).to.deep.equal([{ id, name: 'Alice' }, id])
    }
  })

  it('may write where its address or its domain is allowed', () => {
    const allow = ['Bob@example.com', '@example.org']
    expect(['bob@example.com', 'x@example.org'].map((address) => isAllowed(address, allow))).to.deep.equal([true, true])
    const others = ['alice@example.com', 'x@sub.example.org', 'x@evilexample.org', 'x@example.org.evil']
    expect(others.filter((address) => isAllowed(address, allow))).to.deep.equal([])
    expect(isAllowed('anyone@x', ['*'])).to.equal(true)
  })
})

describe('A mail', () => {
  it('that a program has sent, or that comes from the bot, is ignored', async () => {
    for (const [headers, words] of [
      [{ 'Auto-Submitted': 'auto-replied' }, 'Auto-Submitted'],
      [{ 'Auto-Submitted': 'auto-generated; x=y' }, 'Auto-Submitted'],
      [{ 'List-Id': '<list.example.org>' }, 'List-Id'],
      [{ 'Return-Path': '<>' }, 'null sender'],
      [{ Precedence: 'bulk' }, 'Precedence'],
      [{ From: 'Bot <BOT@example.net>' }, 'the bot itself'],
      [{ From: undefined }, 'no sender'],
      [{ From: 'evil' }, 'no sender'],
    ] as const)
      expect(await read('hi', headers as never), JSON.stringify(headers))
        .to.have.property('ignored')
        .that.includes(words)
    expect(await read('hi', {}, { allow: ['@other.org'] }))
      .to.have.property('ignored')
      .that.includes('allow')
    expect(await read('', { Subject: undefined })).to.deep.equal({ ignored: 'it is empty' })
    expect(await read('hi', { 'Auto-Submitted': 'no' })).to.have.property('message')
  })

  it('has the id of its sender, or else one of its bytes', async () => {
    const id = async (value: string | undefined) => {
      const found = await read('hi', { 'Message-ID': value, Date: 'x' })
      return 'message' in found ? found.message.id : ''
    }
    expect(await id('<a.1@x.example>')).to.equal('a.1@x.example')
    expect(await id(undefined)).to.match(/^[0-9a-f]{64}$/)
    expect(await id(`<${'x'.repeat(500)}@y>`)).to.match(/^[0-9a-f]{64}$/)
    expect(await id(undefined)).to.equal(await id(undefined))
  })

  it('belongs to a thread, which is a channel of its own where that is wanted', async () => {
    const headers = { 'Message-ID': '<c@x>', 'In-Reply-To': '<b@x>', References: '<a@x> <b@x>', Subject: 'Re: Tea' }
    const found = await read('yes', headers, { replies: 'thread' })
    expect(found).to.deep.include({ thread: { subject: 'Re: Tea', references: ['a@x', 'b@x', 'c@x'] } })
    const { message } = found as Extract<typeof found, { message: unknown }>
    expect(message.replyTo).to.equal('b@x')
    expect(message.channel).to.deep.equal({
      type: 'private',
      id: '~alice@example.org:a@x',
      name: 'Re: Tea',
      parent: { type: 'group', id: '~alice@example.org' },
    })
    expect(parseChannelId(message.channel.id)).to.deep.equal({ address: 'alice@example.org', thread: 'a@x' })
  })

  it('is read without its quotes and its signature', () => {
    for (const [text, words] of [
      ['yes\n\nOn Mon, 3 Mar 2025 Bob <b@x> wrote:\n> tea?\n> or not\n', 'yes'],
      ['yes\r\n\r\nAm 3.3.2025 um 10:00 schrieb Bob:\r\n> Tee?\r\n', 'yes'],
      ['好的\n\n在 2025年3月3日，Bob 写道：\n> 茶？', '好的'],
      ['yes\n-- \nAlice\nCEO', 'yes'],
      ['> tea?\n\nyes', '> tea?\n\nyes'],
      ['5 > 4\nand 3', '5 > 4\nand 3'],
      ['a list:\n- one', 'a list:\n- one'],
      ['', ''],
    ] as const)
      expect(withoutQuote(text).trim(), text).to.equal(words)
  })

  it('begins with its subject where it begins a thread, unless that would hide a command', () => {
    expect(wordsOf({ text: 'at five', subject: 'Tea', isFirst: true })).to.equal('Tea\n\nat five')
    expect(wordsOf({ text: 'at five', subject: 'Tea', isFirst: false })).to.equal('at five')
    expect(wordsOf({ text: '/help', subject: 'Tea', isFirst: true })).to.equal('/help')
    expect(wordsOf({ text: '', subject: '/help', isFirst: true })).to.equal('/help')
    expect(wordsOf({ html: '<p>Hello <b>you</b></p><script>x()</script>', isFirst: true })).to.equal('Hello you')
  })
})
