// The console in Firefox: what another engine may do otherwise, as keys, focus, editors, streams and layout.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { skipBecause, until } from '@mynah/kernel/testing'
import { typing } from './editor-typing.js'
import { eventually } from './eventually.js'
import { exampleAnswers, pageAddresses } from './example-data.js'
import { firefoxPath, launchFirefox, openFirefox, type Firefox, type FirefoxPage, type FirefoxTest } from './firefox.js'
import { startHost, type RealHost } from './real-host.js'
import { serve, type Site } from './site.js'
import { healthy, standIn, TOKEN, type StandIn } from './stand-in.js'

const token = 'token-of-a-test'
const KEYS = 300
const program = firefoxPath()

/** The pages that the example data do not list. */
const firstPages = [
  { path: '/dashboard', ready: '.dash .lines' },
  { path: '/plugins', ready: 'tbody tr' },
  { path: '/plugins/chat', ready: '.tabs .section' },
]

/** Returns the text of what is found first; empty where there is nothing. */
const textOf = (page: FirefoxPage, selector: string): Promise<string> =>
  page.evaluate((wanted) => document.querySelector(wanted)?.textContent ?? '', selector)
/** Waits until something has a text. */
const hasText = (page: FirefoxPage, selector: string, text: string): Promise<unknown> =>
  page.waitForFunction(
    (wanted, words) => [...document.querySelectorAll(wanted)].some((element) => element.textContent?.includes(words)),
    {},
    selector,
    text,
  )
/** Returns the text of the editor. All lines of these texts are on the screen. */
const edited = (page: FirefoxPage): Promise<string> =>
  page.evaluate(() => Array.from(document.querySelectorAll('.cm-line'), (line) => line.textContent).join('\n'))
const press = async (page: FirefoxPage, held: string, key: string): Promise<void> => {
  await page.keyboard.down(held)
  await page.keyboard.press(key)
  await page.keyboard.up(held)
}

const title = program ? 'in Firefox' : 'in Firefox (skipped: there is no firefox-esr; set FIREFOX_PATH)'
describe(`the console ${title}`, function () {
  this.timeout(240_000)
  let firefox: Firefox
  let site: Site
  let standing: StandIn
  let test: FirefoxTest
  let page: FirefoxPage

  before(async function () {
    if (!program) return skipBecause(this, 'there is no Firefox')
    firefox = await launchFirefox(program)
    site = await serve()
  })
  after(async () => {
    await firefox?.close()
    await site?.close()
  })
  beforeEach(async () => {
    standing = await standIn()
    standing.answers = { ...healthy(), ...exampleAnswers() }
  })
  afterEach(async () => {
    await test?.close()
    await standing?.close()
  })

  const open = async (path: string, target = { url: standing.url, token: TOKEN }, theme = 'system'): Promise<void> => {
    const values = { mynah_api_base: target.url, mynah_api_token: target.token, mynah_theme: theme }
    test = await openFirefox(firefox, { origin: site.url, values })
    ;({ page } = test)
    await page.goto(site.url + path)
  }

  it('signs in by the keyboard, and stays signed in', async () => {
    standing.answers = healthy()
    test = await openFirefox(firefox)
    ;({ page } = test)
    await page.goto(`${site.url}/plugins?filter=chat`)
    await page.waitForSelector('input[name=base]')
    await page.focus('input[name=base]')
    await press(page, 'Control', 'a')
    await page.keyboard.type(standing.url)
    await hasText(page, 'main', 'Reachable')
    await page.focus('input[name=token]')
    await page.keyboard.type(TOKEN)
    await page.keyboard.press('Enter')
    await hasText(page, 'tbody th', 'chat')
    await eventually(() => expect(page.url()).to.equal(`${site.url}/plugins?filter=chat`))
    await page.reload()
    await hasText(page, 'tbody th', 'chat')
    expect(test.problems).to.deep.equal([])
  })

  for (const theme of ['light', 'dark'])
    it(`opens every page without an error and as wide as the screen (${theme})`, async () => {
      await open('/dashboard', undefined, theme)
      const found: string[] = []
      for (const { path, ready } of [...firstPages, ...pageAddresses])
        for (const width of [390, 1280]) {
          await page.setViewport({ width, height: 844 })
          await page.goto(site.url + path)
          await page.waitForSelector(`main ${ready}`)
          const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          if (over > 0) found.push(`${path} is ${over} px too wide at ${width}`)
          found.push(...test.problems.splice(0).map((problem) => `${path}: ${problem}`))
        }
      expect(found).to.deep.equal([])
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).to.equal(theme)
    })

  it('goes to a plugin by the palette', async () => {
    standing.answers = healthy()
    await open('/dashboard')
    await hasText(page, '.state', 'Live')
    await press(page, 'Control', 'k')
    await page.waitForSelector('dialog[open] [role=combobox]')
    await page.keyboard.type('http')
    await hasText(page, '[role=option][aria-selected=true]', 'http-core')
    await hasText(page, '[role=option][aria-selected=true]', 'plugin')
    await page.keyboard.press('Enter')
    await eventually(() => expect(page.url()).to.equal(`${site.url}/plugins/http-core`))
    await page.waitForSelector('dialog[open]', { hidden: true })
    expect(test.problems).to.deep.equal([])
  })

  it('moves through the grid of Database by arrows, and edits by Enter and Escape', async () => {
    await open('/database?table=quotes')
    await page.waitForSelector('.grid tbody th')
    const at = (): Promise<string> =>
      page.evaluate(() => {
        const cell = document.activeElement?.closest<HTMLTableCellElement>('td, th')
        const row = cell?.closest('tr')
        return `${row?.closest('thead') ? 'head' : row?.rowIndex}/${cell?.cellIndex}`
      })
    const named = (name: string): Promise<unknown> =>
      page.waitForFunction((wanted) => document.activeElement?.getAttribute('aria-label') === wanted, {}, name)
    await page.focus('.grid [tabindex="0"]')
    for (const [key, place] of [
      ['ArrowRight', '1/2'],
      ['ArrowDown', '2/2'],
      ['ArrowLeft', '2/1'],
      ['ArrowUp', '1/1'],
      ['ArrowUp', 'head/1'],
      ['ArrowDown', '1/1'],
      ['ArrowRight', '1/2'],
    ] as const) {
      await page.keyboard.press(key)
      expect(await at(), key).to.equal(place)
    }
    const former = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
    expect(former).to.match(/^Edit text: ./)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.cell-input')
    await page.keyboard.type('never')
    await page.keyboard.press('Escape')
    await named(former)
    expect(await page.evaluate(() => document.querySelector('.draft-bar'))).to.equal(null)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.cell-input')
    await page.keyboard.type('It was the cache.')
    await page.keyboard.press('Enter')
    await named('Edit text: It was the cache.')
    await page.waitForSelector('.draft-bar')
    expect(test.problems).to.deep.equal([])
  })

  it('shows what the host pushes without a reload, and connects again', async () => {
    const commands = (count: number): void => {
      const { data } = healthy()['GET /stats'] as { data: object }
      standing.answers['GET /stats'] = { data: { ...data, commands: count } }
    }
    await open('/dashboard')
    await hasText(page, '.state', 'Live')
    await page.evaluate(() => Object.assign(globalThis, { isFirstLoad: true }))
    for (const count of [701, 702, 703]) {
      commands(count)
      standing.push('data-update', { timestamp: Date.now() })
      await hasText(page, '.dash .lines', String(count))
    }
    expect(standing.streams).to.equal(1)
    expect(test.problems).to.deep.equal([])
    commands(704)
    standing.dropStreams()
    await until(() => standing.streams === 1)
    await hasText(page, '.state', 'Live')
    standing.push('data-update', { timestamp: Date.now() })
    await hasText(page, '.dash .lines', '704')
    expect(await page.evaluate(() => 'isFirstLoad' in globalThis)).to.equal(true)
  })

  describe('with a real host', () => {
    let host: RealHost
    before(async () => {
      host = await startHost(
        (port) => [
          'plugins: [http-core, console-rpc, events, entries, management, workspace, chat, adapter-sandbox]',
          `http: { port: ${port}, token: ${token}, corsOrigins: ["${site.url}"] }`,
          'endpoints: [{ adapter: sandbox, id: sandbox, master: me }]',
        ],
        (folder) => writeFile(join(folder, 'NOTES.md'), 'first\n'),
      )
    })
    after(() => host?.stop())
    const openReal = (path: string): Promise<void> => open(path, { url: host.url, token })

    for (const [index, [name, path]] of [
      ['Config', '/config?mode=yaml'],
      ['Files', '/files?path=NOTES.md'],
    ].entries())
      it(`keeps all keys typed at full speed in the editor of ${name}, in order`, async () => {
        await openReal(path ?? '')
        await page.waitForSelector('.cm-line')
        const former = await edited(page)
        await page.click('.cm-content')
        await press(page, 'Control', 'Home')
        const { keys, text } = typing(index + 1, KEYS)
        for (const { key } of keys) await page.keyboard.press(key)
        // The driver sends the whole line to the browser at once.
        const line = ' the quick brown fox jumps over the lazy dog'.repeat(4)
        await page.keyboard.type(line)
        await eventually(async () => expect(await edited(page)).to.equal(text + line + former))
        await page.waitForSelector('.draft-bar, .file-foot')
        await page.keyboard.press('Backspace')
        await eventually(async () => expect(await edited(page)).to.equal((text + line).slice(0, -1) + former))
        expect(test.problems).to.deep.equal([])
      })

    it('saves a file by Ctrl S', async () => {
      await openReal('/files?path=NOTES.md')
      await page.waitForSelector('.cm-line')
      await page.click('.cm-content')
      await press(page, 'Control', 'Home')
      await page.keyboard.type('zeroth')
      await page.keyboard.press('Enter')
      await press(page, 'Control', 's')
      await hasText(page, '.toast', 'NOTES.md was saved')
      expect(await readFile(join(host.folder, 'NOTES.md'), 'utf8')).to.equal('zeroth\nfirst\n')
      expect(test.problems).to.deep.equal([])
    })

    it('sends a message in the sandbox, and gets an answer', async () => {
      await openReal('/sandbox')
      await page.waitForSelector('.sb-composer textarea')
      await page.focus('.sb-composer textarea')
      await page.keyboard.type('/help')
      await page.keyboard.press('Enter')
      await hasText(page, '.sb-message.in', '/help')
      await hasText(page, '.sb-message:not(.in)', '/help')
      expect(await textOf(page, '.sb-message:not(.in)')).to.contain('Commands:')
      expect(test.problems).to.deep.equal([])
    })
  })
})
