import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { definePlugin, HostPaths, type AnyPlugin } from '@mynah/kernel'
import type { Content } from '@mynah/contract/types'
import { defineCommand, Html, Markdown, Renderer, renderToPlainText, Text, type RichText } from '../api.js'
import { htmlText } from '../api/html-text.js'
import { sanitizeSegments } from '../inbound/sanitize-segments.js'
import { eachTest, type PlatformOptions } from '../test/support.js'

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47])
const ann = { type: 'private', id: 'ann' } as const

/** Returns a renderer that records its calls, and draws unless it is set to fail. */
function drawing(fails = false): { readonly plugin: AnyPlugin; readonly asked: RichText[] } {
  const asked: RichText[] = []
  const plugin = definePlugin({
    name: 'draws',
    provides: [Renderer],
    setup: (ctx) =>
      void ctx.provide(Renderer, {
        async render(text) {
          asked.push(text)
          if (fails) throw new Error('no glyph for 漢')
          return { data: PNG, width: 10, height: 20 }
        },
      }),
  })
  return { plugin: plugin as unknown as AnyPlugin, asked }
}

describe('ContentAdapter', () => {
  const platforms = eachTest()
  const saying = (content: Content, options: PlatformOptions = {}) =>
    platforms.start({
      ...options,
      commands: [defineCommand({ name: 'show', description: 'Shows', run: () => content })],
    })
  const content = [Text('Look:'), Markdown('| a |\n|---|\n| 1 |'), Html('<p>one<br>two</p>'), Text('That is all.')]
  const asText = 'Look:\n| a |\n|---|\n| 1 |\none\ntwo\nThat is all.'

  it('renders rich text as pictures with its words, and stores it unchanged', async () => {
    const { plugin, asked } = drawing()
    const bot = await saying(content, {
      plugins: [plugin],
      config: { endpoints: [{ adapter: 'test', id: 'one', outboundMedia: 'base64' }] },
    })
    const id = await bot.hear('/show')
    await bot.handled(id)
    const segments = bot.sent[0]?.message.segments ?? []
    expect(segments.map(({ type }) => type)).to.deep.equal(['text', 'image', 'image', 'text'])
    expect(segments[1]?.data).to.deep.equal({
      base64: Buffer.from(PNG).toString('base64'),
      mime: 'image/png',
      name: 'markdown.png',
      alt: '| a |\n|---|\n| 1 |',
    })
    expect(asked).to.deep.equal([
      { format: 'markdown', source: '| a |\n|---|\n| 1 |' },
      { format: 'html', source: '<p>one<br>two</p>' },
    ])
    expect(bot.steps(id)).to.include('render markdown drawn')
    const row = (await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 5 })).at(-1)
    expect(row?.text).to.equal(asText)
    expect(row?.content).to.deep.equal(content)
  })

  it('sends rich text as text where rendering fails, with the reason in the trace', async () => {
    const bot = await saying(content, { plugins: [drawing(true).plugin] })
    const id = await bot.hear('/show')
    await bot.handled(id)
    expect(bot.sent[0]?.message.segments).to.deep.equal([Text(asText)])
    expect(
      bot.chat.traces({ limit: 1, messageId: id })[0]?.steps.find(({ stage }) => stage === 'render')?.reason,
    ).to.equal('no glyph for 漢')
  })

  it('sends rich text as text without a renderer, and warns once', async () => {
    const bot = await saying(content)
    expect(await bot.say('/show')).to.deep.equal([asText])
    expect(await bot.say('/show')).to.deep.equal([asText])
    expect(bot.sent[0]?.message.segments).to.deep.equal([Text(asText)])
    expect(
      bot.log.filter(({ level, message }) => level === 'warn' && message.includes('plugin renderer')),
    ).to.have.length(1)
  })

  it('keeps rich text where the platform shows it, and sends text where there are no pictures', async () => {
    const { plugin, asked } = drawing()
    const bot = await saying(content, { plugins: [plugin], adapter: { shows: ['markdown'] } })
    await bot.say('/show')
    expect(bot.sent[0]?.message.segments).to.deep.equal([
      Text('Look:'),
      Markdown('| a |\n|---|\n| 1 |'),
      Text('one\ntwo\nThat is all.'),
    ])
    expect(asked).to.deep.equal([])
    expect([
      bot.chat.shows('test', 'one', 'markdown'),
      bot.chat.shows('test', 'one', 'image'),
      bot.chat.shows('test', 'nobody', 'image'),
    ]).to.deep.equal([true, false, false])
  })

  it('uses text in an edit, which cannot become a picture', async () => {
    const { plugin, asked } = drawing()
    const edits: unknown[] = []
    const bot = await platforms.start({
      plugins: [plugin],
      bot: { edit: async (_target, _id, message) => void edits.push(message.segments) },
    })
    const draft = await bot.chat.draft('test', 'one', ann, { key: 'k' })
    draft?.update('one')
    await draft?.end([Markdown('*two*')])
    expect(asked).to.deep.equal([])
    expect([...bot.sent.map(({ message }) => message.segments), ...edits].at(-1)).to.deep.equal([Text('*two*')])
  })
})

describe('htmlText', () => {
  it('writes blocks on lines and cells between bars, without scripts', () => {
    const cases: [string, string][] = [
      ['<h1>Title</h1><p>one &amp; <b>two</b></p>', 'Title\none & two'],
      ['<ul><li>a</li><li>b</li></ul>', '- a\n- b'],
      ['<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>', 'A | B\n1 | 2'],
      ['a<script>alert("<p>")</script>b<style>p{}</style>', 'ab'],
      ['1 < 2 &lt; 3 &#x1F600; &#55357; &bogus;', '1 < 2 < 3 \u{1F600}  &bogus;'],
      ['<!-- no -->x<br/>y', 'x\ny'],
      ['<p', ''],
      ['', ''],
    ]
    for (const [html, text] of cases) expect(htmlText(html), html).to.equal(text)
  })

  it('reads any input in linear time', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('<p>', '</', '<script>', '&lt;', '<!--', '-->', 'word ', '<td>', '\n', '>', '<')),
        (parts) => typeof htmlText(parts.join('')) === 'string',
      ),
    )
    for (const part of ['<script>', '<b>x', '<!--', '<', '&#', '<td>', ' \n '])
      expect(htmlText(part.repeat(200_000))).to.be.a('string')
  })
})

describe('ContentAdapter with stored media', () => {
  const platforms = eachTest()
  let data: string
  before(async () => {
    data = await mkdtemp(join(tmpdir(), 'mynah-chat-'))
  })
  after(() => rm(data, { recursive: true, force: true }))
  const sound = Buffer.from('sound')
  const hash = createHash('sha256').update(sound).digest('hex')
  const voice = { type: 'audio', data: { hash, mime: 'audio/mpeg', name: 'voice.mp3', transcript: 'good morning' } }

  it('sends a file of the media folder by its hash, and its words as text', async () => {
    await mkdir(join(data, 'media'), { recursive: true })
    await writeFile(join(data, 'media', hash), sound)
    const bot = await platforms.start({ host: { services: [[HostPaths, { root: data, data }]] as never } })
    await bot.chat.send('test', 'one', ann, [voice], { key: 'k' })
    expect(bot.sent[0]?.message).to.deep.include({
      text: 'good morning',
      segments: [
        {
          type: 'audio',
          data: { file: join(data, 'media', hash), mime: 'audio/mpeg', name: 'voice.mp3', transcript: 'good morning' },
        },
      ],
    })
    const rows = await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 5 })
    expect(JSON.stringify(rows)).to.include(hash).and.not.include(data)
  })

  it('refuses hashes that are unknown or lead out of the media folder', async () => {
    expect(sanitizeSegments([voice])[0]?.data).to.deep.equal({
      mime: 'audio/mpeg',
      name: 'voice.mp3',
      transcript: 'good morning',
    })
    const bot = await platforms.start({ host: { services: [[HostPaths, { root: data, data }]] as never } })
    const failure = await bot.chat
      .send('test', 'one', ann, [{ type: 'audio', data: { hash: '../../etc/passwd' } }])
      .then(
        () => '',
        (error: Error) => error.message,
      )
    expect(failure).to.include('not stored here')
    expect(bot.sent).to.deep.equal([])
    expect(renderToPlainText([{ type: 'voice', data: {} }])).to.equal('[audio]')
  })
})
