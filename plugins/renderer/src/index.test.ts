import { tmpdir } from 'node:os'
import { expect } from 'chai'
import { definePlugin, HostPaths, type AnyPlugin } from '@mynah/kernel'
import { startHost, until, type TestHost } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import { adapters, Chat, defineAdapter, Html, Markdown, Renderer, type OutboundMessage } from '@mynah/plugin-chat/api'
import renderer from './index.js'
import { pixelsOf } from './test/support.js'

const plain = (plugin: unknown): AnyPlugin => plugin as AnyPlugin
const ann = { type: 'private', id: 'ann' } as const

describe('renderer', () => {
  let running: TestHost | undefined
  const sent: OutboundMessage[] = []
  afterEach(async () => {
    await running?.host.stop()
    running = undefined
    sent.length = 0
  })
  const start = async (config: object = {}): Promise<Chat> => {
    const platform = definePlugin({
      name: 'test-platform',
      setup: (ctx) =>
        void ctx.contribute(
          adapters,
          defineAdapter({
            name: 'test',
            acknowledges: 'never',
            create: () => ({
              connect: async () => {},
              disconnect: async () => {},
              send: async (_target, message) => void sent.push(message),
            }),
          }),
        ),
    })
    running = await startHost(
      [
        plain(platform),
        { plugin: plain(chat), config: { endpoints: [{ adapter: 'test', id: 'one', outboundMedia: 'base64' }] } },
        { plugin: plain(renderer), config: { renderer: config } },
      ],
      { services: [[HostPaths, { root: tmpdir(), data: tmpdir() }]] as never },
    )
    const { host } = running
    await until(() => host.get(Chat)?.online() === 1 && host.get(Renderer) !== undefined)
    return host.get(Chat) as Chat
  }

  it('sends formatted content as a picture with its text', async () => {
    const service = await start({ width: 300, scale: 1, theme: 'dark' })
    await service.send('test', 'one', ann, [
      Markdown('| a | b |\n|---|---|\n| 1 | 2 |'),
      Html('<p style="background:#ff0000">red</p>'),
    ])
    const [table, red] = sent[0]?.segments ?? []
    expect([table?.type, table?.data.alt, red?.data.alt, sent[0]?.text]).to.deep.equal([
      'image',
      '| a | b |\n|---|---|\n| 1 | 2 |',
      'red',
      '| a | b |\n|---|---|\n| 1 | 2 |\nred',
    ])
    const picture = Buffer.from(String(red?.data.base64), 'base64')
    const pixels = pixelsOf({ data: picture, width: picture.readUInt32BE(16), height: picture.readUInt32BE(20) })
    expect([picture.readUInt32BE(16), pixels.count('#ff0000') > 1_000]).to.deep.equal([300, true])
  })

  it('sends text when the font lacks a glyph or the configured font is missing', async () => {
    const service = await start()
    await service.send('test', 'one', ann, [Markdown('**漢字**')])
    expect(sent[0]?.segments).to.deep.equal([{ type: 'text', data: { text: '**漢字**' } }])
    await running?.host.stop()
    sent.length = 0
    await (await start({ fonts: ['no-such-font.ttf'] })).send('test', 'one', ann, [Markdown('words')])
    expect(sent[0]?.segments).to.deep.equal([{ type: 'text', data: { text: 'words' } }])
    expect(running?.log.map(({ message }) => message).join('\n')).to.include('renderer.fonts[0] cannot be read')
  })
})
