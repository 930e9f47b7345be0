import { expect } from 'chai'
import { failure, until, TelegramHost } from './telegram-host.js'
import { TelegramBot } from '../bot.js'
import { TOKEN } from './bot-api.js'

describe('Refusals of Telegram', () => {
  let telegramHost: TelegramHost
  afterEach(() => telegramHost.stop())

  it('waits as long as Telegram asks', async () => {
    telegramHost = await TelegramHost.start()
    await telegramHost.online()
    let slow = 2
    telegramHost.api.on('sendMessage', () =>
      slow-- > 0
        ? { status: 429, description: 'Too Many Requests: retry after 3', parameters: { retry_after: 3 } }
        : undefined,
    )
    await telegramHost.send('hello')
    expect(telegramHost.api.texts).to.deep.equal(['hello'])
    // The wait is what is left of the time when it begins.
    expect(telegramHost.clock.waits.filter((ms) => ms > 2000 && ms <= 3000)).to.have.length(2)
  })

  it('repeats no part of a long message after a rate limit', async () => {
    telegramHost = await TelegramHost.start()
    await telegramHost.online()
    let count = 0
    telegramHost.api.on('sendMessage', () =>
      ++count === 2 ? { status: 429, parameters: { retry_after: 1 } } : undefined,
    )
    const text = `${'a'.repeat(4000)}\n${'b'.repeat(4000)}`
    await telegramHost.send(text)
    expect(telegramHost.api.texts.join('')).to.equal(text)
    expect(telegramHost.api.texts).to.have.length(2)
  })

  it('passes on a delay of any length, and does not wait for it itself', async () => {
    telegramHost = await TelegramHost.start()
    await telegramHost.online()
    telegramHost.api.on('sendMessage', () => ({ status: 429, parameters: { retry_after: 7_200 } }))
    const account = new TelegramBot(
      { config: { token: TOKEN, apiRoot: telegramHost.api.root }, signal: new AbortController().signal } as never,
      { pollers: new Map(), hasHttpServer: () => false },
    )
    const message = { segments: [{ type: 'text', data: { text: 'hello' } }], text: 'hello', key: 'one' }
    const error = await failure(account.send({ type: 'private', id: '7' }, message))
    expect(error).to.include({ name: 'SendError', kind: 'rate-limited', retryAfter: 7_200_000 })
    expect(telegramHost.api.called('sendMessage')).to.have.length(1)
  })

  it('leaves a message unknown where a later part would have to wait for long', async () => {
    telegramHost = await TelegramHost.start()
    await telegramHost.online()
    let count = 0
    telegramHost.api.on('sendMessage', () =>
      ++count === 2 ? { status: 429, parameters: { retry_after: 7_200 } } : undefined,
    )
    const error = await failure(telegramHost.send(`${'a'.repeat(4000)}\n${'b'.repeat(4000)}`))
    expect(error).to.include({ code: 'upstream_unavailable:unknown' })
    expect(error.message).to.include('Only a part')
    expect(telegramHost.api.called('sendMessage')).to.have.length(2)
  })

  it('is offline with the reason while Telegram gives no updates for long, and tries again meanwhile', async () => {
    telegramHost = await TelegramHost.start()
    await telegramHost.online()
    const { api, chat } = telegramHost
    const user = api.user({ userId: 7, chatId: 7 })
    api.on('getUpdates', () => ({ status: 429, parameters: { retry_after: 86_400 } }))
    await user.sendMessage(user.makeMessage('answers the question that is held'))
    await until(() => telegramHost.status() !== 'online', 'the endpoint to be offline')
    api.record()
    await until(() => api.called('getUpdates').length > 2, 'more attempts')
    const { error, stats } = await chat.info('telegram', 'bot')
    expect(error).to.equal('Telegram asks to wait for 86400 s (429)')
    expect(stats.lost).to.equal(1)
    api.restore('getUpdates')
    await user.sendMessage(user.makeMessage('afterwards'))
    await until(() => telegramHost.messages.some(({ text }) => text === 'afterwards'), 'the message afterwards')
  })

  it('asks again at once where the updates break off in the middle', async () => {
    telegramHost = await TelegramHost.start()
    await telegramHost.online()
    const { api } = telegramHost
    const user = api.user({ userId: 7, chatId: 7 })
    let cut = 1
    api.on('getUpdates', () => (cut-- > 0 ? { isCut: true } : undefined))
    await user.sendMessage(user.makeMessage('first'))
    await user.sendMessage(user.makeMessage('second'))
    await until(() => telegramHost.messages.length === 2, 'both messages')
    expect(telegramHost.messages.map(({ text }) => text)).to.deep.equal(['first', 'second'])
  })

  it('fails where the bot may not write', async () => {
    telegramHost = await TelegramHost.start()
    await telegramHost.online()
    telegramHost.api.on('sendMessage', () => ({ status: 403, description: 'Forbidden: bot was blocked by the user' }))
    expect((await failure(telegramHost.send('hello'))).message).to.include('blocked by the user')
    expect(telegramHost.api.called('sendMessage')).to.have.length(1)
  })

  it('leaves a message unknown when a later part fails', async () => {
    telegramHost = await TelegramHost.start()
    await telegramHost.online()
    let count = 0
    telegramHost.api.on('sendMessage', () =>
      ++count === 2 ? { status: 403, description: 'Forbidden: bot was blocked by the user' } : undefined,
    )
    const error = await failure(telegramHost.send(`${'a'.repeat(4000)}\n${'b'.repeat(4000)}`))
    expect(error.message).to.include('Only a part').and.include('blocked by the user')
    expect(telegramHost.api.texts).to.have.length(1)
  })

  it('leaves a message unknown after a server error, and does not repeat it', async () => {
    telegramHost = await TelegramHost.start()
    await telegramHost.online()
    telegramHost.api.on('sendMessage', () => ({ status: 500, description: 'Internal Server Error' }))
    expect((await failure(telegramHost.send('hello'))).code).to.equal('upstream_unavailable:unknown')
    expect(telegramHost.api.called('sendMessage')).to.have.length(1)
  })

  it('keeps the endpoint offline with a hint and without the token where the token is refused', async () => {
    telegramHost = await TelegramHost.start(
      { token: '1:wrong' },
      { prepare: (api) => api.on('getMe', () => ({ status: 401, description: 'Unauthorized' })) },
    )
    await until(
      () =>
        telegramHost.log.some(({ message }) => message.includes('refuses the token (401 Unauthorized): check `token`')),
      'the reason in the log',
    )
    expect(await telegramHost.error()).to.include('refuses the token')
    expect(telegramHost.status()).to.not.equal('online')
    expect(JSON.stringify(telegramHost.log)).to.not.include('1:wrong')
  })

  it('names another poller as the reason', async () => {
    telegramHost = await TelegramHost.start(
      {},
      {
        prepare: (api) =>
          api.on('getUpdates', () => ({
            status: 409,
            description: 'Conflict: terminated by other getUpdates request',
          })),
      },
    )
    await until(
      () => telegramHost.log.some(({ message }) => message.includes('only one may poll')),
      'the reason in the log',
    )
  })

  it('lets only one of two endpoints with the same token poll', async () => {
    const more = [{ adapter: 'telegram', id: 'twin', token: TOKEN, apiRoot: 'http://127.0.0.1:1' }]
    telegramHost = await TelegramHost.start({}, { more })
    await telegramHost.online()
    await until(
      () => telegramHost.log.some(({ message }) => message.includes('The endpoint "bot" polls with the same token')),
      'the reason in the log',
    )
    expect(telegramHost.status('twin')).to.not.equal('online')
  })

  it('reports an unreachable server without its address, which contains the token', async () => {
    telegramHost = await TelegramHost.start({ apiRoot: 'http://127.0.0.1:1' })
    await until(
      () => telegramHost.log.some(({ message }) => message.includes('Telegram cannot be reached (ECONNREFUSED)')),
      'the reason in the log',
    )
    expect(JSON.stringify(telegramHost.log)).to.not.include(TOKEN)
  })
})
