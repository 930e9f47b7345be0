import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  Audio,
  Card,
  components,
  Component,
  defineCommand,
  Image,
  param,
  renderToPlainText,
  renderToSatori,
  SendError,
  Text,
  toSegments,
  Video,
  type Segment,
} from '../api.js'
import { renderSendMessage } from '../outbound/media.js'
import { eachTest, until } from '../test/support.js'

const ann = { type: 'private' as const, id: 'ann' }
const failure = async (sending: Promise<unknown>): Promise<Error & { code?: string }> => {
  try {
    await sending
  } catch (error) {
    return error as Error & { code?: string }
  }
  throw new Error('it was sent')
}

describe('Transmitter', () => {
  const platforms = eachTest()

  it('keeps the order within a channel, but not between channels', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const bot = await platforms.start({
      send: async (_target, { text }) => {
        if (text === 'slow') await held
      },
    })
    const slow = bot.chat.send('test', 'one', ann, 'slow')
    const after = bot.chat.send('test', 'one', ann, 'after')
    await bot.chat.send('test', 'one', { type: 'group', id: 'g' }, 'elsewhere')
    expect(bot.texts).to.deep.equal(['elsewhere'])
    release()
    await Promise.all([slow, after])
    expect(bot.texts).to.deep.equal(['elsewhere', 'slow', 'after'])
  })

  it('continues after a failure, and never repeats what may have arrived', async () => {
    const bot = await platforms.start({
      send: async (_target, { text }) => {
        if (text === 'bad') throw new Error('socket hang up')
      },
    })
    const [bad, good] = [failure(bot.chat.send('test', 'one', ann, 'bad')), bot.chat.send('test', 'one', ann, 'good')]
    expect(await bad).to.include({ code: 'upstream_unavailable:unknown' })
    await good
    expect(bot.attempts).to.equal(2)
    expect(bot.chat.counters).to.include({ sent: 1, errors: 1 })
    expect(await bot.chat.info('test', 'one')).to.deep.include({
      stats: { received: 0, sent: 1, notSent: 1, lost: 0, errors: 1 },
      lastError: 'socket hang up',
    })
  })

  it('repeats a rate-limited message after the delay of the platform', async () => {
    const bot = await platforms.start({
      send: async (_target, _message, attempt) => {
        if (attempt < 3) throw new SendError('rate-limited', 'slow down', { retryAfter: 2_000 })
      },
    })
    const sending = bot.chat.send('test', 'one', ann, 'hi')
    await bot.clock.advance(1_999)
    expect(bot.attempts).to.equal(1)
    await bot.clock.advance(1)
    expect(bot.attempts).to.equal(2)
    await bot.clock.advance(2_000)
    await sending
    expect(bot.texts).to.deep.equal(['hi'])
  })

  it('leaves a message that the platform takes later as an intent, and sends in other channels', async () => {
    let limited = true
    const bot = await platforms.start({
      send: async ({ id }) => {
        if (limited && id === 'ann') throw new SendError('rate-limited', 'slow down', { retryAfter: 30_000 })
      },
    })
    const states = async (): Promise<string[]> =>
      (await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 5 })).map(
        ({ state }) => state,
      )
    const sending = bot.chat.send('test', 'one', ann, 'hi', { key: 'k' })
    await until(() => bot.attempts === 1)
    await bot.chat.send('test', 'one', { type: 'private', id: 'bo' }, 'other')
    expect([bot.texts, await states()]).to.deep.equal([['other'], ['intent']])
    limited = false
    await bot.clock.advance(29_000)
    expect(bot.texts).to.deep.equal(['other'])
    await bot.clock.advance(1_000)
    await sending
    expect([bot.texts, await states()]).to.deep.equal([['other', 'hi'], ['sent']])
  })

  it('waits as long as the platform says, also for hours, without a try before', async () => {
    let limited = true
    const bot = await platforms.start({
      send: async () => {
        if (limited) throw new SendError('rate-limited', 'slow down', { retryAfter: 2 * 3_600_000 })
      },
    })
    expect(await bot.chat.send('test', 'one', ann, 'hi', { key: 'k' })).to.include({ messageId: '' })
    limited = false
    await bot.clock.advance(2 * 3_600_000 - 1_000)
    expect(bot.attempts).to.equal(1)
    await bot.clock.advance(2_000)
    await until(() => bot.texts.length === 1)
    expect(bot.attempts).to.equal(2)
  })

  it('holds the whole account where the platform limits it', async () => {
    const bot = await platforms.start({
      send: async (_target, _message, attempt) => {
        if (attempt === 1) throw new SendError('rate-limited', 'slow', { retryAfter: 5_000, scope: 'endpoint' })
      },
    })
    const first = bot.chat.send('test', 'one', ann, 'hi')
    await until(() => bot.attempts === 1)
    // The refusal reaches the host after the call.
    await new Promise((resolve) => setImmediate(resolve))
    const second = bot.chat.send('test', 'one', { type: 'private', id: 'bo' }, 'other')
    await bot.clock.advance(4_999)
    expect(bot.attempts).to.equal(1)
    await bot.clock.advance(1)
    await Promise.all([first, second])
    expect(bot.attempts).to.equal(3)
  })

  it('gives each message a key that its attempts share', async () => {
    const keys: string[] = []
    const bot = await platforms.start({
      send: async (_target, { key }, attempt) => {
        keys.push(key)
        if (attempt === 1) throw new SendError('rate-limited', 'slow down', { retryAfter: 10 })
      },
    })
    const sending = bot.chat.send('test', 'one', ann, 'a')
    await until(() => keys.length === 1)
    await bot.clock.advance(10)
    await sending
    await bot.chat.send('test', 'one', ann, 'b')
    expect(keys[1]).to.equal(keys[0])
    expect(keys[2]).not.to.equal(keys[0])
  })

  it('gives up where the rate limit persists, and at once where the platform refuses', async () => {
    const bot = await platforms.start({
      send: async (_target, { text }) => {
        throw new SendError(text === 'no' ? 'refused' : 'rate-limited', 'refused', { retryAfter: 10 })
      },
    })
    expect(await failure(bot.chat.send('test', 'one', ann, 'no'))).to.include({ code: 'invalid_request' })
    expect(bot.attempts).to.equal(1)
    const late = failure(bot.chat.send('test', 'one', ann, 'late'))
    await bot.clock.advance(1_000)
    expect(await late).to.include({ code: 'upstream_unavailable' })
    expect(bot.attempts).to.equal(6)
  })

  it('reports unknown and offline endpoints, empty messages and a missing guild', async () => {
    const bot = await platforms.start({ adapter: { guilds: true } })
    expect(await failure((async () => bot.chat.send('test', 'none', ann, 'x'))())).to.include({ code: 'not_found' })
    expect(await failure(bot.chat.send('test', 'one', ann, ''))).to.include({ code: 'invalid_request' })
    expect(await failure(bot.chat.send('test', 'one', { type: 'channel', id: 'c' }, 'x'))).to.include({
      code: 'invalid_request',
    })
    await bot.chat.send('test', 'one', { type: 'channel', id: 'c', parent: { type: 'guild', id: 'g' } }, 'x')
    bot.accounts.get('one')?.lost('gone')
    expect(await failure(bot.chat.send('test', 'one', ann, 'x'))).to.include({ code: 'not_ready' })
  })

  it('refuses content that cannot be written as JSON, and sends nothing of it', async () => {
    const bot = await platforms.start()
    const circle: Record<string, unknown> = { url: 'https://example.com/a.png' }
    circle.self = [circle]
    const trap = new Proxy(
      {},
      {
        ownKeys: () => {
          throw Object.create(null)
        },
      },
    )
    for (const data of [circle, { size: 1n }, { run: () => 1 }, { deep: trap }]) {
      const error = await failure(
        bot.chat.send('test', 'one', ann, [
          { type: 'text', data: { text: 'x' } },
          { type: 'image', data: data as never },
        ]),
      )
      expect(error).to.include({ code: 'invalid_request' })
      expect((error as unknown as { details: { path: string }[] }).details[0]?.path).to.equal('content[1].data')
    }
    expect(bot.attempts).to.equal(0)
    expect(bot.texts).to.deep.equal([])
    await bot.chat.send('test', 'one', ann, [
      { type: 'image', data: { url: 'https://example.com/a.png', tags: [[['a']]] } },
    ])
  })

  it('keeps the rate that the adapter declares', async () => {
    const bot = await platforms.start({ adapter: { pacing: { burst: 2, perSecond: 1 } } })
    const all = Promise.all(
      ['a', 'b', 'c', 'd'].map((text) => bot.chat.send('test', 'one', { type: 'private', id: text }, text)),
    )
    await bot.clock.advance(0)
    expect(bot.texts).to.deep.equal(['a', 'b'])
    await bot.clock.advance(1_000)
    expect(bot.texts).to.deep.equal(['a', 'b', 'c'])
    await bot.clock.advance(1_000)
    await all
    expect(bot.texts).to.deep.equal(['a', 'b', 'c', 'd'])
  })

  it('turns markdown of a reply into media', async () => {
    const bot = await platforms.start({
      commands: [
        defineCommand({ name: 'echo', description: 'x', args: { text: param.rest() }, run: ({ args }) => args.text }),
      ],
    })
    await bot.say('/echo see ![a cat](https://example.org/cat.png) and [audio](https://example.org/a.mp3)')
    expect(bot.sent[0]?.message.segments).to.deep.equal([
      Text('see '),
      Image({ url: 'https://example.org/cat.png', alt: 'a cat' }),
      Text(' and '),
      Audio('https://example.org/a.mp3'),
    ])
    expect(renderSendMessage('[video](https://example.org/v.mp4)')).to.deep.equal([Video('https://example.org/v.mp4')])
    expect(renderSendMessage('![x](file:///etc/passwd) [link](https://example.org)')).to.deep.equal([
      Text('![x](file:///etc/passwd) [link](https://example.org)'),
    ])
  })

  it('leaves markdown in code unchanged', () => {
    const cat = '![a cat](https://example.org/cat.png)'
    const image = Image({ url: 'https://example.org/cat.png', alt: 'a cat' })
    for (const code of [
      `write \`${cat}\``,
      `\`\`${cat} \` ${cat}\`\``,
      `\`\`\`md\n${cat}\n\`\`\``,
      `~~~\n${cat}\n\`\`\`\n${cat}\n~~~`,
      `\`\`\`\nnot ended\n${cat}`,
    ])
      expect(renderSendMessage(code), code).to.deep.equal([Text(code)])
    expect(renderSendMessage(`a lone \` and ${cat}`)).to.deep.equal([Text('a lone ` and '), image])
    expect(renderSendMessage(`\`${cat}\` is ${cat}`)).to.deep.equal([Text(`\`${cat}\` is `), image])
    expect(renderSendMessage(`\`\`\`\n${cat}\n\`\`\`\n${cat}`)).to.deep.equal([Text(`\`\`\`\n${cat}\n\`\`\`\n`), image])
    // No text takes long, however its backticks stand.
    for (const many of [
      '` `` '.repeat(20_000),
      '`a'.repeat(50_001),
      Array.from({ length: 300 }, (_, count) => '`'.repeat(count)).join(' '),
    ])
      renderSendMessage(`${many} ${cat}`)
  })

  it('expands message components, up to a depth', async () => {
    const bot = await platforms.start({
      setup: (ctx) => {
        ctx.contribute(components, {
          name: 'outer',
          render: () => [Text('<'), Component('inner', { text: 'x' }), Text('>')],
        })
        ctx.contribute(components, { name: 'inner', render: ({ text }) => String(text) })
        ctx.contribute(components, { name: 'loop', render: () => [Component('loop')] })
      },
    })
    await bot.chat.send('test', 'one', ann, [Component('outer')])
    expect(bot.texts).to.deep.equal(['<x>'])
    expect((await failure(bot.chat.send('test', 'one', ann, [Component('loop')]))).message).to.contain(
      'nested more than',
    )
    expect((await failure(bot.chat.send('test', 'one', ann, [Component('none')]))).message).to.contain('"none"')
  })

  it('sends media by path or as bytes, without revealing local paths', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-chat-test-'))
    try {
      const file = join(folder, 'cat.png')
      await writeFile(file, 'picture')
      const bot = await platforms.start({
        config: {
          endpoints: [
            { adapter: 'test', id: 'one' },
            { adapter: 'test', id: 'bytes', outboundMedia: 'base64' },
          ],
        },
      })
      await until(() => bot.chat.online() === 2)
      await bot.chat.send('test', 'one', ann, [Image({ file })])
      await bot.chat.send('test', 'bytes', ann, [Image({ file })])
      expect(bot.sent.map(({ message }) => message.segments[0]?.data)).to.deep.equal([
        { file },
        { name: 'cat.png', base64: Buffer.from('picture').toString('base64') },
      ])
      const missing = await failure(bot.chat.send('test', 'bytes', ann, [Image({ file: join(folder, 'dog.png') })]))
      expect(missing).to.include({ code: 'invalid_request' })
      expect(missing.message).to.contain('dog.png').and.not.to.contain(folder)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('Segments', () => {
  const card = Card({
    title: 'T',
    text: 'body',
    fields: [{ name: 'a', value: '1' }],
    buttons: [
      { text: 'Go', url: 'https://example.org' },
      { text: 'Do', command: '/do' },
    ],
  })

  it('render to plain text', () => {
    expect(
      renderToPlainText([
        Text('hi '),
        { type: 'at', data: { id: '1', name: 'Ann' } },
        Image({ url: 'https://e.org/x.png', alt: 'x' }),
        card,
      ]),
    ).to.equal('hi @Ann\n[image: x] https://e.org/x.png\nT\nbody\na: 1\n[Go] https://example.org\n[Do] /do')
    expect(renderToPlainText(['audio', 'record', 'voice'].map((type) => ({ type, data: {} })))).to.equal(
      '[audio]\n[audio]\n[audio]',
    )
  })

  it('render to Satori elements, escaped', () => {
    expect(
      renderToSatori([
        Text('<b>\n&'),
        { type: 'at', data: { id: '"1"' } },
        Image('https://e.org/?a&b'),
        { type: 'reply', data: { id: '9' } },
      ]),
    ).to.equal('&lt;b&gt;<br/>&amp;<at id="&quot;1&quot;"/><img src="https://e.org/?a&amp;b"/><quote id="9"/>')
  })

  it('join adjacent texts and drop invalid segments', () => {
    expect(toSegments([Text('a'), Text('b'), null, { type: 'image' }] as unknown as Segment[])).to.deep.equal([
      Text('ab'),
    ])
    expect(renderToPlainText([{ type: 'card', data: { fields: 'x', buttons: [null] } }])).to.equal('')
  })
})
