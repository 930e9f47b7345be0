import { LLMock } from '@copilotkit/aimock'
import { expect } from 'chai'
import { TestClock } from '@mynah/kernel/testing'
import { isModelError } from '../api/errors.js'
import type { ImageRequest } from '../api/models.js'
import type { ProviderConfig } from '../config.js'
import { PlayedServer, refused, serviceOf } from '../test/support.js'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const failure = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return isModelError(error) ? error : undefined
}

/** Returns an image in the form of the API that a path belongs to. */
function imageAnswer(path: string): unknown {
  if (path.includes(':predict')) return { predictions: [{ bytesBase64Encoded: PNG }] }
  return path.includes('/ai/run/') ? { result: { image: PNG }, success: true } : { data: [{ b64_json: PNG }] }
}

describe('images and sound over the wire', () => {
  let mock: LLMock
  let origin: string
  before(async () => {
    mock = new LLMock({ port: 0, host: '127.0.0.1' } as never)
    origin = await mock.start()
    mock.onImage('a fox', { image: { b64Json: PNG } })
    mock.onSpeech('hello', { audio: Buffer.from('sound').toString('base64') })
    mock.onTranscription({ transcription: { text: 'what was said', language: 'english', duration: 1.5 } })
  })
  after(() => mock.stop())

  it('come from the families that support them', async () => {
    for (const [provider, model] of [
      [{ sdk: 'openai', apiKey: 'k', baseUrl: `${origin}/v1` }, 'gpt-image-1'],
      [{ sdk: 'google', apiKey: 'k', baseUrl: `${origin}/v1beta` }, 'imagen-4.0-generate-001'],
      [{ sdk: 'openai-compatible', apiKey: 'k', baseUrl: `${origin}/v1` }, 'dall-e-3'],
    ] as const) {
      const { models, used } = serviceOf({ it: { ...provider, models: ['m'] } })
      const result = await models.image({ provider: 'it', prompt: 'a fox', session: 's', origin: { user: 'ann' } })
      expect(
        result.images.map(({ mediaType, data }) => [mediaType, Buffer.from(data).toString('base64')]),
      ).to.deep.equal([['image/png', PNG]])
      expect(result.model).to.equal(model)
      expect(used[0]).to.deep.include({ kind: 'image', provider: 'it', model, session: 's', origin: { user: 'ann' } })
    }
  })

  it('are synthesized and transcribed with openai', async () => {
    const { models, used } = serviceOf({
      none: { sdk: 'anthropic', models: ['m'] },
      it: { sdk: 'openai', apiKey: 'k', baseUrl: `${origin}/v1`, models: ['m'] },
    })
    const spoken = await models.speech({ text: 'hello', voice: 'alloy' })
    expect([Buffer.from(spoken.data).toString(), spoken.mediaType, spoken.provider]).to.deep.equal([
      'sound',
      'audio/mpeg',
      'it',
    ])
    const heard = await models.transcribe({ data: new Uint8Array([1, 2, 3]), mediaType: 'audio/wav' })
    expect(heard).to.deep.include({ text: 'what was said', provider: 'it', model: 'gpt-4o-mini-transcribe' })
    expect(used.map(({ kind }) => kind)).to.deep.equal(['speech', 'transcription'])
  })

  it('name the families without support', async () => {
    const { models } = serviceOf({
      anthropic: { sdk: 'anthropic', models: ['m'] },
      deepseek: { sdk: 'deepseek', models: ['m'] },
      ollama: { sdk: 'ollama', models: ['m'] },
    })
    for (const provider of ['anthropic', 'deepseek', 'ollama']) {
      const error = await failure(models.image({ provider, prompt: 'a fox', model: 'x' }))
      expect([error?.class, error?.provider]).to.deep.equal(['unsupported', provider])
    }
    expect((await failure(models.speech({ text: 'x' })))?.class).to.equal('unsupported')
    expect(
      (await failure(models.transcribe({ data: new Uint8Array(), mediaType: 'audio/wav', provider: 'ollama' })))
        ?.message,
    ).to.equal('ollama cannot write down what is said')
    expect((await failure(models.image({ provider: 'anthropi', prompt: 'x' })))?.message).to.contain(
      'did you mean "anthropic"',
    )
  })

  it('fail with the reason of an unexpected answer', async () => {
    const json = { 'content-type': 'application/json' }
    const server = await PlayedServer.start()
    const { models } = serviceOf({
      openai: { sdk: 'openai', apiKey: 'k', baseUrl: server.url, models: ['m'] },
      google: { sdk: 'google', apiKey: 'k', baseUrl: server.url, models: ['m'] },
      relay: { sdk: 'openai-compatible', baseUrl: server.url, models: ['m'] },
      account: { sdk: 'openai-compatible', accountId: 'a', baseUrl: server.url, models: ['m'] },
    })
    const all = (): Promise<unknown>[] => [
      ...['openai', 'google', 'relay', 'account'].map((provider) => models.image({ provider, prompt: 'a fox' })),
      models.speech({ text: 'x' }),
      models.transcribe({ data: new Uint8Array([1]), mediaType: 'audio/wav' }),
    ]
    const classes = async (...works: Promise<unknown>[]) =>
      Promise.all(works.map(async (work) => (await failure(work))?.class))
    server.play(
      (response) =>
        void response
          .writeHead(200, json)
          .end(JSON.stringify({ error: { message: 'no', code: 'insufficient_quota' } }, null, 2)),
    )
    expect(await classes(...all())).to.deep.equal(Array(6).fill('billing'))
    server.play((response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>'))
    const [first] = all()
    expect((await failure(first as Promise<unknown>))?.message).to.match(/^openai:gpt-image-1 answers with a web page/)
    server.play(
      (response) =>
        void response.writeHead(200, json).end(
          JSON.stringify({
            data: Array(5_000).fill({ b64_json: 'bm90IGEgcGljdHVyZQ==' }),
            predictions: [{ bytesBase64Encoded: 'bm90IGEgcGljdHVyZQ==' }],
          }),
        ),
    )
    expect(await classes(...all())).to.deep.equal(Array(6).fill('server'))
    server.play(
      (response) =>
        void response
          .writeHead(200, json)
          .end(JSON.stringify({ error: null, data: Array(50).fill({ b64_json: PNG }) })),
    )
    expect((await models.image({ provider: 'relay', prompt: 'a fox' })).images).to.have.length(10)
    await server.stop()
  })

  describe('options', () => {
    let server: PlayedServer
    beforeEach(async () => {
      server = await PlayedServer.start(
        (response, { path }) =>
          void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(imageAnswer(path))),
      )
    })
    afterEach(() => server.stop())
    const make = async (
      config: Partial<ProviderConfig>,
      request: Partial<ImageRequest> = {},
      watermarkEnabled?: boolean,
    ) => {
      const { models } = serviceOf(
        { it: { sdk: 'openai-compatible', apiKey: 'the-key', baseUrl: server.url, models: ['m'], ...config } },
        watermarkEnabled === undefined ? {} : { config: { imageGeneration: { watermarkEnabled } } },
      )
      const result = await models.image({ provider: 'it', prompt: 'a fox', ...request })
      return { result, asked: server.asked.at(-1) }
    }

    it('are filled in by the configuration and overridden by the request', async () => {
      const imageGeneration = {
        defaultModel: 'seedream',
        defaultSize: '512x512',
        promptSuffix: 'in ink',
        quality: 'hd',
      }
      expect((await make({ imageGeneration })).asked?.body).to.deep.include({
        model: 'seedream',
        size: '512x512',
        prompt: 'a fox in ink',
        quality: 'hd',
      })
      expect(
        (await make({ imageGeneration }, { model: 'other', size: '256x256', quality: 'low' })).asked?.body,
      ).to.deep.include({ model: 'other', size: '256x256', quality: 'low' })
    })

    it('request a watermark only if configured', async () => {
      expect((await make({})).asked?.body).not.to.have.property('watermark')
      expect((await make({}, {}, true)).asked?.body).not.to.have.property('watermark')
      expect((await make({}, {}, false)).asked?.body.watermark).to.equal(false)
      expect((await make({}, { watermarkEnabled: true }, false)).asked?.body.watermark).to.equal(true)
    })

    it('use the terms of the family, and are reported if it has none', async () => {
      const google = await make(
        { sdk: 'google', baseUrl: `${server.origin}/v1beta` },
        { size: '1920x1080', quality: 'hd' },
      )
      expect(google.asked?.body.parameters).to.deep.include({ aspectRatio: '16:9' })
      expect(google.result.warnings).to.deep.equal(['quality is not known to this family'])
      expect((await make({ sdk: 'openai' }, { aspectRatio: '2:3' })).asked?.body).to.deep.include({ size: '1024x1536' })
      expect((await make({ sdk: 'openai' }, { imageSize: '2K' })).result.warnings).to.have.length(1)
      for (const request of [{ size: 'huge' }, { aspectRatio: 'wide' }])
        expect((await failure(make({}, request)))?.class).to.equal('format')
    })

    it('use the configured route of an account', async () => {
      const { asked, result } = await make({
        accountId: 'acc 1',
        baseUrl: `${server.origin}/client/v4/accounts/acc%201/ai/v1`,
      })
      expect([asked?.path, asked?.headers.authorization]).to.deep.equal([
        '/client/v4/accounts/acc%201/ai/run/@cf/black-forest-labs/flux-1-schnell',
        'Bearer the-key',
      ])
      expect(asked?.body).to.deep.equal({ prompt: 'a fox' })
      expect(result.images[0]?.mediaType).to.equal('image/png')
      server.play(
        (response) =>
          void response.writeHead(200, { 'content-type': 'image/jpeg' }).end(Buffer.from([0xff, 0xd8, 0xff, 0xe0])),
      )
      expect((await make({ accountId: 'a' })).result.images[0]?.mediaType).to.equal('image/jpeg')
      server.play(
        (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"result": {}}'),
      )
      expect((await failure(make({ accountId: 'a' })))?.message).to.contain('holds no picture')
      server.play((response) => refused(response, 429, { message: 'slow' }))
      expect((await failure(make({ accountId: 'a' })))?.class).to.equal('rate-limit')
    })

    it('stop at the deadline and with the caller', async () => {
      const clock = new TestClock()
      let reached = () => {}
      let there = new Promise<void>((resolve) => (reached = resolve))
      server.play(() => reached())
      const { models } = serviceOf({ it: { sdk: 'openai-compatible', baseUrl: server.url, models: ['m'] } }, { clock })
      const late = failure(models.image({ provider: 'it', prompt: 'x' }, { timeout: 5_000 }))
      await there
      await clock.advance(5_000)
      expect((await late)?.class).to.equal('timeout')
      there = new Promise((resolve) => (reached = resolve))
      const abort = new AbortController()
      const stopped = failure(models.image({ provider: 'it', prompt: 'x' }, { signal: abort.signal }))
      await there
      abort.abort()
      expect((await stopped)?.class).to.equal('aborted')
      expect(clock.pending).to.equal(0)
    })

    it('load a picture from an address through the service Web', async () => {
      const other = await PlayedServer.start(
        (response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from(PNG, 'base64')),
      )
      server.play(
        (response) =>
          void response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ data: [{ url: `${other.origin}/x.png` }] })),
      )
      expect(await failure(make({}))).not.to.equal(undefined)
      expect(other.asked).to.have.length(0)
      await other.stop()
    })
  })
})
