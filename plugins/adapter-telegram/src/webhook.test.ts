import { expect } from 'chai'
import { until, TelegramHost } from './test/telegram-host.js'

const update = (id: number, text: string) => ({
  update_id: id,
  message: {
    message_id: id,
    date: 1_700_000_000,
    chat: { id: 7, type: 'private', first_name: 'Alice' },
    from: { id: 7, is_bot: false, first_name: 'Alice' },
    text,
  },
})

describe('Webhook route', () => {
  let telegramHost: TelegramHost
  let secret = ''
  beforeEach(async () => {
    telegramHost = await TelegramHost.start(
      { mode: 'webhook', publicUrl: 'https://bot.example.com/chat/' },
      {
        unreliableStore: true,
        more: [{ adapter: 'telegram', id: 'poller', token: '2:other', apiRoot: 'http://127.0.0.1:1' }],
      },
    )
    await telegramHost.online()
    secret = String(telegramHost.api.called('setWebhook')[0]?.payload.secret_token)
  })
  afterEach(() => telegramHost.stop())

  const call = (
    body: unknown,
    headers: Record<string, string> = { 'x-telegram-bot-api-secret-token': secret },
    id = 'bot',
  ): Promise<Response> =>
    fetch(`${telegramHost.origin}/webhook/telegram/${id}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })

  it('is registered on connect, one call at a time, with a secret', () => {
    expect(
      telegramHost.api
        .called('setWebhook')
        .map(({ payload }) => ({ ...payload, secret_token: '', allowed_updates: 0 })),
    ).to.deep.equal([
      {
        url: 'https://bot.example.com/chat/webhook/telegram/bot',
        secret_token: '',
        max_connections: 1,
        allowed_updates: 0,
      },
    ])
    expect(secret).to.match(/^[\w-]{43}$/)
    expect(telegramHost.api.called('getUpdates')).to.be.empty
  })

  it('answers once the update is accepted, and accepts it once', async () => {
    for (let time = 0; time < 2; time++) {
      const response = await call(update(5, 'hello'))
      expect(response.status).to.equal(200)
      expect(await response.json()).to.deep.equal({ ok: true })
    }
    expect(telegramHost.messages.map(({ text, channel }) => [text, channel.id])).to.deep.equal([['hello', '7']])
  })

  it('refuses calls without the secret, with a wrong one, and for accounts without one', async () => {
    for (const headers of [
      {},
      { 'x-telegram-bot-api-secret-token': '' },
      { 'x-telegram-bot-api-secret-token': `${secret}x` },
      { authorization: `Bearer ${secret}` },
    ] as Record<string, string>[]) {
      expect((await call(update(5, 'hello'), headers)).status).to.equal(401)
    }
    for (const id of ['poller', 'nobody'])
      for (const headers of [
        {},
        { 'x-telegram-bot-api-secret-token': secret },
        { 'x-telegram-bot-api-secret-token': '' },
      ] as Record<string, string>[])
        expect((await call(update(5, 'hello'), headers, id)).status).to.equal(401)
    expect(telegramHost.messages).to.be.empty
  })

  it('receives messages of a third-party server', async () => {
    telegramHost.api.forwardWebhook(`${telegramHost.origin}/webhook/telegram/bot`, secret)
    const user = telegramHost.api.user({ userId: 7, chatId: 7, firstName: 'Alice' })
    // That server counts a message only when its call has been answered.
    const counted = telegramHost.api.counted()
    await user.sendMessage(user.makeMessage('one'))
    await counted
    await user.sendMessage(user.makeMessage('two'))
    await until(() => telegramHost.messages.length === 2, 'the second message')
    expect(telegramHost.messages.map(({ text }) => text)).to.deep.equal(['one', 'two'])
  })

  it('does not acknowledge while the store is unavailable', async () => {
    telegramHost.storeAvailable = false
    const response = await call(update(5, 'hello'))
    expect(response.status).to.equal(503)
    expect(await response.text()).to.not.include('disk')
    telegramHost.storeAvailable = true
    expect((await call(update(5, 'hello'))).status).to.equal(200)
    expect(telegramHost.messages).to.have.length(1)
  })

  it('accepts updates of a limited size only', async () => {
    for (const body of ['', '{', '[]', 'null', '{"message":{}}', '{"update_id":"1"}'])
      expect((await call(body)).status, body).to.equal(400)
    expect((await call(JSON.stringify({ update_id: 1, pad: 'x'.repeat(1024 * 1024) }))).status).to.equal(413)
  })
})

describe('Webhook mode', () => {
  it('requires the public address of the host', async () => {
    const telegramHost = await TelegramHost.start({ mode: 'webhook' })
    try {
      expect(await telegramHost.error()).to.include('publicUrl is required')
    } finally {
      await telegramHost.stop()
    }
  })

  it('requires an HTTP server', async () => {
    const telegramHost = await TelegramHost.start(
      { mode: 'webhook', publicUrl: 'https://bot.example.com' },
      { withHttp: false },
    )
    try {
      expect(await telegramHost.error()).to.include('http-core')
    } finally {
      await telegramHost.stop()
    }
  })

  it('has the same secret at each start without one in the configuration', async () => {
    const secrets = new Set<unknown>()
    for (const id of ['bot', 'bot', 'other']) {
      const telegramHost = await TelegramHost.start({ mode: 'webhook', publicUrl: 'https://bot.example.com', id })
      try {
        await until(() => telegramHost.api.called('setWebhook').length > 0, 'the webhook')
        secrets.add(telegramHost.api.called('setWebhook')[0]?.payload.secret_token)
      } finally {
        await telegramHost.stop()
      }
    }
    expect(secrets.size).to.equal(2)
  })

  it('uses the configured secret without showing it', async () => {
    const webhookSecret = 'chosen-by-the-owner'
    const telegramHost = await TelegramHost.start({
      mode: 'webhook',
      publicUrl: 'https://bot.example.com',
      webhookSecret,
    })
    try {
      await telegramHost.online()
      expect(telegramHost.api.called('setWebhook')[0]?.payload.secret_token).to.equal(webhookSecret)
      expect(JSON.stringify(await telegramHost.chat.info('telegram', 'bot'))).to.not.include(webhookSecret)
    } finally {
      await telegramHost.stop()
    }
  })
})
