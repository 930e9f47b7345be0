import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { endpointChanged, SendError } from '../api.js'
import { eachTest, until } from '../test/support.js'

const endpoint = (id: string, more: Record<string, unknown> = {}) => ({ adapter: 'test', id, ...more })

describe('Endpoints', () => {
  const platforms = eachTest()

  for (const downtime of [100, 2_000, 30_000, 170_000]) {
    it(`are back within 1.5 times a downtime of ${downtime} ms and a second`, async () => {
      let down = false
      const bot = await platforms.start({
        connect: async () => {
          if (down) throw new Error('refused')
        },
      })
      await until(() => bot.chat.online() === 1)
      await bot.clock.advance(20_000)
      for (let round = 0; round < 20; round++) {
        down = true
        const gone = bot.clock.now()
        bot.accounts.get('one')?.lost('reset')
        await bot.clock.advance(downtime)
        expect(bot.chat.online()).to.equal(0)
        down = false
        const bound = 1.5 * downtime + 1_000
        while (bot.chat.online() === 0 && bot.clock.now() - gone <= bound) await bot.clock.advance(10)
        expect(bot.clock.now() - gone).to.be.at.most(bound)
        await bot.clock.advance(20_000)
      }
      expect(bot.chat.endpoints()[0]?.status).to.equal('online')
    })
  }

  it('reports the status, the last error and the counters', async () => {
    const statuses: string[] = []
    let fails = true
    const bot = await platforms.start({
      connect: async () => {
        if (fails) throw new Error('bad login')
      },
      setup: (ctx) => {
        ctx.on(endpointChanged, ({ status }) => {
          statuses.push(status)
        })
      },
    })
    await until(() => bot.chat.endpoints()[0]?.status === 'offline')
    const [row] = await bot.chat.list()
    expect(row).to.include({ name: 'one', adapter: 'test', connected: false, status: 'offline', error: 'bad login' })
    fails = false
    await bot.clock.advance(1_000)
    await until(() => bot.chat.online() === 1)
    const info = await bot.chat.info('test', 'one')
    expect(info)
      .to.include({ status: 'online', selfId: 'bot', selfName: 'Bot', lastError: 'bad login' })
      .and.not.to.have.property('error')
    expect(info.stats).to.deep.equal({ received: 0, sent: 0, notSent: 0, lost: 0, errors: 1 })
    await until(() => statuses.includes('online'))
    expect(statuses).to.include.members(['offline', 'pending', 'online'])
  })

  it('reports when the last message was received or sent', async () => {
    const bot = await platforms.start({
      send: async (_target, { text }) => {
        if (text === 'refused') throw new SendError('refused', 'no')
      },
    })
    const lastMessageAt = async (): Promise<number | undefined> => (await bot.chat.info('test', 'one')).lastMessageAt
    const ann = { type: 'private', id: 'ann' } as const
    expect(await bot.chat.info('test', 'one')).not.to.have.property('lastMessageAt')
    await bot.chat.send('test', 'one', ann, 'refused').catch(() => {})
    expect(await bot.chat.info('test', 'one')).not.to.have.property('lastMessageAt')
    await bot.hear('hello')
    const heardAt = bot.clock.now()
    expect(await lastMessageAt()).to.equal(heardAt)
    await bot.clock.advance(5_000)
    expect(await lastMessageAt()).to.equal(heardAt)
    await bot.chat.send('test', 'one', ann, 'hi')
    expect(await lastMessageAt()).to.equal(heardAt + 5_000)
    expect((await bot.chat.info('test', 'one')).stats).not.to.have.property('lastMessageAt')
    expect((await bot.chat.list())[0]).not.to.have.property('lastMessageAt')
  })

  it('is offline since the first failure, and counts one lost connection for it', async () => {
    let fails = false
    const bot = await platforms.start({
      connect: async () => {
        if (fails) throw new Error('no route')
      },
    })
    await until(() => bot.chat.online() === 1)
    fails = true
    const gone = bot.clock.now()
    bot.accounts.get('one')?.lost('hung up')
    for (let tries = 0; tries < 20; tries++) await bot.clock.advance(1_000)
    const info = await bot.chat.info('test', 'one')
    expect(info).to.include({ since: gone, error: 'no route' })
    expect(info.stats).to.include({ notSent: 0, lost: 1 })
    expect(info.stats.errors).to.be.above(5)
    expect(bot.chat.counters).to.include({ lost: 1, errors: 0 })
    fails = false
    await bot.clock.advance(60_000)
    await until(() => bot.chat.online() === 1)
    expect((await bot.chat.info('test', 'one')).since).to.be.above(gone)
  })

  it('keeps the history of an outage short: its reasons, not each attempt', async () => {
    let reason: string | undefined
    const bot = await platforms.start({
      connect: async () => {
        if (reason) throw new Error(reason)
      },
    })
    await until(() => bot.chat.online() === 1)
    reason = 'no route'
    bot.accounts.get('one')?.lost('hung up')
    for (let tries = 0; tries < 20; tries++) await bot.clock.advance(1_000)
    reason = 'bad login'
    for (let tries = 0; tries < 60; tries++) await bot.clock.advance(1_000)
    reason = undefined
    for (let tries = 0; tries < 60; tries++) await bot.clock.advance(1_000)
    await until(() => bot.chat.online() === 1)
    const { changes } = await bot.chat.info('test', 'one')
    expect(changes.map((change) => change.reason ?? change.status).reverse()).to.deep.equal([
      'pending',
      'online',
      'hung up',
      'no route',
      'bad login',
      'online',
    ])
  })

  it('reconnects an endpoint whose adapter stopped listening', async () => {
    const loops: { end(): void; fail(reason: unknown): void }[] = []
    const bot = await platforms.start({
      connect: async (one) => {
        one.during(
          new Promise<void>((resolve, reject) => {
            loops.push({ end: () => resolve(), fail: reject })
          }),
        )
      },
    })
    await until(() => bot.chat.online() === 1)
    loops[0]?.fail(new Error('cannot read null'))
    await until(() => bot.chat.endpoints()[0]?.status === 'offline')
    expect((await bot.chat.info('test', 'one')).error).to.equal('cannot read null')
    await bot.clock.advance(1_000)
    await until(() => bot.chat.online() === 1)
    loops[1]?.end()
    await until(() => bot.chat.endpoints()[0]?.status === 'offline')
    expect((await bot.chat.info('test', 'one')).error).to.contain('stopped listening')
    await bot.clock.advance(1_000)
    await until(() => bot.chat.online() === 1)
    loops[0]?.end()
    loops[1]?.fail('late')
    await bot.clock.advance(1_000)
    expect(bot.chat.online(), 'loops of earlier connections').to.equal(1)
  })

  it('treats a connection without an answer as lost after a minute', async () => {
    const bot = await platforms.start({ connect: () => new Promise(() => {}) })
    await until(() => bot.chat.endpoints()[0]?.status === 'pending')
    await bot.clock.advance(60_000)
    await until(() => bot.chat.endpoints()[0]?.status === 'offline')
    expect((await bot.chat.info('test', 'one')).error).to.contain('60 s')
  })

  it('starts, stops and replaces one endpoint at a time', async () => {
    const bot = await platforms.start({ config: { endpoints: ['a', 'b', 'c'].map((id) => endpoint(id)) } })
    await until(() => bot.chat.online() === 3)
    bot.lives.length = 0
    await bot.host.update('chat', { endpoints: [endpoint('a'), endpoint('b', { master: 'x' }), endpoint('d')] })
    await until(() => bot.chat.online() === 3 && bot.lives.length === 4)
    expect(bot.lives).to.have.members(['disconnect b', 'connect b', 'disconnect c', 'connect d'])
    expect(bot.lives.indexOf('disconnect b')).to.be.below(bot.lives.indexOf('connect b'))
    expect(bot.chat.endpoints().map(({ name }) => name)).to.have.members(['a', 'b', 'd'])
  })

  it('keeps an endpoint offline, with the reason, where the adapter is missing or the configuration is wrong', async () => {
    const bot = await platforms.start({
      adapter: { schema: Type.Object({ port: Type.Integer() }) },
      config: {
        endpoints: [
          endpoint('one', { port: 1 }),
          endpoint('wrong', { port: 'x' }),
          { adapter: 'nowhere', id: 'lost' },
          { adapter: 'tset', id: 'typed' },
          endpoint('off', { port: 1, enabled: false }),
        ],
      },
    })
    const rows = await bot.chat.list()
    expect(rows.find(({ name }) => name === 'wrong')?.error).to.contain('port')
    expect(rows.find(({ name }) => name === 'lost')?.error).to.contain('no adapter named "nowhere"')
    expect(rows.map(({ name }) => name)).not.to.include('off')
    await bot.clock.advance(10_000)
    const lines = bot.log.filter(({ level }) => level === 'warn').map(({ message }) => message)
    expect(lines)
      .to.include(
        'endpoints: no enabled plugin provides the adapter "nowhere" of "lost"; add the plugin that does to plugins',
      )
      .and.to.include('endpoints: no enabled plugin provides the adapter "tset" of "typed"; did you mean "test"?')
    expect(lines.filter((line) => line.includes('provides the adapter'))).to.have.length(2)
  })

  it('rejects two endpoints with the same adapter and id', async () => {
    const bot = await platforms.start({
      config: { endpoints: [endpoint('a'), endpoint('b'), endpoint('a'), endpoint('b', { enabled: false })] },
    })
    const view = bot.host.inspect().find(({ name }) => name === 'chat')
    expect(view?.state).to.equal('failed')
    expect(view?.error?.message)
      .to.contain('endpoints[2].id')
      .and.contain('endpoints[0]')
      .and.not.contain('endpoints[3]')
  })

  it('shows the configuration without secrets', async () => {
    const bot = await platforms.start({
      adapter: {
        schema: Type.Object({
          key: Type.String({ secret: true }),
          keys: Type.Array(Type.String({ secret: true })),
          login: Type.Object({ password: Type.String() }),
          host: Type.String(),
        }),
      },
      config: {
        endpoints: [
          endpoint('one', { key: 'k-123', keys: ['k-456'], login: { password: 'p-789' }, host: 'example.org' }),
        ],
      },
    })
    const { config } = await bot.chat.info('test', 'one')
    expect(config).to.include({ host: 'example.org' })
    expect(JSON.stringify(config)).not.to.match(/k-123|k-456|p-789/)
  })

  it('expects endpoints until they are created, and while they are replaced', async () => {
    let release = (): void => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const bot = await platforms.start({ bot: { disconnect: () => gate } })
    expect(bot.chat.isExpected('test', 'one')).to.equal(false)
    expect(bot.chat.isExpected('test', 'nobody')).to.equal(false)
    await bot.host.update('chat', { endpoints: [{ adapter: 'test', id: 'one', master: 'another' }] })
    expect(bot.chat.isExpected('test', 'one')).to.equal(true)
    release()
    await until(() => !bot.chat.isExpected('test', 'one'))
  })

  it('disconnects all endpoints when the host stops', async () => {
    const bot = await platforms.start()
    await bot.host.stop()
    expect(bot.lives).to.deep.equal(['connect one', 'disconnect one'])
  })
})
