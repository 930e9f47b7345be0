import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { BrowserContext, Page } from 'playwright-core'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { startHost, type RealHost } from './real-host.js'
import { signedIn } from './signed-in.js'

const token = 'token-of-a-test'
/** Two pixels, one of them red. */
const GIF = Buffer.from('R0lGODlhAgABAPAAAP8AAAAAACH5BAAAAAAALAAAAAACAAEAAAICBAoAOw==', 'base64')
const HOSTILE_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>localStorage.setItem("stolen", "yes")</script>' +
  '<image href="x" onerror="localStorage.setItem(\'stolen\', \'yes\')"/><rect width="40" height="20" fill="green"/></svg>'
const PDF = '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n'

describe('Files on a real host', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let host: RealHost
  let context: BrowserContext
  let page: Page
  let problems: string[]

  before(async () => {
    host = await startHost(
      (port) => [
        'plugins: [http-core, console-rpc, events, entries, management, workspace]',
        `http: { port: ${port}, token: ${token}, corsOrigins: ["${bench.site.url}"] }`,
      ],
      async (folder) => {
        await mkdir(join(folder, 'notes'))
        await mkdir(join(folder, 'keys'))
        await writeFile(join(folder, 'notes/a.md'), 'first\n')
        await writeFile(join(folder, 'keys/server.pem'), 'secret')
        await writeFile(join(folder, 'dot.gif'), GIF)
        await writeFile(join(folder, 'drawing.svg'), HOSTILE_SVG)
        await writeFile(join(folder, 'paper.pdf'), PDF)
        await writeFile(join(folder, 'page.pdf'), '<script>localStorage.setItem("stolen", "yes")</script>')
        await writeFile(join(folder, 'broken.png'), 'no picture')
        await symlink('/etc', join(folder, 'linked'))
      },
    )
    bench.atEnd(() => host.stop())
  })
  const open = async (path = '/files', options = {}): Promise<void> => {
    const opened = await signedIn(bench.browser, bench.site, { url: host.url, token }, path, options)
    ;({ context, page, problems } = opened)
    await page.getByRole('tree').waitFor({ state: 'attached' })
    await page.getByText('notes', { exact: true }).first().waitFor({ state: 'attached' })
  }
  afterEach(async () => {
    expect(await page.evaluate(() => localStorage.getItem('stolen'))).to.equal(null)
    await context.close()
  })
  const here = (name: string) => join(host.folder, name)
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) })
  const item = (name: string) => page.getByRole('treeitem', { name })
  const dialog = () => page.getByRole('dialog')

  it('uploads the files of a dialog, names what is replaced, and keeps protected names out', async () => {
    await open()
    await button('Upload…').click()
    await dialog().getByLabel('Into the folder').selectOption('notes')
    await page.locator('input[type=file]').setInputFiles([
      { name: 'a.md', mimeType: 'text/plain', buffer: Buffer.from('replaced\n') },
      { name: 'new.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 255, 1]) },
      { name: 'big.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(8_388_609) },
    ])
    await dialog().getByText('replaces the one that is there').waitFor()
    await dialog().getByText('over 8 MB: not uploaded').waitFor()
    await button('Upload 2 files').click()
    await page.getByText('2 files were uploaded').first().waitFor()
    expect(await readFile(here('notes/a.md'), 'utf8')).to.equal('replaced\n')
    expect(await readFile(here('notes/new.bin'))).to.deep.equal(Buffer.from([0, 255, 1]))
    expect(await readdir(here('notes'))).to.not.include('big.bin')
    // A protected name is refused by the host, in its own words.
    await button('Upload…').click()
    await page.locator('input[type=file]').setInputFiles({ name: '.env', mimeType: '', buffer: Buffer.from('A=1') })
    await button('Upload 1 file').click()
    await page.getByText('This file is not open to the console').first().waitFor()
    expect(await readdir(host.folder)).to.not.include('.env')
  })

  it('takes files that are dropped on a folder of the tree', async () => {
    await open()
    const files = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['dropped'], 'dropped.txt'))
      return transfer
    })
    await item('notes').dispatchEvent('dragover', { dataTransfer: files })
    await item('notes').dispatchEvent('drop', { dataTransfer: files })
    expect(await dialog().getByLabel('Into the folder').inputValue()).to.equal('notes')
    await button('Upload 1 file').click()
    await item('dropped.txt').waitFor()
    expect(await readFile(here('notes/dropped.txt'), 'utf8')).to.equal('dropped')
  })

  it('makes, renames and moves by the keyboard, and keeps the draft of a moved file', async () => {
    await open()
    await button('More').press('Enter')
    await page.getByRole('menuitem', { name: 'New folder…' }).press('Enter')
    await dialog().getByLabel('Path').fill('docs')
    await dialog().getByLabel('Path').press('Enter')
    await item('docs').waitFor()
    await writeFile(here('move.md'), 'text\n')
    await button('Refresh').click()
    await item('move.md').click()
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.insertText('draft ')
    await page.getByText(/not saved/).waitFor()
    await item('move.md').focus()
    await page.keyboard.press('F2')
    await dialog().getByLabel('New path').fill('docs')
    await dialog().getByText('This name is taken').waitFor()
    await dialog().getByLabel('New path').fill('docs/moved.md')
    await dialog().getByLabel('New path').press('Enter')
    await item('moved.md').waitFor()
    await page.locator('.cm-line', { hasText: 'draft text' }).waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('moved.md was saved').first().waitFor()
    expect(await readFile(here('docs/moved.md'), 'utf8')).to.equal('draft text\n')
    expect(await readdir(host.folder)).to.not.include('move.md')
    // A folder that holds a protected file stays where it is.
    await item('keys').focus()
    await page.keyboard.press('F2')
    await dialog().getByLabel('New path').fill('shown')
    await dialog().getByLabel('New path').press('Enter')
    await page.getByText('This folder holds files that are not open to the console').first().waitFor()
    expect(await readdir(host.folder)).to.include('keys')
  })

  it('shows pictures and PDF files, and runs nothing that is in them', async () => {
    await open('/files?path=dot.gif')
    await page.getByText('2 × 1').waitFor()
    await item('drawing.svg').click()
    await page.getByText('40 × 20').waitFor()
    expect(await page.locator('.file-picture img').getAttribute('src')).to.match(/^data:image\/svg\+xml;base64,/)
    await button('Edit as text').click()
    await page.locator('.cm-line', { hasText: '<script>' }).waitFor()
    await button('Show as a picture').click()
    await page.getByText('40 × 20').waitFor()
    await item('broken.png').click()
    await page.getByText('This is no picture that a browser can show').waitFor()
    await item('page.pdf').click()
    await page.getByText('This is no PDF file').waitFor()
    await item('paper.pdf').click()
    await page.locator('iframe[title="paper.pdf"][src^="blob:"]').waitFor()
    expect(problems.filter((problem) => /Content.Security.Policy/i.test(problem))).to.deep.equal([])
  })

  it('downloads the same bytes', async () => {
    await open('/files?path=dot.gif')
    const [download] = await Promise.all([page.waitForEvent('download'), button('Download').click()])
    expect(download.suggestedFilename()).to.equal('dot.gif')
    expect(await readFile(await download.path())).to.deep.equal(GIF)
  })

  it('shows both versions of a file that was changed elsewhere, and saves the one that is chosen', async () => {
    await writeFile(here('three.md'), 'base\n')
    await open('/files?path=three.md')
    const type = async (text: string): Promise<void> => {
      await page.locator('.cm-content').click()
      await page.keyboard.press('Control+Home')
      await page.keyboard.insertText(text)
      await page.getByText(/not saved/).waitFor()
    }
    const notice = () => page.getByRole('alert').filter({ hasText: 'Your changes are safe here' })
    await type('mine ')
    await writeFile(here('three.md'), 'theirs\n')
    await page.keyboard.press('Control+s')
    await notice().waitFor()
    expect(await readFile(here('three.md'), 'utf8')).to.equal('theirs\n')
    await button('Compare').press('Enter')
    await dialog().locator('.diff .del', { hasText: 'theirs' }).waitFor()
    await dialog().locator('.diff .add', { hasText: 'mine base' }).waitFor()
    await page.keyboard.press('Escape')
    await button('Keep mine').press('Enter')
    await notice().waitFor({ state: 'detached' })
    await page.keyboard.press('Control+s')
    await page.getByText('three.md was saved').first().waitFor()
    expect(await readFile(here('three.md'), 'utf8')).to.equal('mine base\n')
    // Coming back to the window is enough to see it.
    await type('more ')
    await writeFile(here('three.md'), 'theirs again\n')
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await notice().waitFor()
    await button('Take theirs').press('Enter')
    await page.locator('.cm-line', { hasText: 'theirs again' }).waitFor()
    await eventually(async () => expect(await page.getByText(/not saved/).count()).to.equal(0))
  })

  for (const width of [390, 1440])
    for (const locale of ['en-GB', 'zh-CN'])
      it(`fits a screen of ${width} px in ${locale}`, async () => {
        await open('/files', { viewport: { width, height: 844 }, locale })
        const files = await page.evaluateHandle(() => {
          const transfer = new DataTransfer()
          transfer.items.add(new File(['a'], `${'long-name-'.repeat(12)}.txt`))
          return transfer
        })
        await page.getByRole('tree').dispatchEvent('drop', { dataTransfer: files })
        await dialog().locator('.upload-list li').waitFor()
        if (process.env['SHOTS'])
          await page.screenshot({ path: join(process.env['SHOTS'], `files-${width}-${locale}.png`) })
        const over = await page.evaluate(() => [
          document.documentElement.scrollWidth - innerWidth,
          ...[...document.querySelectorAll('dialog, dialog .body')].map((part) => part.scrollWidth - part.clientWidth),
        ])
        expect(Math.max(...over)).to.be.at.most(2)
      })
})
