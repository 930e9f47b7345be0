// What Telegram answers when it does not do what it is asked.
import { expect } from 'chai'
import { failure, until, World } from './world.js'
import { TOKEN } from './bot-api.js'

describe('a refusal of Telegram', () => {
  let world: World
  afterEach(() => world.stop())

  it('to go faster is waited out as long as it says', async () => {
    world = await World.start()
    await world.online()
    let slow = 2
    world.api.on('sendMessage', () =>
      slow-- > 0
        ? { status: 429, description: 'Too Many Requests: retry after 3', parameters: { retry_after: 3 } }
        : undefined,
    )
    await world.send('hello')
    expect(world.api.texts).to.deep.equal(['hello'])
    expect(world.clock.waits.filter((ms) => ms === 3000)).to.have.length(2)
  })

  it('to go faster in the middle of a long message repeats no part of it', async () => {
    world = await World.start()
    await world.online()
    let count = 0
    world.api.on('sendMessage', () => (++count === 2 ? { status: 429, parameters: { retry_after: 1 } } : undefined))
    const text = `${'a'.repeat(4000)}\n${'b'.repeat(4000)}`
    await world.send(text)
    expect(world.api.texts.join('')).to.equal(text)
    expect(world.api.texts).to.have.length(2)
  })

  it('is final where the bot may not speak', async () => {
    world = await World.start()
    await world.online()
    world.api.on('sendMessage', () => ({ status: 403, description: 'Forbidden: bot was blocked by the user' }))
    expect((await failure(world.send('hello'))).message).to.include('blocked by the user')
    expect(world.api.called('sendMessage')).to.have.length(1)
  })

  it('in the middle of a message leaves it unknown, since a part has arrived', async () => {
    world = await World.start()
    await world.online()
    let count = 0
    world.api.on('sendMessage', () =>
      ++count === 2 ? { status: 403, description: 'Forbidden: bot was blocked by the user' } : undefined,
    )
    const error = await failure(world.send(`${'a'.repeat(4000)}\n${'b'.repeat(4000)}`))
    expect(error.message).to.include('Only a part').and.include('blocked by the user')
    expect(world.api.texts).to.have.length(1)
  })

  it('is unknown where its server fails: the message is not sent again', async () => {
    world = await World.start()
    await world.online()
    world.api.on('sendMessage', () => ({ status: 500, description: 'Internal Server Error' }))
    expect((await failure(world.send('hello'))).code).to.equal('upstream_unavailable:unknown')
    expect(world.api.called('sendMessage')).to.have.length(1)
  })

  it('of the token keeps the endpoint offline and says what to check, without the token', async () => {
    world = await World.start(
      { token: '1:wrong' },
      { prepare: (api) => api.on('getMe', () => ({ status: 401, description: 'Unauthorized' })) },
    )
    await until(
      () => world.log.some(({ message }) => message.includes('refuses the token (401 Unauthorized): check `token`')),
      'the reason in the log',
    )
    expect(await world.error()).to.include('refuses the token')
    expect(world.status()).to.not.equal('online')
    expect(JSON.stringify(world.log)).to.not.include('1:wrong')
  })

  it('names another poller as the reason', async () => {
    world = await World.start(
      {},
      {
        prepare: (api) =>
          api.on('getUpdates', () => ({
            status: 409,
            description: 'Conflict: terminated by other getUpdates request',
          })),
      },
    )
    await until(() => world.log.some(({ message }) => message.includes('only one may poll')), 'the reason in the log')
  })

  it('is not provoked by two endpoints with one token', async () => {
    const more = [{ adapter: 'telegram', id: 'twin', token: TOKEN, apiRoot: 'http://127.0.0.1:1' }]
    world = await World.start({}, { more })
    await world.online()
    await until(
      () => world.log.some(({ message }) => message.includes('The endpoint "bot" polls with the same token')),
      'the reason in the log',
    )
    expect(world.status('twin')).to.not.equal('online')
  })

  it('to be reached tells no address, which holds the token', async () => {
    world = await World.start({ apiRoot: 'http://127.0.0.1:1' })
    await until(
      () => world.log.some(({ message }) => message.includes('Telegram cannot be reached (ECONNREFUSED)')),
      'the reason in the log',
    )
    expect(JSON.stringify(world.log)).to.not.include(TOKEN)
  })
})
