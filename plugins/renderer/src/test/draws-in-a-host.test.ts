// Through chat, in a thread of its own: pictures for platforms, text where there can be none.
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { definePlugin, HostPaths, type AnyPlugin } from '@mynah/kernel'
import { startHost, TestClock, type TestHost } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import { adapters, Chat, defineAdapter, Html, Markdown, Renderer, type OutboundMessage } from '@mynah/plugin-chat/api'
import { Drawing } from '../drawing.js'
import renderer from '../index.js'
import { LOOK, pixelsOf, refusal } from './support.js'

const plain = (plugin: unknown): AnyPlugin => plugin as AnyPlugin
const ann = { type: 'private', id: 'ann' } as const
const quiet = { debug() {}, info() {}, warn() {}, error() {} } as never

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setTimeout(5)
}

describe('a host with the renderer', () => {
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

  it('sends text where the font lacks a glyph, or the configured one is not there', async () => {
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

describe('the thread that draws', () => {
  const job = (source: string) => ({ text: { format: 'markdown', source } as const, look: LOOK })

  it('draws in order, and goes on after one that takes too long', async () => {
    const clock = new TestClock()
    const drawing = new Drawing(clock, quiet)
    try {
      expect((await drawing.draw(job('first'))).width).to.equal(LOOK.width)
      const slow = refusal(drawing.draw(job('**word** and '.repeat(900))))
      const next = drawing.draw(job('next'))
      await clock.advance(15_000)
      expect(await slow).to.equal('too_large: It could not be drawn within 15 s')
      expect((await next).width).to.equal(LOOK.width)
      await clock.advance(60_000)
      expect(clock.pending).to.equal(0)
      expect((await drawing.draw(job('again'))).width).to.equal(LOOK.width)
    } finally {
      await drawing.close()
    }
  })

  it('takes no more than it can do soon, and refuses what comes after its end', async () => {
    const drawing = new Drawing(new TestClock(), quiet)
    const all = Array.from({ length: 20 }, () => refusal(drawing.draw(job('one of many'))))
    expect((await Promise.all(all.slice(17))).every((said) => said.startsWith('rate_limited'))).to.equal(true)
    await drawing.close()
    expect((await Promise.all(all.slice(0, 17))).every((said) => said === '' || said.startsWith('not_ready'))).to.equal(
      true,
    )
    expect(await refusal(drawing.draw(job('late')))).to.include('not_ready')
  })

  it('names what to install where the packages are missing, and warns of it once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-renderer-'))
    try {
      // The plugin as it is installed without its optional packages.
      const own = dirname(dirname(fileURLToPath(import.meta.url)))
      await cp(own, join(folder, 'dist'), { recursive: true, filter: (path) => !path.includes('test') })
      await writeFile(join(folder, 'package.json'), '{"type":"module"}')
      const require = createRequire(import.meta.url)
      for (const name of [
        '@mynah/kernel',
        '@mynah/contract',
        '@mynah/plugin-chat',
        'htmlparser2',
        'marked',
        'dejavu-fonts-ttf',
      ]) {
        const found = require.resolve.paths(name)?.map((path) => join(path, name)) ?? []
        const at = found.find((path) => {
          try {
            return require.resolve(join(path, 'package.json')) !== ''
          } catch {
            return false
          }
        })
        const link = join(folder, 'node_modules', name)
        await mkdir(dirname(link), { recursive: true })
        await symlink(at as string, link)
      }
      const { Drawing: Installed } = (await import(pathToFileURL(join(folder, 'dist/drawing.js')).href)) as {
        Drawing: typeof Drawing
      }
      const warned: string[] = []
      const drawing = new Installed(new TestClock(), {
        debug() {},
        info() {},
        error() {},
        warn: (message: string) => void warned.push(message),
      } as never)
      const said = [await refusal(drawing.draw(job('a'))), await refusal(drawing.draw(job('b')))]
      await drawing.close()
      const why = 'The package satori is not installed; install it with: npm install satori @resvg/resvg-js'
      expect(said).to.deep.equal([`unsupported: ${why}`, `unsupported: ${why}`])
      expect(warned).to.deep.equal([why])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
