import { expect } from 'chai'
import type { MessageRow } from '@mynah/contract/types'
import type { BaseContext, Reader } from '@mynah/kernel'
import { rpcMethods, type BoundMethod } from '@mynah/plugin-console-rpc/api'
import { beforeSendMessage, SendError } from '../api.js'
import { eachTest, until, type Platform, type PlatformOptions } from '../test/support.js'

const ann = { type: 'private' as const, id: 'ann' }
const at = { adapter: 'test', endpointId: 'one' }

describe('Resender', () => {
  const platforms = eachTest()
  let methods: Reader<BoundMethod>
  let context: BaseContext<unknown>
  let bot: Platform

  async function start(options: PlatformOptions): Promise<void> {
    bot = await platforms.start({
      ...options,
      setup: (ctx) => {
        context = ctx
        methods = ctx.read(rpcMethods)
        options.setup?.(ctx)
      },
    })
  }
  const call = async (type: string, params: object): Promise<never> => {
    const principal = { name: 'console', scope: 'full' }
    return methods.get(type)?.value.handler({ ...at, ...params }, { principal, log: context.log } as never) as never
  }
  const unsent = async (): Promise<readonly MessageRow[]> =>
    (await (call('endpoint:unsentMessages', {}) as Promise<{ messages: MessageRow[] }>)).messages
  const resend = (id: string, more: object = {}): Promise<{ messageId: string }> =>
    call('endpoint:resendMessage', { id, ...more })
  const codeOf = (sending: Promise<unknown>): Promise<unknown> =>
    sending.then(
      () => 'sent',
      (error: { code?: string }) => error.code,
    )
  /** Sends a message that does not arrive. */
  const lose = async (text: string): Promise<MessageRow> => {
    await codeOf(bot.chat.send('test', 'one', ann, text))
    const row = (await unsent())[0]
    expect(row?.text).to.equal(text)
    return row as MessageRow
  }

  it('sends a message that failed as a new one, in its conversation, and leaves the old row', async () => {
    let works = false
    await start({
      send: async () => {
        if (!works) throw new SendError('refused', 'the bot was muted')
        return { messageId: 'p1' }
      },
    })
    const row = await lose('hello')
    expect(row).to.include({ state: 'failed', error: 'the bot was muted' })
    works = true
    expect(await resend(row.id)).to.deep.equal({ messageId: 'p1' })
    expect(bot.sent.map(({ target, message }) => [target, message.text])).to.deep.equal([[ann, 'hello']])
    expect(await unsent()).to.deep.equal([])
    const stored = await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 5 })
    expect(stored.map(({ state, messageId }) => [state, messageId])).to.deep.equal([
      ['failed', ''],
      ['sent', 'p1'],
    ])
    expect(bot.log.map(({ message }) => message)).to.include('sent a message again for console')
  })

  it('sends it once, however often and fast it is asked', async () => {
    let works = false
    await start({
      send: async () => {
        if (!works) throw new SendError('refused', 'the bot was muted')
      },
    })
    const row = await lose('hello')
    works = true
    await Promise.all([resend(row.id), resend(row.id)])
    await resend(row.id)
    expect(bot.texts).to.deep.equal(['hello'])
  })

  it('lists the new row with its reason where it fails again, which can be sent again', async () => {
    let reason: string | undefined = 'first'
    await start({
      send: async () => {
        if (reason !== undefined) throw new SendError('refused', reason)
      },
    })
    const row = await lose('hello')
    reason = 'second'
    expect(await codeOf(resend(row.id))).to.equal('invalid_request')
    const [next, ...others] = await unsent()
    expect([next?.error, others]).to.deep.equal(['second', []])
    reason = undefined
    await resend((next as MessageRow).id)
    expect(await unsent()).to.deep.equal([])
  })

  it('sends a message that may have arrived only if the caller says so', async () => {
    let works = false
    await start({
      send: async () => {
        if (!works) throw new Error('socket hang up')
      },
    })
    const row = await lose('hello')
    expect(row.state).to.equal('unknown')
    works = true
    expect(await codeOf(resend(row.id))).to.equal('conflict')
    expect(bot.texts).to.deep.equal([])
    await resend(row.id, { mayHaveArrived: true })
    expect(bot.texts).to.deep.equal(['hello'])
  })

  it('passes the listeners of before.sendMessage, as every message does', async () => {
    let works = false
    await start({
      send: async () => {
        if (!works) throw new SendError('refused', 'the bot was muted')
      },
      setup: (ctx) => void ctx.on(beforeSendMessage, (outgoing, next) => (works ? undefined : next(outgoing))),
    })
    const row = await lose('hello')
    works = true
    expect(await resend(row.id)).to.deep.equal({ messageId: '' })
    expect(bot.texts).to.deep.equal([])
    expect((await unsent()).map(({ id }) => id)).to.deep.equal([row.id])
  })

  it('refuses what is not there, was sent, or belongs to another endpoint', async () => {
    await start({
      config: {
        endpoints: [
          { adapter: 'test', id: 'one' },
          { adapter: 'test', id: 'two' },
        ],
      },
      send: async (_target, { text }) => {
        if (text === 'bad') throw new SendError('refused', 'no')
      },
    })
    await until(() => bot.chat.online() === 2, 'both endpoints are online')
    await bot.chat.send('test', 'one', ann, 'good')
    const [good] = await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 1 })
    expect(await codeOf(resend((good as MessageRow).id))).to.equal('conflict')
    expect(await codeOf(resend('none'))).to.equal('not_found')
    const bad = await lose('bad')
    expect(await codeOf(resend(bad.id, { endpointId: 'two' }))).to.equal('not_found')
    expect(await codeOf(resend(bad.id, { endpointId: 'three' }))).to.equal('not_found')
  })

  it('waits for no endpoint that is offline', async () => {
    await start({
      send: async () => {
        throw new SendError('refused', 'no')
      },
    })
    const row = await lose('hello')
    bot.accounts.get('one')?.lost('gone')
    await until(() => bot.chat.online() === 0, 'the endpoint is offline')
    expect(await codeOf(resend(row.id))).to.equal('not_ready')
    expect((await unsent()).map(({ id }) => id)).to.deep.equal([row.id])
  })
})
