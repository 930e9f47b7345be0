import { expect } from 'chai'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { definePlugin, type Host, type LogRecord } from '@mynah/kernel'
import { startHost } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import { Chat, middlewares } from '@mynah/plugin-chat/api'
import { SeededRandom, SkippingClock, mutate, randomBytes, randomJson } from '@mynah/plugin-chat/testing'
import telegram from '../index.js'
import { TOKEN } from './bot-api.js'
import { failure, until } from './telegram-host.js'

/** Hours of the bot's time; `npm run test:faults` takes more of them. */
const HOURS = Number(process.env.MYNAH_NONSENSE_HOURS ?? 3)
const ME = { id: 99, is_bot: true, first_name: 'Mynah', username: 'mynah_bot' }
const user = { id: 7, is_bot: false, first_name: 'Ada', language_code: 'en' }
const chatOf = { id: -1001, type: 'supergroup', title: 'Town' }
const message = {
  message_id: 5,
  date: 1_767_225_600,
  chat: chatOf,
  from: user,
  text: 'hello @mynah_bot',
  entities: [{ type: 'mention', offset: 6, length: 10 }],
}

/** One of each kind of update. */
const UPDATES: readonly Record<string, unknown>[] = [
  { message },
  {
    message: {
      ...message,
      text: undefined,
      photo: [{ file_id: 'a', file_unique_id: 'b', width: 1, height: 1 }],
      caption: 'look',
      caption_entities: [{ type: 'bold', offset: 0, length: 4 }],
      reply_to_message: message,
    },
  },
  {
    message: {
      ...message,
      text: undefined,
      new_chat_members: [user],
      poll: { id: '1', question: 'q', options: [{ text: 'a' }] },
    },
  },
  { edited_message: { ...message, edit_date: 1_767_225_601 } },
  { callback_query: { id: '1', from: user, message, data: '/help' } },
  { chat_join_request: { chat: chatOf, from: user, date: 1_767_225_600, bio: 'hi' } },
  {
    my_chat_member: {
      chat: chatOf,
      from: user,
      date: 1_767_225_600,
      old_chat_member: { status: 'left', user },
      new_chat_member: { status: 'member', user },
    },
  },
]

/** Returns the update as one of its own, its message another than those before. */
function numbered(id: number, update: Record<string, unknown>): Record<string, unknown> {
  return {
    update_id: id,
    ...update,
    ...(update.message ? { message: { ...(update.message as object), message_id: id } } : {}),
  }
}

/** A Bot API whose answers are made by `answer`: JSON of what it gives, or the bytes themselves. */
class LooseApi {
  readonly #server: Server = createServer((request, response) => void this.#serve(request, response))
  calls = 0
  answer: (method: string) => unknown = () => undefined

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume()
    await once(request, 'end')
    this.calls++
    const method = (request.url ?? '').split('/').at(-1) ?? ''
    const answer = this.answer(method)
    if (answer === HANG_UP) response.destroy()
    else
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(Buffer.isBuffer(answer) ? answer : JSON.stringify(answer))
  }

  async stop(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }
}
const HANG_UP = Symbol('hang up')

const sane = (method: string): unknown => ({
  ok: true,
  result: method === 'getMe' ? ME : method !== 'getUpdates' || [],
})

describe('Random answers of the Bot API', () => {
  let api: LooseApi
  let host: Host
  let log: LogRecord[]
  let clock: SkippingClock
  let heard: string[]
  beforeEach(async () => {
    api = new LooseApi()
    const apiRoot = await api.start()
    clock = new SkippingClock()
    heard = []
    api.answer = sane
    const listener = definePlugin({
      name: 'listener',
      setup: (ctx) =>
        void ctx.contribute(middlewares, { name: 'listener', handle: ({ text }) => void heard.push(text) }),
    })
    ;({ host, log } = await startHost(
      [
        { plugin: chat as never, config: { endpoints: [{ adapter: 'telegram', id: 'bot', token: TOKEN, apiRoot }] } },
        telegram as never,
        listener as never,
      ],
      { clock },
    ))
    await until(() => status() === 'online', 'the endpoint to be online')
  })
  afterEach(async () => {
    await host.stop()
    await api.stop()
  })
  const status = (): string | undefined => host.get(Chat)?.endpoints()[0]?.status

  /** The server is sane again: the bot is online and hears what is said. */
  const recovers = async (id = 2_000_000_000): Promise<void> => {
    let item = false
    api.answer = (method) => {
      if (method !== 'getUpdates' || item) return sane(method)
      item = true
      return {
        ok: true,
        result: [
          {
            update_id: id,
            message: {
              ...message,
              message_id: id,
              chat: { id: 7, type: 'private', first_name: 'Ada' },
              text: 'are you there?',
              entities: [],
            },
          },
        ],
      }
    }
    await until(() => heard.includes('are you there?'), 'the bot to hear again')
    expect(status()).to.equal('online')
  }

  const ANSWERS: readonly (readonly [what: string, answer: unknown])[] = [
    ['null', null],
    ['{}', {}],
    ['a list', []],
    ['text', 'ok'],
    ['no list of updates', { ok: true, result: {} }],
    ['no updates', { ok: true, result: null }],
    ['a refusal without a reason', { ok: false }],
    ['a reason that is no text', { ok: false, error_code: 400, description: { toString: 1 } }],
    ['a code that is none', { ok: false, error_code: { valueOf: 1 } }],
    ['a pause for ever', { ok: false, error_code: 429, parameters: { retry_after: 1e300 } }],
    ['a pause that is none', { ok: false, error_code: 429, parameters: { retry_after: 'soon' } }],
    ['parameters that are none', { ok: false, error_code: 429, parameters: null }],
    ['no JSON', Buffer.from('<html>502</html>')],
    ['nothing', Buffer.alloc(0)],
    ['a hang-up', HANG_UP],
    ['zeros', Buffer.alloc(2_000)],
  ]
  for (const [what, answer] of ANSWERS) {
    it(`do no harm in place of updates: ${what}`, async () => {
      const before = api.calls
      api.answer = (method) => (method === 'getUpdates' ? answer : sane(method))
      await until(() => api.calls > before + 5, 'some questions')
      await recovers()
    })
  }

  for (const [what, updates] of [
    ['null', [null]],
    ['numbers', [1, 2]],
    ['no number', [{ message }]],
    ['a wrong number', [{ update_id: '5', message }, { update_id: -1 }, { update_id: 1e300 }]],
  ] as const) {
    it(`are skipped in place of an update, and not requested again: ${what}`, async () => {
      let asked = 0
      api.answer = (method) => (method === 'getUpdates' ? (asked++, { ok: true, result: updates }) : sane(method))
      await until(() => asked > 12, 'some questions')
      expect(status()).to.equal('online')
      expect(log.filter(({ message: text }) => text.includes('are ignored')).length).to.be.above(0)
      // Each question was put off twice as long as the one before.
      expect(clock.skipped).to.be.above(60_000)
      await recovers()
    })
  }

  it('leave valid updates among them intact', async () => {
    let item = false
    api.answer = (method) => {
      if (method !== 'getUpdates' || item) return sane(method)
      item = true
      const good = (id: number): unknown => ({
        update_id: id,
        message: { ...message, message_id: id, text: `number ${id}`, entities: [] },
      })
      return {
        ok: true,
        result: [
          null,
          good(10),
          { update_id: 11, message: { text: 'no chat' } },
          { update_id: 12, my_chat_member: {}, message },
          'x',
          good(13),
          { update_id: 14, message: { ...message, message_id: 14, text: 'NUL \u0000' } },
          { update_id: 15, message: { ...message, message_id: 15, text: 'number \\u0000' } },
        ],
      }
    }
    await until(() => heard.length >= 3, 'three messages')
    expect(heard).to.deep.equal(['number 10', 'number 13', 'number \\u0000'])
  })

  it('keep a send successful, and fail other calls with a plain error', async () => {
    for (const result of [null, {}, 'x', { message_id: 'x', chat: null }, { message_id: 1, chat: { id: {} } }]) {
      api.answer = (method) => (method === 'sendMessage' ? { ok: true, result } : sane(method))
      const { messageId } = await (host.get(Chat) as Chat).send(
        'telegram',
        'bot',
        { type: 'private', id: '7' },
        'hello',
      )
      expect(messageId).to.be.a('string').and.not.equal('')
    }
    for (const answer of [null, {}, { ok: false, error_code: 'x', description: { toString: 1 } }, Buffer.from('{')]) {
      api.answer = (method) => (method === 'sendMessage' ? answer : sane(method))
      const error = await failure(
        (host.get(Chat) as Chat).send('telegram', 'bot', { type: 'private', id: '7' }, 'hello'),
      )
      expect(error.name).to.equal('WireError')
    }
  })

  it('leave the host working for hours', async function () {
    this.timeout(HOURS * 30_000)
    const chance = new SeededRandom(20_261_121)
    let updateId = 100
    const random = (method: string): unknown => {
      switch (chance.below(8)) {
        case 0:
          return randomJson(chance)
        case 1:
          return randomBytes(chance, chance.below(200))
        case 2:
          return {
            ok: chance.pick([true, false, 'yes']),
            result: randomJson(chance),
            error_code: randomJson(chance, 1),
            description: randomJson(chance, 1),
            parameters: randomJson(chance, 1),
          }
        case 3:
          return chance.below(4) === 0 ? HANG_UP : { ok: true, result: [randomJson(chance), randomJson(chance)] }
        case 4:
          return {
            ok: false,
            error_code: chance.pick([400, 401, 403, 404, 409, 429, 500]),
            description: 'x',
            parameters: { retry_after: chance.pick([1, 0, -1, 1e9]) },
          }
        default:
          return method === 'getUpdates'
            ? {
                ok: true,
                result: Array.from({ length: chance.below(5) }, () =>
                  mutate(chance, numbered(updateId++, chance.pick(UPDATES))),
                ),
              }
            : sane(method)
      }
    }
    const before = api.calls
    api.answer = random
    await until(
      () => clock.skipped > HOURS * 3_600_000 && api.calls > before + 5_000,
      'hours of nonsense',
      HOURS * 25_000,
    )
    expect(clock.skipped).to.be.above(HOURS * 3_600_000)
    await recovers(Number.MAX_SAFE_INTEGER - 10)
    expect(heard.length).to.be.above(10)
    expect(
      host
        .inspect()
        .filter(({ state }) => state !== 'active')
        .map(({ name, error }) => [name, error?.message]),
    ).to.deep.equal([])
  })
})
