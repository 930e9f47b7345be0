// Models that refuse a picture or a file, by whatever status: the person is answered without it, and no other waits.
import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { DAY_MS, MINUTE_MS } from '@mynah/kernel/util'
import { TestClock } from '@mynah/kernel/testing'
import type { ModelMessage } from '../api/messages.js'
import { partsOf, PlayedServer, serviceOf, streamed, textIn, type Asked, type TestService } from '../test/support.js'

const WHO = { provider: 'it', model: 'm' }
const PICTURE = { type: 'image' as const, mediaType: 'image/png', data: 'aGk=' }
const asks = (...media: readonly object[]): ModelMessage =>
  ({ role: 'user', content: [{ type: 'text', text: 'what is it?' }, ...media] }) as ModelMessage

/** Refusals as servers without vision send them. */
const REFUSALS: readonly (readonly [name: string, status: number, body: unknown])[] = [
  [
    'a relay without such a model',
    404,
    { error: { message: 'No endpoints found that support image input', code: 404 } },
  ],
  ['a runtime without a projector', 500, { error: { message: 'image input is not supported', type: 'server_error' } }],
  ['a server of another language', 422, { detail: [{ loc: ['body', 'messages', 0], msg: 'str type expected' }] }],
  ['a server that knows only text', 400, { error: { message: 'unknown variant `image_url`, expected `text`' } }],
  ['a server that forbids it', 403, { error: { message: 'Forbidden' } }],
  ['a server without words', 400, ''],
  ['a server that crashes', 502, '<html>Bad gateway</html>'],
  ['a body that is too large', 413, { error: { message: 'Request Entity Too Large' } }],
]

describe('a model that refuses pictures', () => {
  let server: PlayedServer
  let data: string
  let clock: TestClock
  const running: TestService[] = []
  beforeEach(async () => {
    clock = new TestClock()
    server = await PlayedServer.start()
    data = await mkdtemp(join(tmpdir(), 'mynah-media-'))
  })
  afterEach(async () => {
    // They may still write what they have learned.
    for (const { models } of running.splice(0)) await models.close()
    await server.stop()
    await rm(data, { recursive: true })
  })

  function start(): TestService {
    const service = serviceOf(
      { it: { sdk: 'openai-compatible', baseUrl: server.url, apiKey: 'k', models: ['m'] } },
      { clock, data },
    )
    running.push(service)
    return service
  }
  const ask = async ({ models }: TestService, ...messages: ModelMessage[]): Promise<string> =>
    textIn(await partsOf(models, { messages }, { candidates: [WHO] }))
  const hasPicture = ({ body }: Asked): boolean => JSON.stringify(body).includes('image_url')
  const plays = (refuse: (response: ServerResponse) => void): void =>
    server.play((response, asked) => (hasPicture(asked) ? refuse(response) : streamed(response, 'a guess')))
  const refusing = (status: number, body: unknown) => (response: ServerResponse) =>
    void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))

  for (const [name, status, body] of REFUSALS)
    it(`answers without them, and is asked once from then on: ${name} (${status})`, async () => {
      plays(refusing(status, body))
      const service = start()
      const parts = await partsOf(service.models, { messages: [asks(PICTURE)] }, { candidates: [WHO] })
      expect(textIn(parts)).to.equal('a guess')
      expect(parts.find(({ type }) => type === 'fallback')).to.include({ withoutMedia: true })
      expect(server.asked.map(hasPicture)).to.deep.equal([true, false])
      expect(JSON.stringify(server.asked[1]?.body)).to.contain('[image: cannot be shown to this model]')
      expect(service.models.cooling, 'nothing rests').to.equal(0)

      server.asked.length = 0
      await ask(service, asks(PICTURE), { role: 'assistant', content: 'a guess' }, asks(PICTURE))
      await ask(service, { role: 'user', content: 'hello' })
      expect(server.asked.map(hasPicture)).to.deep.equal([false, false])
    })

  it('is remembered over a start, and asked again after a day', async () => {
    plays(refusing(404, { error: { message: 'no images' } }))
    await ask(start(), asks(PICTURE))
    for (const { models } of running.splice(0)) await models.close()
    const again = start()
    await again.models.start()
    server.asked.length = 0
    await ask(again, asks(PICTURE))
    expect(server.asked.map(hasPicture)).to.deep.equal([false])
    expect(again.models.model(WHO)?.capabilities.vision).to.equal(false)
    await clock.advance(DAY_MS)
    server.play((response) => streamed(response, 'a kite'))
    expect(await ask(again, asks(PICTURE))).to.equal('a kite')
    expect(server.asked.map(hasPicture)).to.deep.equal([true])
  })

  it('is asked again some minutes after it failed with one', async () => {
    plays(refusing(500, { error: { message: 'internal' } }))
    const service = start()
    await ask(service, asks(PICTURE))
    await clock.advance(10 * MINUTE_MS)
    server.play((response) => streamed(response, 'a kite'))
    expect(await ask(service, asks(PICTURE))).to.equal('a kite')
  })

  it('is not said to see nothing where it has seen another picture: that one was the reason', async () => {
    const broken = { ...PICTURE, data: 'YnJva2Vu' }
    server.play((response, { body }) =>
      JSON.stringify(body).includes(broken.data)
        ? void response.writeHead(400).end(JSON.stringify({ error: { message: 'Could not process image' } }))
        : streamed(response, 'a kite'),
    )
    const service = start()
    await ask(service, asks(PICTURE))
    await ask(service, asks(broken))
    server.asked.length = 0
    await ask(service, asks(PICTURE))
    expect(server.asked.map(hasPicture)).to.deep.equal([true])
  })

  it('gets the results of tools without them', async () => {
    plays(refusing(404, { error: { message: 'no images' } }))
    const call = { type: 'tool-call' as const, id: 'c1', name: 'look', input: {} }
    const result = { type: 'tool-result' as const, id: 'c1', name: 'look', output: [PICTURE] }
    const answer = await ask(start(), { role: 'user', content: 'look' }, { role: 'assistant', content: [call] }, {
      role: 'tool',
      content: [result],
    } as ModelMessage)
    expect(answer).to.equal('a guess')
  })

  it('is asked once more only, and rests as for any request where it refuses both', async () => {
    server.play((response) => void response.writeHead(404).end('{}'))
    const service = start()
    const error = await ask(service, asks(PICTURE)).then(String, (thrown: Error) => thrown)
    expect(error).to.include({ class: 'not-found' })
    expect(server.asked.map(hasPicture)).to.deep.equal([true, false])
  })

  it('is not asked without them for a reason that they cannot be', async () => {
    server.play((response) => void response.writeHead(429).end(JSON.stringify({ error: { message: 'too many' } })))
    const service = start()
    await ask(service, asks(PICTURE)).catch(() => undefined)
    expect(server.asked.every(hasPicture)).to.equal(true)
  })
})
