import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect } from 'chai'
import type { MessageRow } from '@mynah/contract/types'
import { Chat } from '@mynah/plugin-chat/api'
import type { ChatHost } from '@mynah/plugin-agent/testing'
import { eachTest, sound, told } from './test/support.js'

const SPOKEN = Buffer.from('the sound of an answer')
const hash = createHash('sha256').update(SPOKEN).digest('hex')
const voice = { 'ai.multimodal': { audio: { reply: 'voice' } } }
const rows = (host: ChatHost): Promise<readonly MessageRow[]> =>
  (host.host.get(Chat) as Chat).transcript({
    adapter: 'test',
    endpoint: 'one',
    channel: { type: 'private', id: 'ann' },
    limit: 20,
  })

describe('an answer to sound', () => {
  const hosts = eachTest()
  const prepared = async (options: Parameters<typeof hosts.start>[0]) => {
    const host = await hosts.start(options)
    hosts.mock.onTranscription({ transcription: { text: 'how are you' } })
    hosts.mock.onSpeech(/.*/s, { audio: SPOKEN.toString('base64') })
    return host
  }

  it('is spoken, with its text in the rows and its bytes under their hash', async () => {
    const host = await prepared({ config: voice, database: true })
    hosts.mock.onMessage(/.*/s, { content: 'Very well.' })
    await host.say([sound()])
    expect(host.sent.map(({ message: { text, segments } }) => ({ text, segments }))).to.deep.equal([
      {
        text: 'Very well.',
        segments: [
          {
            type: 'audio',
            data: {
              file: join(host.root, 'data/media', hash),
              mime: 'audio/mpeg',
              name: 'voice.mp3',
              transcript: 'Very well.',
            },
          },
        ],
      },
    ])
    expect(await readFile(join(host.root, 'data/media', hash))).to.deep.equal(SPOKEN)
    const row = (await rows(host)).at(-1)
    expect(row).to.include({ text: 'Very well.', state: 'sent' })
    expect(JSON.stringify(row)).to.include(hash).and.not.include(host.root)
    expect(told(host, 'speech')).to.deep.equal(['transcribe written down', 'speak spoken'])
    await host.say('what did you say?')
    expect(JSON.stringify(hosts.asked('/chat/completions').at(-1)?.body)).to.include('Very well.')
  })

  it('uses the configured voice and format', async () => {
    const host = await prepared({ config: voice, speech: { voice: { name: 'nova', model: 'tts-1', format: 'opus' } } })
    hosts.mock.onMessage(/.*/s, { content: 'Hello.' })
    await host.say([sound()])
    expect(JSON.stringify(hosts.asked('/audio/speech')[0]?.body))
      .to.include('tts-1')
      .and.include('Hello.')
    expect(host.sent[0]?.message.segments[0]?.data).to.deep.include({ name: 'voice.ogg', mime: 'audio/ogg' })
  })

  it('is requested from the provider with the configured voice', async () => {
    const bodies: unknown[] = []
    const server = createServer(
      (request, response) =>
        void json(request).then((body) => {
          bodies.push({ path: request.url, ...(body as object) })
          response.writeHead(200, { 'content-type': 'audio/ogg' }).end(SPOKEN)
        }),
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const mouth = {
        sdk: 'openai',
        apiKey: 'k',
        baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
        models: ['gpt-5'],
      }
      const host = await prepared({
        config: voice,
        providers: { mouth },
        speech: { voice: { provider: 'mouth', name: 'nova', model: 'tts-9', format: 'opus' } },
      })
      hosts.mock.onMessage(/.*/s, { content: 'Hello.' })
      await host.say([sound()])
      expect(bodies).to.deep.equal([
        { path: '/v1/audio/speech', model: 'tts-9', input: 'Hello.', voice: 'nova', response_format: 'opus' },
      ])
      expect(await readFile(join(host.root, 'data/media', hash))).to.deep.equal(SPOKEN)
    } finally {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  })

  it('is written unless sound was asked for', async () => {
    const off = await prepared({})
    hosts.mock.onMessage(/.*/s, { content: 'Written.' })
    await off.say([sound()])
    const on = await prepared({ config: voice })
    await on.say('hello')
    expect([off, on].flatMap(({ sent }) => sent.map(({ message }) => message.segments[0]?.type))).to.deep.equal([
      'text',
      'text',
    ])
    expect(hosts.asked('/audio/speech')).to.deep.equal([])
  })

  it('is written when it is too long, has code or cannot be spoken, with the reason in the trace', async () => {
    const host = await prepared({ config: voice, speech: { maxCharacters: 20 } })
    for (const [content, why, written = content] of [
      ['This is longer than it may be.', 'allows 20 characters'],
      ['```\nx = 1\n```', 'code', 'x = 1'],
    ] as const) {
      hosts.mock.clearFixtures()
      hosts.mock.onTranscription({ transcription: { text: 'go on' } })
      hosts.mock.onMessage(/.*/s, { content })
      expect(await host.say([sound()])).to.deep.equal([written])
      expect(host.sent.at(-1)?.message.segments[0]?.type).to.equal('text')
      expect(told(host, 'speech')[1]).to.include('speak text').and.include(why)
    }
    hosts.mock.onSpeech(/.*/s, { error: { message: 'hoarse' }, status: 400 } as never)
    hosts.mock.clearFixtures()
    hosts.mock.onTranscription({ transcription: { text: 'go on' } })
    hosts.mock.onMessage(/.*/s, { content: 'Short.' })
    expect(await host.say([sound()])).to.deep.equal(['Short.'])
    expect(told(host, 'speech')[1]).to.include('speak text')
  })

  it('is written when its recording is too large', async () => {
    const host = await prepared({ config: voice, speech: { maxBytes: 1_024, maxSeconds: 5 } })
    hosts.mock.clearFixtures()
    hosts.mock.onMessage(/.*/s, { content: 'Loud.' })
    hosts.mock.onSpeech(/.*/s, { audio: Buffer.alloc(2_000).toString('base64') })
    expect(await host.say([sound()])).to.deep.equal(['Loud.'])
    expect(told(host, 'speech')[1]).to.include('allows 1024 bytes')
    expect(await readdir(join(host.root, 'data/media')).catch(() => [])).to.deep.equal([])
  })
})

describe('the tool say', () => {
  const hosts = eachTest()

  it('speaks to the chat once and keeps the text', async () => {
    const host = await hosts.start({ database: true })
    hosts.mock.onSpeech(/.*/s, { audio: SPOKEN.toString('base64') })
    hosts.mock.on(
      { userMessage: 'sing', hasToolResult: false },
      { toolCalls: [{ name: 'say', arguments: { text: 'la la la' } }] },
    )
    hosts.mock.onMessage(/.*/s, { content: 'Done.' })
    expect(await host.say('sing')).to.deep.equal(['la la la', 'Done.'])
    expect(host.sent[0]?.message.segments[0]).to.deep.include({ type: 'audio' })
    expect((await rows(host)).map(({ text }) => text)).to.deep.equal(['sing', 'la la la', 'Done.'])
  })

  it('returns errors to the model, which answers in writing', async () => {
    const host = await hosts.start({ sdk: 'openai-compatible' })
    hosts.mock.on(
      { userMessage: 'sing', hasToolResult: false },
      { toolCalls: [{ name: 'say', arguments: { text: 'la' } }] },
    )
    hosts.mock.onMessage(/.*/s, { content: 'la (written)' })
    expect(await host.say('sing')).to.deep.equal(['la (written)'])
    expect(JSON.stringify(hosts.asked('/chat/completions').at(-1)?.body)).to.include('Nothing configured can speak')
    expect(told(host, 'tool')[0]).to.include('say failed')
  })
})
