import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { useBench } from '../../console/test/dist/test/bench.js'
import { freePort } from '../../console/test/dist/test/real-host.js'
import { signedIn } from '../../console/test/dist/test/signed-in.js'
import { startExample, type ExampleHost } from './example-host.js'

describe('examples/agent-bot in a browser', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let host: ExampleHost

  before(async () => {
    const model = await freePort()
    host = await startExample('agent-bot', bench.site.url, (config) => config.replaceAll('8087', String(model)))
    bench.atEnd(() => host.stop())
  })

  /** Says something in the sandbox, and waits for an answer of the bot with such words. */
  async function say(page: Page, text: string, answer: RegExp): Promise<void> {
    const input = page.getByRole('textbox', { name: 'Message', exact: true })
    await input.fill(text)
    await input.press('Enter')
    await page
      .locator('.sb-message.out', { hasText: answer })
      .last()
      .waitFor({ timeout: 30_000 })
      .catch(async (error: unknown) => {
        throw new Error(`${String(error)}\nThe page says: ${await page.locator('body').innerText()}`, { cause: error })
      })
  }

  it('goes from its greeting to what it knows, as the greeting says', async () => {
    const { page, context, problems } = await signedIn(bench.browser, bench.site, host, '/sandbox')
    await page.locator('.sb-composer').waitFor()
    await page.locator('.state.ok').waitFor()
    // The master of the configuration is listed.
    await page.getByRole('button', { name: /^me\b/ }).click()
    await page.getByText('As me in Private with me').waitFor()
    await say(page, 'hello', /I am a practice model.*remember that I like tea/s)
    await say(page, 'remember that I like tea', /It is remembered/)
    await say(page, 'what do you know of me?', /MEMORY: I like tea/)
    await say(page, 'roll a die', /The tool says: [1-6]/)
    expect(await readFile(join(host.folder, 'data/memory/MEMORY.md'), 'utf8')).to.include('I like tea')
    expect(problems).to.deep.equal([])
    await context.close()
  })
})
