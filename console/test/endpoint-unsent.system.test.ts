import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { axeSource, findings } from './axe.js'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { startHost, type RealHost } from './real-host.js'
import { signedIn } from './signed-in.js'

const token = 'token-of-a-test'

/** A platform that refuses all messages while the file `down` exists, and loses the answer to some of them. */
const PLATFORM = `
import { appendFile, access } from 'node:fs/promises'
import { adapters, defineAdapter, SendError } from '@mynah/plugin-chat/api'
export default {
  name: 'adapter-letters',
  setup(ctx) {
    ctx.contribute(adapters, defineAdapter({
      name: 'letters',
      acknowledges: 'never',
      create: () => ({
        async connect() { return { id: 'bot' } },
        async disconnect() {},
        async send(target, { text }) {
          const isDown = await access(new URL('down', import.meta.url)).then(() => true, () => false)
          if (isDown && text.startsWith('maybe')) throw new Error('socket hang up')
          if (isDown) throw new SendError('refused', 'the bot was muted in ' + target.id)
          await appendFile(new URL('sent', import.meta.url), text + '\\n')
          return { messageId: 'p1' }
        },
      }),
    }))
  },
}
`

describe('messages that did not arrive, on a real host', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let host: RealHost
  let context: BrowserContext
  let page: Page

  before(async () => {
    host = await startHost(
      (port) => [
        'plugins: [http-core, console-rpc, events, entries, management, workspace, logs, database, inbox, chat, ./letters.js]',
        `http: { port: ${port}, token: ${token}, corsOrigins: ["${bench.site.url}"] }`,
        'endpoints: [{ adapter: letters, id: post }]',
      ],
      async (folder) => {
        await writeFile(join(folder, 'letters.js'), PLATFORM)
        await writeFile(join(folder, 'sent'), '')
      },
    )
    bench.atEnd(() => host.stop())
  })
  const sent = (): Promise<string> => readFile(join(host.folder, 'sent'), 'utf8')
  /** Sends messages while the platform is down. */
  const lose = async (...texts: string[]): Promise<void> => {
    await writeFile(join(host.folder, 'down'), '')
    for (const content of texts) {
      const answer = await fetch(`${host.url}/api/message/send`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ context: 'letters', endpoint: 'post', id: 'ann', type: 'private', content }),
      })
      expect(answer.ok).to.equal(false)
    }
    await rm(join(host.folder, 'down'))
  }
  const open = async (options: BrowserContextOptions = {}): Promise<void> => {
    ;({ context, page } = await signedIn(
      bench.browser,
      bench.site,
      { url: host.url, token },
      '/endpoints/letters/post',
      {
        reducedMotion: 'reduce',
        ...options,
      },
    ))
    await page.locator('.unsent li').first().waitFor()
  }
  afterEach(() => context.close())
  const row = (text: string) => page.locator('.unsent li', { hasText: text })
  const button = (text: string) => row(text).getByRole('button')
  const shot = async (name: string): Promise<void> => {
    if (process.env['SHOTS']) await page.screenshot({ path: join(process.env['SHOTS'], `${name}.png`), fullPage: true })
  }
  const assertFits = async (): Promise<void> => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).to.be.at.most(0)
    await page.evaluate(await axeSource())
    expect(await findings(page)).to.deep.equal([])
  }

  it('have their reason, and are sent again by the keyboard; the focus goes to the next', async () => {
    await lose('the first letter', 'the second letter')
    await open()
    await row('the first letter').getByText('the bot was muted in ann').waitFor()
    await button('the first letter').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Sent again to ann').first().waitFor()
    await row('the first letter').waitFor({ state: 'detached' })
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.closest('.unsent li')?.textContent)).to.contain(
        'the second letter',
      ),
    )
    await page.keyboard.press('Enter')
    await page.locator('.unsent').waitFor({ state: 'detached' })
    expect(await sent()).to.equal('the first letter\nthe second letter\n')
    // The host has logged who did it.
    const log = await fetch(`${host.url}/api/logs?name=chat&limit=20`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await log.text()).to.contain('sent a message again for')
  })

  it('ask first where they may have arrived', async () => {
    await lose('maybe it came')
    await open()
    await row('maybe it came').getByText('may have arrived').waitFor()
    await button('maybe it came').press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('ann may get it twice').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await sent()).to.not.contain('maybe it came')
    await button('maybe it came').press('Enter')
    await dialog.getByRole('button', { name: 'Send again' }).press('Enter')
    await page.locator('.unsent').waitFor({ state: 'detached' })
    expect(await sent()).to.contain('maybe it came')
  })

  for (const width of [390, 768, 1024, 1440])
    for (const locale of ['en-GB', 'zh-CN'])
      it(`fit a screen of ${width} px in ${locale}, with the question`, async () => {
        if (width === 390 && locale === 'en-GB')
          await lose(
            'maybe this one came',
            `a long one ${'word '.repeat(90)}`,
            ...Array.from({ length: 5 }, () => 'another'),
          )
        const colorScheme = locale === 'zh-CN' ? 'dark' : 'light'
        await open({ viewport: { width, height: 900 }, locale, colorScheme })
        expect(await page.locator('.unsent li').count()).to.equal(5)
        await page.locator('.section:has(.unsent) > .linkish').click()
        await row('maybe this one came').waitFor()
        await assertFits()
        await shot(`unsent-${width}-${locale}`)
        await button('maybe this one came').click()
        await page.getByRole('dialog').waitFor()
        await assertFits()
        await shot(`unsent-ask-${width}-${locale}`)
      })

  it('come page by page, of which one that is empty again leads to the newest', async () => {
    const rpc = async (limit: number): Promise<{ messages: { id: string }[]; total: number }> => {
      const answer = await fetch(`${host.url}/api/console/request`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          type: 'endpoint:unsentMessages',
          data: { adapter: 'letters', endpointId: 'post', limit },
        }),
      })
      return ((await answer.json()) as { data: { messages: { id: string }[]; total: number } }).data
    }
    await lose(
      'the oldest of all',
      'the next',
      ...Array.from({ length: 50 }, (_, index) => `letter ${index} of a page`),
    )
    const { messages, total } = await rpc(100)
    const rest = total - 50
    expect(messages.length, 'all that did not arrive').to.equal(total)
    await open()
    const rows = page.locator('.unsent li')
    const pager = (name: string) => page.locator('.pager').getByRole('button', { name })
    const hasRows = (count: number): Promise<void> => eventually(async () => expect(await rows.count()).to.equal(count))
    expect(await page.locator('.pager').count(), 'not before all of the page are shown').to.equal(0)
    await page.getByRole('button', { name: 'Show 45 more' }).click()
    await hasRows(50)
    expect(await row('the oldest of all').count()).to.equal(0)
    await page.keyboard.press(']')
    await row('the oldest of all').waitFor()
    await hasRows(rest)
    await page.waitForURL(`**/endpoints/letters/post?unsent=${messages[49]?.id}`)
    expect(await pager('Older').isDisabled()).to.equal(true)
    // A message that is sent again leaves the page that is shown.
    await button('the oldest of all').press('Enter')
    await row('the oldest of all').waitFor({ state: 'detached' })
    await hasRows(rest - 1)
    await page.reload()
    await hasRows(rest - 1)
    await page.keyboard.press('[')
    await row('letter 49 of a page').waitFor()
    await hasRows(50)
    await page.waitForURL('**/endpoints/letters/post')
    await page.goto(`${bench.site.url}/endpoints/letters/post?unsent=${messages.at(-1)?.id}`)
    await page.waitForURL('**/endpoints/letters/post')
    await row('letter 49 of a page').waitFor()
  })
})
