import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { ModelServer, type Asked } from './model-server.js'
import { TelegramServer } from './telegram-server.js'
import { WholeHost } from './whole-host.js'

const TOKEN = '424242:canary_bot_token_of_media'
const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from('a red kite')])
const OGG = Buffer.concat([Buffer.from('OggS'), Buffer.from('words in the air')])
const last = (asked: Asked | undefined): string => JSON.stringify(asked?.messages.at(-1))

describe('media of Telegram', function () {
  this.timeout(120_000)
  let host: WholeHost
  let models: ModelServer
  let telegram: TelegramServer

  before(async () => {
    telegram = await TelegramServer.start()
    models = await ModelServer.start((asked) => {
      const said = last(asked)
      if (said.includes(PNG.toString('base64'))) return 'A red kite.'
      if (said.includes('[said] water the plums')) return 'I will water them.'
      const [, path] = /stored as (data\/media\/inbound\/\w+\.txt)/.exec(said) ?? []
      if (path !== undefined) return { calls: [{ name: 'read_file', input: { path } }] }
      if (said.includes('ten plums')) return 'Ten.'
      return said.includes('could not be loaded') ? 'I cannot open it.' : 'hm'
    })
    models.heard = 'water the plums'
    host = await WholeHost.start(
      `ai:
  providers: { play: { sdk: openai, baseUrl: "${models.url}", apiKey: k, models: [player, looker] } }
  agents: { main: { provider: play, model: player }, vision: { provider: play, model: looker } }
`,
      { endpoint: `{ adapter: telegram, id: tg, token: "${TOKEN}", apiRoot: "${telegram.url}", master: "7" }` },
    )
  })
  after(async () => {
    await host?.close()
    await telegram?.stop()
    await models?.stop()
  })

  /** Sends a message of Alice, and returns the last answer of the bot. */
  async function answered(message: object, path?: string, bytes?: Buffer): Promise<string | undefined> {
    const before = telegram.said.length
    telegram.say(message, path, bytes)
    await until(() => telegram.said.length > before)
    await until(async () => {
      const { json } = await host.rpc('agent:turns', { active: true })
      return (json['data'] as { turns: unknown[] }).turns.length === 0
    })
    return telegram.said.at(-1)
  }

  it('transcribes and answers a voice message', async () => {
    expect(
      await answered(
        { voice: { file_id: 'voicev1.oga', file_unique_id: 'u1', duration: 2, mime_type: 'audio/ogg' } },
        'voice/v1.oga',
        OGG,
      ),
    ).to.equal('I will water them.')
    expect(models.recordings).to.have.length(1)
    expect(models.recordings[0]?.includes(OGG)).to.equal(true)
    expect(models.asked.at(-1)?.model).to.equal('player')
  })

  it('shows a photo to the vision model, sent as picture or as document', async () => {
    expect(
      await answered(
        { caption: 'what is it?', photo: [{ file_id: 'photosp1.png', file_unique_id: 'u2', width: 9, height: 9 }] },
        'photos/p1.png',
        PNG,
      ),
    ).to.equal('A red kite.')
    expect(models.asked.at(-1)?.model).to.equal('looker')
    expect(last(models.asked.at(-1)))
      .to.include(`data:image/png;base64,${PNG.toString('base64')}`)
      .and.include('what is it?')
    expect(
      await answered(
        {
          document: { file_id: 'documentsp2.png', file_unique_id: 'u3', file_name: 'kite.png', mime_type: 'image/png' },
        },
        'documents/p2.png',
        PNG,
      ),
    ).to.equal('A red kite.')
    expect(models.asked.at(-1)?.model).to.equal('looker')
  })

  it('lets authorized users read a document with tools', async () => {
    expect(
      await answered(
        {
          caption: 'how many?',
          document: {
            file_id: 'documentsd1.txt',
            file_unique_id: 'u4',
            file_name: 'list.txt',
            mime_type: 'text/plain',
          },
        },
        'documents/d1.txt',
        Buffer.from('ten plums'),
      ),
    ).to.equal('Ten.')
  })

  it('answers a message whose file Telegram does not provide', async () => {
    expect(await answered({ voice: { file_id: 'gone', file_unique_id: 'u5', duration: 2 } })).to.equal(
      'I cannot open it.',
    )
    expect(last(models.asked.at(-1))).to.include('[voice that could not be loaded]')
  })

  it('stores pictures by hash, and the token in no row, log, request or file', async () => {
    const hash = createHash('sha256').update(PNG).digest('hex')
    expect(await readFile(join(host.folder, 'data', 'media', hash))).to.deep.equal(PNG)
    const session = await host.rpc('agent:session', { sessionKey: 'telegram|tg|private|7' })
    expect(session.text).to.include(hash).and.not.include(PNG.toString('base64'))
    const files = (await readdir(join(host.folder, 'data'), { recursive: true, withFileTypes: true })).filter(
      // Versions of the configuration are as private as the configuration, and have its secrets.
      (entry) => entry.isFile() && !entry.parentPath.endsWith('config-versions'),
    )
    expect(files.map(({ name }) => name)).to.include(hash)
    for (const { parentPath, name } of files) {
      const bytes = await readFile(join(parentPath, name))
      expect(bytes.includes(TOKEN), name).to.equal(false)
      if (name !== hash) expect(bytes.includes(PNG.toString('base64').slice(0, 32)), name).to.equal(false)
    }
    for (const sent of [
      ...models.bodies,
      ...models.heads,
      ...models.recordings.map((raw) => raw.toString('latin1')),
      ...host.log.map((record) => JSON.stringify(record)),
      session.text,
    ])
      expect(sent.includes(TOKEN)).to.equal(false)
  })
})
