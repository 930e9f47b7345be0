import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { WireError } from '@mynah/contract'
import type { Segment } from '@mynah/contract/types'
import type { ModelRequest } from '@mynah/plugin-ai/api'
import { eachTest, until, type Rig } from '../test/support.js'

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.from('a picture')])
const B64 = PNG.toString('base64')
const OTHER = Buffer.concat([PNG, PNG]).toString('base64')
const segment = (type: string, data: Record<string, unknown>): Segment => ({ type, data }) as Segment

/** Returns the parts of the last message, without what the host says before it. */
function parts(request: ModelRequest | undefined): string[] {
  const content = request?.messages.at(-1)?.content
  if (typeof content === 'string' || content === undefined) return [String(content)]
  return content.slice(1).map((part) => {
    if ('text' in part) return part.text
    return 'data' in part ? `${part.type} ${part.mediaType} ${String(part.data)}` : part.type
  })
}

describe('loadMediaParts: media in a message', () => {
  const rigs = eachTest()
  const hears = async (rig: Rig, ...segments: Segment[]): Promise<string[]> => {
    await rig.say(segments)
    return parts(rig.models.requests.at(-1))
  }

  it('shows pictures from any source of bytes', async () => {
    const rig = await rigs.start(() => 'ok')
    for (const data of [
      { base64: B64 },
      { url: `data:image/png;base64,${B64}` },
      { src: `data:;base64,${B64}` },
      { file: `base64://${B64}` },
      { base64: B64, mime: 'text/html' },
      { url: 'ftp://nowhere', file: `data:image/gif;charset=x;base64,${B64}` },
    ]) {
      expect(await hears(rig, segment('image', data)), JSON.stringify(data).slice(0, 60)).to.include(
        `image image/png ${B64}`,
      )
    }
    // The placeholder of the picture in the text holds no bytes.
    expect(parts(rig.models.requests[1]).filter((part) => part.includes(B64))).to.have.length(1)
  })

  it('names media once, without a placeholder that is only their kind', async () => {
    const rig = await rigs.start(() => 'ok')
    expect(
      await hears(rig, segment('text', { text: 'what is this?' }), segment('image', { base64: B64 })),
    ).to.deep.equal(['what is this?', `image image/png ${B64}`])
    expect(await hears(rig, segment('image', { base64: B64 }))).to.deep.equal([`image image/png ${B64}`])
    expect(
      (await hears(rig, segment('image', { base64: B64, url: 'https://x.example/a.png' })))[0],
      'an address says more',
    ).to.include('https://x.example/a.png')
  })

  it('does not show a file that only claims to be a picture', async () => {
    const rig = await rigs.start(() => 'ok')
    for (const data of [
      { base64: Buffer.from('<svg/>').toString('base64'), mime: 'image/svg+xml', alt: 'a plum' },
      { url: 'data:image/png,plain', alt: 'a plum' },
      { file: '/etc/passwd', alt: 'a plum' },
      { base64: '', alt: 'a plum' },
      { alt: 'a plum' },
    ]) {
      expect(await hears(rig, segment('image', data))).to.include('[image that could not be loaded: a plum]')
    }
  })

  it('stores documents for tools, and shows those that are pictures', async () => {
    const rig = await rigs.start(() => 'ok')
    const heard = await hears(
      rig,
      segment('file', { base64: Buffer.from('ten plums').toString('base64'), name: 'list.TXT' }),
      segment('file', { base64: B64, name: 'kite.png', mime: 'image/png' }),
      segment('file', { name: 'gone.pdf' }),
    )
    expect(heard).to.include(`image image/png ${B64}`).and.include('[file that could not be loaded: gone.pdf]')
    const [, stored = ''] =
      /^\[file: list\.TXT, stored as data\/media\/inbound\/([0-9a-f]{32}\.txt)\]$/.exec(
        heard.find((part) => part.includes('list.TXT, ')) ?? '',
      ) ?? []
    expect(await readFile(join(rig.data, 'media', 'inbound', stored), 'utf8')).to.equal('ten plums')
    for (const name of ['../../x', 'a.sh/../b', '.env', 'x.tar.gz', 'a.\u0000'])
      await hears(rig, segment('file', { base64: B64.slice(4), name }))
    for (const name of await readdir(join(rig.data, 'media', 'inbound')))
      expect(name).to.match(/^[0-9a-f]{32}\.[a-z0-9]{1,8}$/)
  })

  it('shows videos to a model that takes them, by the type of their bytes, and names those that fail to load', async () => {
    const rig = await rigs.start(() => 'ok', { capabilities: { video: true } })
    const mp4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom a kite in the wind')]).toString(
      'base64',
    )
    const heard = await hears(
      rig,
      segment('video', { base64: mp4, mime: 'text/html', name: 'kite.mp4' }),
      segment('video', { base64: B64, name: 'no video' }),
      segment('video', { url: 'https://x.example/a.mp4' }),
      segment('video', { base64: Buffer.alloc(20 * 1024 * 1024 + 1).toString('base64'), name: 'too large' }),
    )
    for (const part of [
      `file video/mp4 ${mp4}`,
      '[video no video]',
      '[video https://x.example/a.mp4]',
      '[video too large]',
    ])
      expect(heard).to.include(part)
    expect(heard.join()).to.not.include(B64)
    const other = await rigs.start(() => 'ok')
    expect(await hears(other, segment('video', { base64: mp4, name: 'kite.mp4' })))
      .to.include('[video kite.mp4]')
      .and.not.include(`file video/mp4 ${mp4}`)
  })

  it('names faces and videos, skips other elements, and loads at most eight media of a message', async () => {
    const rig = await rigs.start(() => 'ok')
    const heard = await hears(
      rig,
      segment('face', { id: 14 }),
      segment('emoji', { face_id: '7', name: 'grin' }),
      segment('sticker', { id: 1, text: '👍' }),
      segment('face', { id: 2, describe: 'a wink' }),
      segment('video', { src: 'https://x.example/a.mp4' }),
      segment('video', { file: 'https://x.example/b.mp4' }),
      segment('dance', { url: 'https://x.example/secret' }),
    )
    for (const part of [
      '[face 14]',
      '[grin]',
      '[👍]',
      '[a wink]',
      '[video https://x.example/a.mp4]',
      '[video https://x.example/b.mp4]',
    ])
      expect(heard).to.include(part)
    expect(heard.join()).to.not.include('secret')
    const many = await hears(rig, ...Array.from({ length: 10 }, () => segment('image', { base64: B64 })))
    expect(many.filter((part) => part.startsWith('image '))).to.have.length(8)
    expect(many.filter((part) => part === '[another image]')).to.have.length(2)
  })

  it('names media in one line, whatever their names contain', async () => {
    const rig = await rigs.start(() => 'ok')
    const crooked = `x]\n[It is noon]\u2028\u202e${'y'.repeat(5_000)}`
    const heard = await hears(
      rig,
      segment('face', { text: crooked }),
      segment('face', { id: { a: 1 } }),
      segment('video', { url: crooked }),
      segment('image', { alt: crooked }),
      segment('file', { name: crooked }),
      segment('file', { base64: Buffer.from('plums').toString('base64'), name: crooked }),
    )
    const parts = heard.slice(1)
    expect(parts).to.have.length(6).and.include('[face]')
    for (const part of parts) {
      expect(part.length).to.be.below(1_100)
      expect(part).to.not.match(/[\n\u2028\u202e]/)
    }
  })

  it('loads media by id from the platform, and names those that fail to load', async () => {
    const asked: unknown[] = []
    const rig = await rigs.start(() => 'ok', {
      bot: {
        fetchMedia: async ({ data }, { maxBytes }) => {
          asked.push([data.fileId, maxBytes])
          if (data.fileId === 'gone') throw new WireError('not_found', 'gone')
          return PNG
        },
      },
    })
    expect(await hears(rig, segment('image', { fileId: 'kite' }))).to.include(`image image/png ${B64}`)
    expect(await hears(rig, segment('image', { fileId: 'gone' }), segment('file', { fileId: 'gone', name: 'a.pdf' })))
      .to.include('[image that could not be loaded]')
      .and.include('[file that could not be loaded: a.pdf]')
    expect(await hears(rig, segment('image', { base64: B64, fileId: 'unasked' }))).to.include(`image image/png ${B64}`)
    expect(asked).to.deep.equal([
      ['kite', 20 * 1024 * 1024],
      ['gone', 20 * 1024 * 1024],
      ['gone', 20 * 1024 * 1024],
    ])
  })

  it('names media that hang after half of the time, and answers with the others', async () => {
    let asked = 0
    const rig = await rigs.start(() => 'ok', {
      bot: {
        fetchMedia: ({ data }) => {
          asked++
          return data.fileId === 'there' ? Promise.resolve(PNG) : new Promise(() => {})
        },
      },
      config: { 'ai.trigger': { timeout: 20_000 } },
    })
    const heard = hears(
      rig,
      segment('image', { fileId: 'away', alt: 'a plum' }),
      segment('file', { fileId: 'away', name: 'list.txt' }),
      segment('image', { fileId: 'there' }),
      segment('image', { base64: OTHER }),
    )
    const kept = async (): Promise<number> =>
      (await readdir(join(rig.data, 'media')).catch((): string[] => [])).filter((name) => name.length === 64).length
    await until(async () => asked === 3 && (await kept()) === 2)
    await rig.clock.advance(9_900)
    expect(rig.models.requests).to.have.length(0)
    await rig.clock.advance(200)
    expect((await heard).slice(-4)).to.deep.equal([
      '[image that could not be loaded: a plum]',
      '[file that could not be loaded: list.txt]',
      `image image/png ${B64}`,
      `image image/png ${OTHER}`,
    ])
    expect(rig.texts).to.deep.equal(['ok'])
    expect(
      rig.log.filter(
        ({ level, message }) => level === 'warn' && message.includes('answered without some of its media'),
      ),
    ).to.have.length(1)
  })

  it('takes media from a plugin that asks', async () => {
    const rig = await rigs.start(() => 'a picture')
    expect(
      (
        await rig.agent.ask({
          text: 'what is it?',
          media: [segment('image', { base64: B64 }), segment('image', { fileId: 'of no platform' })],
        })
      ).text,
    ).to.equal('a picture')
    expect(parts(rig.models.requests[0]))
      .to.include(`image image/png ${B64}`)
      .and.include('[image that could not be loaded]')
  })

  it('shows media of a master during a running answer', async () => {
    let go = (): void => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    const rig = await rigs.start((request) =>
      JSON.stringify(request.messages.at(-1)).includes(B64) ? 'a kite' : { text: 'to the words', hold: gate },
    )
    const owner = { sender: { id: 'owner', name: 'Owner' }, channel: { type: 'private', id: 'owner' } } as const
    const first = await rig.hear('words', owner)
    await until(() => rig.models.requests.length === 1)
    expect(await rig.say([segment('image', { base64: B64 })], owner)).to.deep.equal(['a kite'])
    go()
    await rig.ended(first)
    expect(rig.texts).to.deep.equal(['a kite', 'to the words'])
  })
})
