import { expect } from 'chai'
import { isModelError } from '../api/errors.js'
import { FAMILIES, type FamilyName, type ProviderConfig } from '../config.js'
import { answerOf, chunk, PlayedServer, refused, serviceOf } from '../test/support.js'

/** Of no form that a key is known by. */
const KEY = 'tok3n.Zx81-"abcdef"/4471'
const PART = 'Zx81'
const WHO = { provider: 'it', model: 'm' }

describe('scrub: a key that a provider echoes', () => {
  let server: PlayedServer
  beforeEach(async () => void (server = await PlayedServer.start()))
  afterEach(() => server.stop())
  const start = (sdk: FamilyName, more: ProviderConfig = {}) =>
    serviceOf({
      it: { sdk, apiKey: KEY, ...(sdk === 'ollama' ? { host: server.origin } : { baseUrl: server.url }), ...more },
    })
  const shown = async (service: ReturnType<typeof serviceOf>, work: Promise<unknown>) => {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (!isModelError(error)) throw new Error(`no model error but ${String(error)}`)
    return [
      error.message,
      ...[error, service.log.lines, service.models.list()].map((each) => JSON.stringify(each)),
    ].join(' ')
  }

  for (const sdk of FAMILIES) {
    it(`is shown by no failure of ${sdk}`, async () => {
      for (const status of [400, 404, 405, 422, 429, 500]) {
        const service = start(sdk, { models: ['m'] })
        server.play((response, asked) =>
          refused(response, status, {
            message: `what came was ${JSON.stringify(asked.headers)} ${KEY} ${encodeURIComponent(KEY)}`,
          }),
        )
        expect(await shown(service, answerOf(service.models, 'hi', WHO)), String(status)).not.to.contain(PART)
      }
    })
  }

  it('is not shown in part either, where a text is cut', async () => {
    for (const before of [280, 290, 1_190]) {
      const service = start('openai-compatible', { models: ['m'] })
      server.play((response) => refused(response, 500, { message: `${'x '.repeat(before / 2)}${KEY}` }))
      expect(await shown(service, answerOf(service.models, 'hi', WHO)), String(before)).not.to.contain('tok3n')
    }
  })

  it('is shown by no failure within a successful answer', async () => {
    const failure = JSON.stringify({ error: { message: `unexpected ${KEY}`, code: 'server_error' } })
    for (const [type, body] of [
      ['text/event-stream', `data: ${failure}\n\n`],
      ['application/json', failure],
      ['text/event-stream', `${chunk({ reasoning_content: 'hm' })}data: ${failure}\n\n`],
    ] as const) {
      const service = start('openai-compatible', { models: ['m'] })
      server.play((response) => void response.writeHead(200, { 'content-type': type }).end(body))
      expect(await shown(service, answerOf(service.models, 'hi', WHO)), body).not.to.contain(PART)
    }
  })

  it('is shown by no failure to list models, to draw or to speak', async () => {
    server.play((response) => refused(response, 500, { message: `unexpected ${KEY}` }))
    const service = start('openai')
    await service.models.refresh()
    for (const work of [
      () => service.models.image({ provider: 'it', prompt: 'a cat' }),
      () => service.models.speech({ text: 'hello' }),
      () => service.models.transcribe({ data: new Uint8Array([1]), mediaType: 'audio/wav' }),
    ]) {
      expect(await shown(service, work())).not.to.contain(PART)
    }
    const account = start('openai-compatible', { accountId: 'a', models: ['m'] })
    expect(await shown(account, account.models.image({ provider: 'it', prompt: 'a cat' }))).not.to.contain(PART)
  })
})
