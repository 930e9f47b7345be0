import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { until } from '@mynah/plugin-agent/testing'
import { eachTest, sound, told, wav } from './test/support.js'

/** Returns the text of the user in the last request. */
function lastUser(requests: { readonly body: unknown }[]): string {
  const { messages } = (requests.at(-1) as { body: { messages: { role: string }[] } }).body
  return JSON.stringify(messages.findLast(({ role }) => role === 'user'))
}

describe('a recording', () => {
  const hosts = eachTest()

  for (const database of [false, true]) {
    it(`is transcribed and stays in the conversation as text, ${database ? 'with the database' : 'in memory'}`, async () => {
      const host = await hosts.start({ database })
      hosts.mock.onTranscription({
        transcription: { text: 'please water the plums', language: 'english', duration: 1 },
      })
      hosts.mock.onMessage(/.*/s, { content: 'I will.' })
      expect(await host.say([sound()])).to.deep.equal(['I will.'])
      expect(lastUser(hosts.asked('/chat/completions'))).to.include('[said] please water the plums')
      expect(told(host, 'speech')).to.deep.equal(['transcribe written down'])
      await host.say('and then?')
      expect(JSON.stringify(hosts.asked('/chat/completions').at(-1)?.body)).to.include('[said] please water the plums')
      expect(hosts.asked('/audio/transcriptions')).to.have.length(1)
    })
  }

  it('is sent to the configured provider and model', async () => {
    const host = await hosts.start({ speech: { transcription: { provider: 'it', model: 'whisper-1' } } })
    hosts.mock.onTranscription({ transcription: { text: 'hello' } })
    hosts.mock.onMessage(/.*/s, { content: 'ok' })
    await host.say([sound()])
    expect(JSON.stringify(hosts.asked('/audio/transcriptions')[0]?.body)).to.include('whisper-1')
  })

  it('is only named when it is too long or too large', async () => {
    const host = await hosts.start({ speech: { maxSeconds: 3, maxBytes: 40_000 } })
    hosts.mock.onMessage(/.*/s, { content: 'I cannot hear it.' })
    for (const [recording, why] of [
      [sound(wav(4)), 'allows 3 seconds'],
      [sound(wav(6)), 'allows 40000 bytes'],
      [sound(wav(1), { duration: 99 }), 'It has 99 seconds; ai.speech.maxSeconds allows 3'],
    ] as const) {
      expect(await host.say([recording])).to.deep.equal(['I cannot hear it.'])
      expect(lastUser(hosts.asked('/chat/completions'))).to.include('[sound that could not be written down]')
      expect(told(host, 'speech')[0]).to.include('transcribe failed').and.include(why)
    }
    expect(hosts.asked('/audio/transcriptions')).to.deep.equal([])
  })

  it('is only named when the server fails, with the reason in the trace', async () => {
    const host = await hosts.start()
    hosts.mock.onMessage(/.*/s, { content: 'Say it again?' })
    hosts.mock.onTranscription({ error: { message: 'the ears are full', type: 'server_error' }, status: 400 } as never)
    expect(await host.say([sound(), { type: 'text', data: { text: 'listen' } }])).to.deep.equal(['Say it again?'])
    expect(lastUser(hosts.asked('/chat/completions')))
      .to.include('[sound that could not be written down]')
      .and.include('listen')
    expect(told(host, 'speech')[0]).to.include('transcribe failed')
  })

  it('is only named when the transcript is late, so that the model can still answer', async () => {
    const asked: string[] = []
    const silent = createServer((request) => {
      asked.push(request.url ?? '')
    }).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    try {
      const origin = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
      const host = await hosts.start({
        speech: { transcription: { provider: 'slow', model: 'whisper-1' } },
        providers: { slow: { sdk: 'openai', apiKey: 'k', baseUrl: `${origin}/v1`, models: ['whisper-1'] } },
        ai: { web: { allowHosts: ['127.0.0.1'] } },
      })
      hosts.mock.onMessage(/.*/s, { content: 'I could not hear it.' })
      const said = host.say([
        sound(),
        { type: 'voice', data: { url: `${origin}/far.ogg` } },
        { type: 'image', data: { url: `${origin}/far.png`, alt: 'a plum' } },
        { type: 'text', data: { text: 'listen' } },
      ])
      await until(() => ['/v1/audio/transcriptions', '/far.ogg', '/far.png'].every((path) => asked.includes(path)))
      await host.clock.advance(30_000)
      expect(await said).to.deep.equal(['I could not hear it.'])
      const heard = lastUser(hosts.asked('/chat/completions'))
      for (const part of [
        '[sound that could not be written down]',
        '[voice that could not be loaded]',
        '[image that could not be loaded: a plum]',
        'listen',
      ])
        expect(heard).to.include(part)
      expect(
        host.log.filter(
          ({ level, message }) => level === 'warn' && message.includes('answered without some of its media'),
        ),
      ).to.have.length(1)
    } finally {
      silent.closeAllConnections()
      silent.close()
    }
  })

  it('is only named without a provider', async () => {
    const host = await hosts.start({ sdk: 'openai-compatible' })
    hosts.mock.onMessage(/.*/s, { content: 'ok' })
    await host.say([sound()])
    expect(told(host, 'speech')).to.deep.equal(['transcribe failed Nothing configured can write down what is said'])
  })

  it('of random bytes causes no failure', async () => {
    const host = await hosts.start()
    hosts.mock.onMessage(/.*/s, { content: 'ok' })
    hosts.mock.onTranscription({ transcription: { text: '' } })
    for (const bytes of [Buffer.from('OggS'), Buffer.from('ID3'), Buffer.alloc(5_000, 0xff), wav(1).subarray(0, 60)])
      expect(await host.say([sound(bytes, { format: 'x'.repeat(500) })])).to.deep.equal(['ok'])
    expect(lastUser(hosts.asked('/chat/completions'))).to.match(
      /\[sound (without words|that could not be written down)\]/,
    )
  })
})

describe('a host without speech', () => {
  const hosts = eachTest()

  it('shows sound as a placeholder and warns once', async () => {
    const host = await hosts.start({ speech: false })
    hosts.mock.onMessage(/.*/s, { content: 'ok' })
    for (let round = 0; round < 2; round++) expect(await host.say([sound()])).to.deep.equal(['ok'])
    expect(lastUser(hosts.asked('/chat/completions'))).to.include('[sound that cannot be transcribed here]')
    expect(
      host.log.filter(({ level, message }) => level === 'warn' && message.includes('enable the plugin speech')),
    ).to.have.length(1)
    expect(hosts.asked('/audio/transcriptions')).to.deep.equal([])
  })
})

describe('other strategies for recordings', () => {
  const hosts = eachTest()

  it('keep or name recordings without a transcript', async () => {
    const stored = await hosts.start({ config: { 'ai.multimodal': { audio: { strategy: 'mcp' } } } })
    hosts.mock.onMessage(/.*/s, { content: 'ok' })
    await stored.say([sound()])
    const [file] = await readdir(join(stored.root, 'data/media/inbound'))
    expect(file).to.match(/^[0-9a-f]{32}\.wav$/)
    expect(lastUser(hosts.asked('/chat/completions'))).to.include(`data/media/inbound/${file}`)
    const named = await hosts.start({ config: { 'ai.multimodal': { audio: { strategy: 'text-only' } } } })
    await named.say([sound()])
    expect(lastUser(hosts.asked('/chat/completions')))
      .to.include('[sound]')
      .and.not.include('inbound')
    expect(hosts.asked('/audio/transcriptions')).to.deep.equal([])
  })
})
