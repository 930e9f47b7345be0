// The editor of texts, in each place that has it, in a browser that renders slowly.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { BrowserContext, Page } from 'playwright-core'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { startHost, type RealHost } from './real-host.js'
import { signedIn } from './signed-in.js'

const token = 'token-of-a-test'
/** The slowdown of the processor. */
const SLOWDOWN = 4

interface Key {
  readonly key: string
  /** Milliseconds after the key before. */
  readonly delay: number
}

/** Returns keys of a person who types in bursts and corrects, always the same for a seed, and the text they make. */
export function typing(seed: number, count: number): { keys: Key[]; text: string } {
  let state = seed
  const random = (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >>> 8) % below
  }
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const keys: Key[] = []
  let text = ''
  while (keys.length < count) {
    const delay = random(25) === 0 ? random(121) : 0
    const isSpace = random(6) === 0 && /[a-z]$/.test(text)
    if (random(9) === 0 && text !== '') {
      text = text.slice(0, -1)
      keys.push({ key: 'Backspace', delay })
    } else {
      const key = isSpace ? ' ' : letters.charAt(random(letters.length))
      text += key
      keys.push({ key, delay })
    }
  }
  return { keys, text }
}

/** Describes the editor in each place that has it, where people type `count` keys. */
export function describeEditor(count: number): void {
  describe('the editor of texts', function () {
    this.timeout(600_000)
    const bench = useBench({ host: 'none' })
    let host: RealHost
    let context: BrowserContext
    let page: Page

    before(async function () {
      this.timeout(240_000)
      host = await startHost(
        (port) => [
          'plugins: [http-core, console-rpc, events, entries, management, workspace]',
          `http: { port: ${port}, token: ${token}, corsOrigins: ["${bench.site.url}"] }`,
        ],
        async (folder) => {
          await writeFile(join(folder, 'NOTES.md'), 'first\n')
          await writeFile(join(folder, 'windows.txt'), 'first\r\nsecond\r\n')
          await writeFile(join(folder, '.env'), 'FIRST=1\n')
        },
      )
      bench.atEnd(() => host.stop())
    })
    beforeEach(async () => {
      ;({ context, page } = await signedIn(bench.browser, bench.site, { url: host.url, token }, '/files'))
      await page.getByText('Live', { exact: true }).waitFor()
    })
    afterEach(() => context.close())

    const open = async (path: string): Promise<void> => {
      await page.goto(bench.site.url + path)
      await page.locator('.cm-content').waitFor()
    }
    /** Returns the text of the editor. All lines of these texts are on the screen. */
    const shown = (): Promise<string> =>
      page
        .locator('.cm-content')
        .evaluate((content) => Array.from(content.querySelectorAll('.cm-line'), (line) => line.textContent).join('\n'))
    const slowly = async (): Promise<void> => {
      const session = await context.newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    }
    const type = async (keys: readonly Key[]): Promise<void> => {
      for (const { key, delay } of keys) {
        if (delay > 0) await page.waitForTimeout(delay)
        await page.keyboard.press(key === ' ' ? 'Space' : key)
      }
    }

    const places: readonly (readonly [string, string])[] = [
      ['Config', '/config?mode=yaml'],
      ['Files', '/files?path=NOTES.md'],
      ['Env', '/env?file=.env&mode=text'],
    ]
    for (const [index, [name, path]] of places.entries())
      it(`keeps all of ${count} keys in ${name}, in order`, async () => {
        await open(path)
        const before = await shown()
        await slowly()
        await page.locator('.cm-content').click()
        await page.keyboard.press('Control+Home')
        const { keys, text } = typing(index + 1, count)
        await type(keys)
        await eventually(async () => expect(await shown()).to.equal(text + before))
        // The page has the draft that the editor shows.
        await page.getByRole('button', { name: /^Discard/ }).waitFor()
        expect(await shown()).to.equal(text + before)
      })

    it('saves what was typed and keeps the line endings of the file', async () => {
      await open('/files?path=windows.txt')
      await page.locator('.cm-content').click()
      await page.keyboard.press('Control+Home')
      await page.keyboard.type('x')
      await page.keyboard.press('Backspace')
      await page.locator('.file-foot').getByText('saved', { exact: true }).waitFor()
      await page.keyboard.type('zeroth')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Control+s')
      await page.getByText('windows.txt was saved').first().waitFor()
      expect(await readFile(join(host.folder, 'windows.txt'), 'utf8')).to.equal('zeroth\r\nfirst\r\nsecond\r\n')
    })

    it('keeps the draft of the configuration over a reload, until it is discarded', async () => {
      await open('/config?mode=yaml')
      await page.locator('.cm-content').click()
      await page.keyboard.press('Control+Home')
      await page.keyboard.type('# mine')
      await page.waitForFunction(() =>
        Object.keys(sessionStorage).some(
          (key) => key.startsWith('mynah_config:') && (sessionStorage.getItem(key) ?? '').includes('# mine'),
        ),
      )
      await page.reload()
      await page.locator('.cm-line', { hasText: '# mine' }).waitFor()
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await page.getByRole('button', { name: /^Discard / }).click()
      await page.locator('.draft-bar').waitFor({ state: 'detached' })
      await page.waitForFunction(() =>
        Object.keys(sessionStorage).every(
          (key) => !key.startsWith('mynah_config:') || sessionStorage.getItem(key) === '',
        ),
      )
    })

    it('shows another version when the draft is discarded, and does not report it as typing', async () => {
      await open('/files?path=NOTES.md')
      await page.locator('.cm-content').click()
      await page.keyboard.press('Control+Home')
      await page.keyboard.type('mine')
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await eventually(async () => expect(await shown()).to.equal('first\n'))
      await page.getByRole('button', { name: 'Discard', exact: true }).waitFor({ state: 'detached' })
    })
  })
}
