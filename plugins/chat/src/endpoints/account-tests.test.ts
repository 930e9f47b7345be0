import { expect } from 'chai'
import { WireError } from '@mynah/contract'
import type { EndpointTest } from '@mynah/contract/types'
import { Type } from '@mynah/contract/type'
import type { Adapter } from '../api/adapter.js'
import { eachTest, until, type Platform, type PlatformOptions } from '../test/support.js'
import { AccountTests } from './account-tests.js'

const noConfiguration = { current: undefined, declared: false, onChange: () => () => {} } as never
const schema = Type.Object({
  host: Type.String({ minLength: 1 }),
  password: Type.Optional(Type.String({ secret: true })),
  login: Type.Optional(Type.Object({ key: Type.String({ secret: true }) })),
})
const ACCOUNT = { adapter: 'test', id: 'one', host: 'irc.example' }

describe('AccountTests', () => {
  const platforms = eachTest()
  let tests: AccountTests

  const start = (options: PlatformOptions = {}): Promise<Platform> =>
    platforms.start({
      ...options,
      setup: (ctx) => {
        tests = new AccountTests(ctx, noConfiguration, () => '/')
      },
    })
  const withProbe = (probe: NonNullable<Adapter['probe']>): Promise<Platform> =>
    start({ adapter: { schema, probe } as Partial<Adapter>, config: { endpoints: [] }, connect: async () => {} })
  const failure = (work: Promise<unknown>): Promise<WireError> =>
    work.then(
      () => expect.fail('did not reject'),
      (error: WireError) => error,
    )

  it('connects a bot of its own and leaves, while the endpoint of the same account stays connected', async () => {
    const bot = await start()
    const result = await tests.run({ adapter: 'test', id: 'one' })
    expect(result).to.include({ ok: true, message: 'It connects as Bot', selfId: 'bot', selfName: 'Bot' })
    const [, visit, left] = bot.lives
    expect(visit).to.match(/^connect test-/)
    expect(left).to.equal(visit?.replace('connect', 'disconnect'))
    expect(bot.lives).to.have.length(3)
    expect(bot.chat.endpoints().map(({ name, status }) => `${name} ${status}`)).to.deep.equal(['one online'])
  })

  it('says where commands would never reach the bot', async () => {
    await start({ adapter: { reservedPrefix: '/', platform: 'Chess' } })
    expect((await tests.run({ adapter: 'test', id: 'one' })).message).to.equal(
      'It connects as Bot. Programs for Chess keep messages that begin with /: set commands.prefix to another ' +
        'character, such as !',
    )
  })

  it('takes no message that comes during the test', async () => {
    const refused: unknown[] = []
    const bot = await start({
      connect: async (endpoint) => {
        if (!endpoint.id.startsWith('test-')) return
        const message = {
          id: 'm',
          channel: { type: 'private', id: 'a' },
          sender: { id: 'a' },
          content: 'hello',
        } as const
        await endpoint.receive(message).catch((error: unknown) => refused.push(error))
      },
    })
    await until(() => bot.chat.online() === 1)
    expect((await tests.run({ adapter: 'test', id: 'two' })).ok).to.equal(true)
    expect(refused).to.have.length(1)
    expect(bot.chat.traces({ limit: 5 })).to.have.length(0)
  })

  it('names what is missing without asking the platform', async () => {
    let asked = 0
    await withProbe(async () => void asked++)
    const { ms: _, ...result } = await tests.run({ adapter: 'test', id: 'one', hosst: 'x' })
    expect(result).to.deep.equal({
      ok: false,
      message: 'host is required',
      details: [
        { path: 'host', message: 'is required' },
        { path: 'hosst', message: 'is not known here; did you mean "host"?' },
      ],
    })
    expect(asked).to.equal(0)
  })

  it('repeats the words of the platform without the secrets of the account', async () => {
    await withProbe(async ({ config }) => {
      const { password, login } = config as unknown as { password: string; login: { key: string } }
      throw new Error(`Bad login ${password} at https://x/?k=${encodeURIComponent(login.key)}`)
    })
    const result = await tests.run({ ...ACCOUNT, password: 'sesame-open', login: { key: 'a b/c d' } })
    expect(result).to.include({ ok: false, message: 'Bad login •••• at https://x/?k=••••' })
    expect(JSON.stringify(result)).not.to.contain('sesame')
  })

  it('ends after 20 s where the platform is silent, and aborts the attempt', async () => {
    let aborted = false
    const bot = await withProbe(({ signal }) => {
      signal.addEventListener('abort', () => (aborted = true))
      return new Promise(() => {})
    })
    const running = tests.run(ACCOUNT)
    await bot.clock.advance(20_000)
    expect(await running).to.deep.include({ ok: false, message: 'It did not answer within 20 s', ms: 20_000 })
    expect(aborted).to.equal(true)
  })

  it('ends where a bot can neither connect nor disconnect', async () => {
    const never = (): Promise<never> => new Promise(() => {})
    const bot = await start({
      bot: { connect: never, disconnect: never },
      connect: async () => {},
      config: { endpoints: [] },
    })
    let result: EndpointTest | undefined
    void tests.run({ adapter: 'test', id: 'two' }).then((ended) => (result = ended))
    for (let second = 0; second < 30 && !result; second++) await bot.clock.advance(1_000)
    await until(() => result !== undefined)
    expect(result).to.include({ ok: false, message: 'It did not answer within 20 s' })
  })

  it('fails where the connection is lost before the account is ready', async () => {
    await start({
      connect: async (endpoint) => {
        endpoint.lost(new Error('kicked'))
        await new Promise(() => {})
      },
      config: { endpoints: [] },
    })
    expect(await tests.run({ adapter: 'test', id: 'two' })).to.include({ ok: false, message: 'kicked' })
  })

  it('says what an account lacks, without its secrets', async () => {
    await withProbe(async () => ({
      name: 'Bot',
      missing: ['Turn on the intent MESSAGE CONTENT', 'not for sesame-open'],
    }))
    const { missing, ok } = await tests.run({ ...ACCOUNT, password: 'sesame-open' })
    expect([ok, missing]).to.deep.equal([true, ['Turn on the intent MESSAGE CONTENT', 'not for ••••']])
    await withProbe(async () => ({ name: 'Bot', missing: [] }))
    expect(await tests.run(ACCOUNT)).to.not.have.property('missing')
  })

  it('refuses a third test while two run', async () => {
    const bot = await withProbe(() => new Promise(() => {}))
    const running = [tests.run(ACCOUNT), tests.run(ACCOUNT)]
    expect(await failure(tests.run(ACCOUNT))).to.include({ code: 'rate_limited', retryAfter: 20 })
    await bot.clock.advance(20_000)
    await Promise.all(running)
    const after = tests.run(ACCOUNT)
    await bot.clock.advance(20_000)
    expect((await after).ok).to.equal(false)
  })

  it('names the package of an adapter that no enabled plugin provides', async () => {
    await start()
    const { code, message } = await failure(tests.run({ adapter: 'telegram', id: 'x' }))
    expect(code).to.equal('not_found')
    expect(message).to.equal(
      'No enabled plugin provides the adapter "telegram"; ' +
        'add adapter-telegram to plugins, after: npm install @mynah/plugin-adapter-telegram',
    )
    expect((await failure(tests.run({ adapter: 'of-mars', id: 'x' }))).message).to.contain('add the plugin that does')
    expect((await failure(tests.run({ adapter: 'tset', id: 'x' }))).message).to.contain('did you mean "test"?')
  })

  it('refuses a masked secret where none is stored', async () => {
    await withProbe(async () => {})
    expect((await failure(tests.run({ ...ACCOUNT, password: '••••' }))).message).to.equal(
      'password is masked, but no secret is stored there',
    )
  })
})
