// The walk of a newcomer through the starter: what the greeting of the agent promises, and a page of each kind.
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { until } from '@mynah/kernel/testing'
import { createClient, type Client } from '@mynah/sdk'
import { useBench } from '../../console/test/dist/test/bench.js'
import { signedIn } from '../../console/test/dist/test/signed-in.js'
import { startExample, type ExampleHost } from './example-host.js'
import { LocalRegistry } from './local-registry.js'

/** Each page of a menu, and words that it shows when something is there. */
const PAGES = {
  '/dashboard': 'Give it a model',
  '/endpoints': 'sandbox',
  '/inbox': 'Alice',
  '/logs': 'plugins are up',
  '/traces': 'hello',
  '/cron': 'say tick',
  '/assistant/jobs': 'say tick',
  '/plugins': 'practice-model',
  '/config': 'ai.agent',
  '/files': 'mynah.config.yml',
  '/env': 'Add a variable',
  '/database': 'notes',
  '/marketplace': 'mynah-plugin-dice',
  '/agent/sessions': 'Alice',
  '/agent/models': 'practice-model',
  '/agent/approvals': 'touch list.txt',
  '/introspection/tools': 'dice',
  '/sandbox': 'Alice',
}

describe('the starter in a browser', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let host: ExampleHost
  let client: Client

  before(async () => {
    const registry = await LocalRegistry.start()
    bench.atEnd(() => registry.stop())
    host = await startExample('starter', bench.site.url, registry.env)
    bench.atEnd(() => host.stop())
    client = createClient({ base: host.url, token: host.token })
    bench.atEnd(() => client.close())
  })

  const answer = (page: Page, words: RegExp) => page.locator('.sb-message.out', { hasText: words }).last()

  /** Says something in the sandbox, and waits for an answer of the bot with such words. */
  async function say(page: Page, text: string, words: RegExp): Promise<void> {
    const input = page.getByRole('textbox', { name: 'Message', exact: true })
    await input.fill(text)
    await input.press('Enter')
    await answer(page, words)
      .waitFor({ timeout: 30_000 })
      .catch(async (error: unknown) => {
        throw new Error(`${String(error)}\nThe page says: ${await page.locator('body').innerText()}`, { cause: error })
      })
  }

  it('keeps what the greeting of the agent promises', async () => {
    const { page, context, problems } = await signedIn(bench.browser, bench.site, host, '/sandbox')
    await page.locator('.sb-composer').waitFor()
    await page.locator('.state.ok').waitFor()
    await page.getByText('As Alice in Private with Alice').waitFor()
    await say(page, 'hello', /I am a practice model.*Give it a model/s)
    await say(page, 'roll a die', /The tool says: [1-6]/)
    await say(page, 'remember that I like tea', /It is remembered/)
    await say(page, 'what do you know of me?', /MEMORY: I like tea/)
    expect(await readFile(join(host.folder, 'data/memory/MEMORY.md'), 'utf8')).to.include('I like tea')
    await say(page, 'ask me something', /Which do you like better\?/)
    await page.getByRole('button', { name: 'tea', exact: true }).click()
    await answer(page, /The tool says:.*tea/).waitFor()
    await say(page, 'run touch list.txt', /touch list\.txt/)
    await page.getByRole('button', { name: 'Run it once' }).click()
    await until(() =>
      access(join(host.folder, 'workspace/list.txt')).then(
        () => true,
        () => false,
      ),
    )
    await say(page, 'every minute say tick', /The tool says:.*next_runs/)
    await say(page, '/note add buy milk', /Noted: buy milk/)
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('runs the job that was asked for, and says its result where it was asked', async () => {
    const { page, context } = await signedIn(bench.browser, bench.site, host, '/assistant/jobs')
    await page.getByRole('button', { name: 'Runs of say tick' }).click()
    await page.getByRole('button', { name: 'Run now…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click()
    await page.locator('.runs tbody tr', { hasText: 'tick' }).getByText('ok', { exact: true }).first().waitFor()
    await context.close()
    const channel = { type: 'private' as const, id: 'alice' }
    await until(async () => {
      const { messages } = await client.rpc('sandbox:history', { endpointId: 'sandbox', channel })
      return messages.some(({ direction, text }) => direction === 'out' && text?.startsWith('tick'))
    })
  })

  it('shows something true on each page, by its address', async () => {
    for (const [path, words] of Object.entries(PAGES)) {
      const { page, context, problems } = await signedIn(bench.browser, bench.site, host, path)
      page.setDefaultTimeout(20_000)
      await page
        .locator('main')
        .getByText(words)
        .first()
        .waitFor()
        .catch(async (error: unknown) => {
          throw new Error(`${path}: ${String(error)}\n${await page.locator('body').innerText()}`, { cause: error })
        })
      expect(await page.getByText(/is not enabled|could not be loaded/).count(), path).to.equal(0)
      expect(problems, path).to.deep.equal([])
      await context.close()
    }
  })
})
