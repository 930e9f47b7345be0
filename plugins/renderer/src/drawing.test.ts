import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { TestClock } from '@mynah/kernel/testing'
import { Drawing } from './drawing.js'
import { LOOK, refusal } from './test/support.js'

const quiet = { debug() {}, info() {}, warn() {}, error() {} } as never

describe('Drawing', () => {
  const job = (source: string) => ({ text: { format: 'markdown', source } as const, look: LOOK })

  it('draws in order, and continues after a timeout', async () => {
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

  it('limits the queue, and refuses documents after close', async () => {
    const drawing = new Drawing(new TestClock(), quiet)
    const all = Array.from({ length: 20 }, () => refusal(drawing.draw(job('one of many'))))
    expect((await Promise.all(all.slice(17))).every((said) => said.startsWith('rate_limited'))).to.equal(true)
    await drawing.close()
    expect((await Promise.all(all.slice(0, 17))).every((said) => said === '' || said.startsWith('not_ready'))).to.equal(
      true,
    )
    expect(await refusal(drawing.draw(job('late')))).to.include('not_ready')
  })

  it('names missing packages, and warns once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-renderer-'))
    try {
      // A copy of the plugin that is installed without its optional packages.
      const own = dirname(fileURLToPath(import.meta.url))
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
