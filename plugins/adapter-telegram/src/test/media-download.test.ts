import { once } from 'node:events'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import type { Answer, BotApi } from './bot-api.js'
import { TOKEN } from './bot-api.js'
import { bot } from './single-bot.js'
import { failure, TelegramHost } from './telegram-host.js'

const never = new AbortController().signal
const photo = { type: 'image', data: { fileId: 'f' } }
const at = (path: string, more: object = {}): Answer => ({ result: { file_id: 'f', file_path: path, ...more } })

function gives(api: BotApi, file: Answer, bytes: Answer = { result: Buffer.from('the bytes') }): void {
  api.on('getFile', () => file)
  api.on('file', () => bytes)
}

describe('Download of a file', () => {
  const { api, account } = bot()
  const fetch = (data: Record<string, unknown> = photo.data, maxBytes = 100, signal = never): Promise<Uint8Array> =>
    account().fetchMedia({ type: 'image', data }, { maxBytes, signal })

  it('fetches a file by its id', async () => {
    gives(api(), at('photos/file_1.jpg', { file_size: 9 }))
    expect(Buffer.from(await fetch()).toString()).to.equal('the bytes')
    expect(api().called('getFile').at(-1)?.payload).to.deep.equal({ file_id: 'f' })
  })

  it('refuses a file that is too large, by its declared or real size', async () => {
    gives(api(), at('a', { file_size: 101 }))
    const before = api().called('file').length
    expect((await failure(fetch())).code).to.equal('too_large')
    expect(api().called('file')).to.have.length(before)
    gives(api(), at('a', { file_size: 1 }), { result: Buffer.alloc(101) })
    expect((await failure(fetch())).code).to.equal('too_large')
    gives(api(), { status: 400, description: 'Bad Request: file is too big' })
    expect((await failure(fetch())).message).to.include('too big')
  })

  it('requests no address outside of the own path', async () => {
    const before = api().called('file').length
    for (const path of ['../../getMe', '/etc/passwd', 'https://elsewhere.example/x', 'a?b', 'a b', '', 7, null]) {
      gives(api(), { result: { file_id: 'f', file_path: path } })
      expect((await failure(fetch())).code, String(path)).to.equal('upstream_unavailable')
    }
    for (const fileId of [undefined, '', 7, {}, 'x'.repeat(2_000)])
      expect((await failure(fetch({ fileId }))).code).to.equal('not_found')
    expect(api().called('file')).to.have.length(before)
  })

  it('fails without revealing the token', async () => {
    for (const [file, bytes] of [
      [at('a'), { status: 404 }],
      [{ status: 429, parameters: { retry_after: 3 } }, undefined],
      [{ status: 500 }, undefined],
    ] as [Answer, Answer | undefined][]) {
      gives(api(), file, bytes)
      const error = await failure(fetch())
      expect(error.code).to.be.oneOf(['upstream_unavailable', 'rate_limited'])
      expect(`${error.message} ${String(error.cause)}`).to.not.include(TOKEN)
    }
  })

  it('stops when the caller aborts', async () => {
    const caller = new AbortController()
    const asked = new Promise<void>((resolve) =>
      api().on('file', async () => {
        resolve()
        await once(caller.signal, 'abort')
        return { result: Buffer.from('late') }
      }),
    )
    api().on('getFile', () => at('a'))
    const waiting = failure(fetch(photo.data, 100, caller.signal))
    await asked
    caller.abort(new Error('the caller left'))
    expect((await waiting).message).to.not.include(TOKEN)
  })
})

describe('Chat.fetchMedia', () => {
  let telegramHost: TelegramHost
  before(async () => {
    telegramHost = await TelegramHost.start()
    await telegramHost.online()
  })
  after(() => telegramHost.stop())

  it('fetches a received photo', async () => {
    gives(telegramHost.api, at('photos/file_1.jpg'))
    telegramHost.api.push({
      message: {
        message_id: 5,
        date: 1,
        chat: { id: 7, type: 'private', first_name: 'Alice' },
        from: { id: 7, is_bot: false, first_name: 'Alice' },
        photo: [{ file_id: 'f', file_unique_id: 'u', width: 9, height: 9 }],
      } as never,
    })
    await until(() => telegramHost.messages.length > 0)
    const [segment] = telegramHost.messages[0]?.segments ?? []
    expect(
      Buffer.from(
        await telegramHost.chat.fetchMedia('telegram', 'bot', segment as never, { maxBytes: 100, signal: never }),
      ).toString(),
    ).to.equal('the bytes')
  })
})
