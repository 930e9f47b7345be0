// The initial page stays within its budget.
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { buildConsole, consoleRoot } from '../site.js'

interface Chunk {
  readonly file: string
  readonly imports?: string[]
  readonly dynamicImports?: string[]
  readonly css?: string[]
  readonly isEntry?: boolean
}

const KB = 1000
/** Libraries that come when something is edited: the text editor, and YAML with the checking of schemas. */
const later: Readonly<Record<string, number>> = {
  'src/ui/parts/editor.tsx': 130 * KB,
  'src/pages/config/yaml-tools.ts': 40 * KB,
  // The form of a new account or model, with the steps for each platform. It comes after the page that asks what it is
  // for.
  'src/pages/setup/try-form.tsx': 18 * KB,
  // The dialog that enables a plugin has the fields of the page Config. It comes after a click.
  'src/pages/plugins/enable.tsx': 18 * KB,
}
const dist = join(consoleRoot, 'dist')
const size = async (file: string): Promise<number> => gzipSync(await readFile(join(dist, file)), { level: 9 }).length

describe('budget of the built console', () => {
  let manifest: Record<string, Chunk>
  const files = (roots: readonly string[]): { js: string[]; css: string[] } => {
    const seen = new Set<string>()
    const visit = (key: string): void => {
      const chunk = manifest[key]
      if (!chunk || seen.has(key)) return
      seen.add(key)
      chunk.imports?.forEach(visit)
    }
    roots.forEach(visit)
    const chunks = [...seen].map((key) => manifest[key]).filter((chunk) => chunk !== undefined)
    return { js: chunks.map((chunk) => chunk.file), css: [...new Set(chunks.flatMap((chunk) => chunk.css ?? []))] }
  }

  before(async function () {
    this.timeout(60_000)
    await buildConsole()
    manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
  })

  it('loads at most 45 KB of scripts and 10 KB of styles for the first screen, the dashboard included', async () => {
    const { js, css } = files(['index.html', 'src/pages/dashboard/index.tsx'])
    expect(js.length).to.be.greaterThan(2)
    const sum = async (list: string[]): Promise<number> =>
      (await Promise.all(list.map(size))).reduce((total, each) => total + each, 0)
    expect(await sum(js)).to.be.at.most(45 * KB)
    expect(await sum(css)).to.be.within(1 * KB, 10 * KB)
  })

  it('keeps every page within 15 KB', async () => {
    const first = new Set(files(['index.html']).js)
    const pages = Object.keys(manifest).filter((key) => key.startsWith('src/pages/'))
    expect(pages).to.include('src/pages/plugins/index.tsx')
    for (const page of pages.filter((name) => !(name in later))) {
      const own = files([page]).js.filter((file) => !first.has(file))
      const total = (await Promise.all(own.map(size))).reduce((sum, each) => sum + each, 0)
      expect(total, page).to.be.at.most(15 * KB)
    }
  })

  it('keeps code that loads with the first edit within its own budget', async () => {
    const first = new Set(files(['index.html']).js)
    for (const [name, most] of Object.entries(later)) {
      const own = files([name]).js.filter((file) => !first.has(file))
      const total = (await Promise.all(own.map(size))).reduce((sum, each) => sum + each, 0)
      expect(total, name).to.be.within(5 * KB, most)
    }
  })

  it('asks for at most 12 files before anything is clicked, and for none of another origin', async () => {
    const { js, css } = files(['index.html', 'src/pages/dashboard/index.tsx'])
    expect(js.length + css.length).to.be.at.most(12)
    const html = await readFile(join(dist, 'index.html'), 'utf8')
    expect(html).to.not.match(/(?:src|href)="(?:https?:)?\/\//)
  })

  it('loads the styles of parts with each page, after those of the shell', async () => {
    const html = await readFile(join(dist, 'index.html'), 'utf8')
    expect(html.match(/rel="stylesheet"/g)).to.have.length(1)
    const pages = Object.keys(manifest).filter(
      (key) => /^src\/pages\/\w+\/index\.tsx$/.test(key) && !key.includes('/login/'),
    )
    expect(pages).to.have.length.greaterThan(14)
    for (const page of pages) expect(files([page]).css.join(), page).to.match(/\/parts-/)
  })

  it('carries no schema validator', async () => {
    for (const name of await readdir(join(dist, 'assets'))) {
      if (name.endsWith('.js'))
        expect(await readFile(join(dist, 'assets', name), 'utf8'), name).to.not.match(/typebox|\bajv\b/i)
    }
  })
})
