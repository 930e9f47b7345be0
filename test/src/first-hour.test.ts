// Walks from the starter of a clone to an answer of a model on IRC, in a browser and with nothing else.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { useBench } from '../../console/test/dist/test/bench.js'
import { signedIn } from '../../console/test/dist/test/signed-in.js'
import type { TestPage } from '../../console/test/dist/test/browser.js'
import { findings } from './axe.js'
import { PageEffort } from './effort.js'
import { startExample, type ExampleHost } from './example-host.js'
import { hasIrcServer, IrcUser, startIrcServer, type IrcServer } from './irc-server.js'
import { ModelServer } from './model-server.js'

/** Keys, clicks and reading of the card, the forms and the answers, from the console to the answer of a model, s. */
const AIM_SECONDS = 180
const MODEL_KEY = 'a-key-that-nobody-shows'

describe('the first hour', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let host: ExampleHost
  let irc: IrcServer
  let model: ModelServer
  let user: IrcUser

  before(async function () {
    if (!hasIrcServer()) return this.skip()
    irc = await startIrcServer()
    bench.atEnd(() => irc.stop())
    model = await ModelServer.start(() => 'Plums are blue.')
    bench.atEnd(() => model.stop())
    user = await IrcUser.join(irc.port, 'ada', '#plums')
    bench.atEnd(() => user.leave())
    host = await startExample('starter', bench.site.url)
    bench.atEnd(() => host.stop())
  })

  const open = (path: string, options: BrowserContextOptions = {}): Promise<TestPage> =>
    signedIn(bench.browser, bench.site, host, path, options)
  const step = (page: Page, name: string) => page.locator('.first-steps li', { hasText: name })

  it('shows no page of the marketplace before a registry is configured', async () => {
    const { page, context } = await open('/dashboard')
    await page.locator('.first-steps').waitFor()
    expect(await page.locator('.rail').getByRole('link', { name: 'Marketplace' }).count()).to.equal(0)
    await context.close()
  })

  for (const [colorScheme, width, locale] of [
    ['light', 1280, 'en-US'],
    ['dark', 1280, 'zh-CN'],
    ['light', 390, 'zh-CN'],
    ['dark', 390, 'en-US'],
  ] as const)
    it(`begins with a card that is accessible: ${colorScheme}, ${width} px, ${locale}`, async () => {
      const look = { colorScheme, viewport: { width, height: 900 }, reducedMotion: 'reduce', locale } as const
      for (const path of ['/dashboard', '/setup/platform', '/setup/model']) {
        const { page, context, problems } = await open(path, look)
        await page.locator(path === '/dashboard' ? '.first-steps' : '.setup-enable').waitFor()
        expect(await findings(page), path).to.deep.equal([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth), path).to.be.at.most(width)
        expect(problems, path).to.deep.equal([])
        await context.close()
      }
    })

  it('says which package to install for a platform that is not there', async () => {
    const { page, context } = await open('/setup/platform?platform=webhook')
    await page.route('**/console/request', async (route) =>
      (route.request().postData() ?? '').includes('config:enable')
        ? route.fulfill({
            status: 400,
            json: {
              success: false,
              code: 'invalid_request:config',
              error:
                'no plugin "adapter-webhook" is installed; install it with: npm install @mynah/plugin-adapter-webhook',
            },
          })
        : route.continue(),
    )
    await page.getByRole('button', { name: 'Enable adapter-webhook' }).click()
    await page.locator('.code', { hasText: /^npm install @mynah\/plugin-adapter-webhook$/ }).waitFor()
    await page.getByRole('button', { name: 'Copy' }).waitFor()
    await context.close()
  })

  it('leads from the dashboard to an answer on IRC with forms alone', async () => {
    const { page, context, problems } = await open('/dashboard')
    const effort = new PageEffort(page)
    expect(await page.locator('.first-steps li.done').count()).to.equal(0)

    await effort.read(page.locator('.first-steps'))
    // Say hello.
    await effort.click(step(page, 'Say hello').getByRole('link'))
    await page.locator('.state.ok').waitFor()
    await effort.type(page.getByRole('textbox', { name: 'Message', exact: true }), '/help')
    await effort.press('Enter')
    await page.locator('.sb-message.out').first().waitFor()
    await effort.read(page.locator('.sb-list'))
    await effort.click(page.locator('.rail').getByRole('link', { name: 'Dashboard' }))
    await page.locator('.first-steps li.done', { hasText: 'Say hello' }).waitFor()

    // Add a platform.
    await effort.click(step(page, 'Add a platform').getByRole('link'))
    await effort.click(page.getByText('IRC', { exact: true }))
    await effort.read(page.locator('main'))
    await effort.click(page.getByRole('button', { name: 'Enable adapter-irc' }))
    await page.getByLabel('nick', { exact: true }).waitFor()
    await effort.read(page.locator('main'))
    await effort.type(page.getByLabel('host', { exact: true }), '127.0.0.1')
    await effort.type(page.getByLabel('nick', { exact: true }), 'plum')
    await effort.type(page.getByLabel('port', { exact: true }), String(irc.port))
    await effort.click(page.getByRole('switch', { name: 'tls', exact: true }))
    await effort.click(page.getByRole('button', { name: 'Add one channels' }))
    await effort.type(page.getByLabel('channels No. 1'), '#plums')
    await effort.press('Enter')
    await page.getByText('It connects as plum').waitFor()
    expect(await page.locator('.setup-review').textContent()).to.contain('nick: plum')
    await effort.read(page.locator('main'))
    await effort.click(page.getByRole('button', { name: 'Save and connect' }))
    await page.locator('.first-steps li.done', { hasText: 'Add a platform' }).waitFor()
    await user.hears(':plum!')

    // Give it a model.
    await effort.click(step(page, 'Give it a model').getByRole('link'))
    await page.getByRole('button', { name: 'Enable ai, agent' }).waitFor()
    await effort.read(page.locator('main'))
    await effort.click(page.getByRole('button', { name: 'Enable ai, agent' }))
    await page.getByLabel('sdk', { exact: true }).waitFor()
    await effort.read(page.locator('main'))
    await effort.choose(page.getByLabel('sdk', { exact: true }), 'openai-compatible')
    await effort.type(page.getByLabel('apiKey', { exact: true }), MODEL_KEY)
    await effort.type(page.getByLabel('baseUrl', { exact: true }), model.url)
    await effort.press('Enter')
    await page.getByText('player answers').waitFor()
    expect(await page.locator('.setup-result').textContent()).to.match(/1 model.*tokens in, 10 out/)
    expect(await page.locator('.setup-review').textContent())
      .to.contain('${OPENAI_COMPATIBLE_API_KEY}')
      .and.not.to.contain(MODEL_KEY)
    expect(await page.locator('.crumbs').textContent()).to.match(/Dashboard.*Setup$/)
    await effort.read(page.locator('main'))
    await effort.press('Enter')
    await page.locator('.dash').waitFor()
    await page.locator('.first-steps').waitFor({ state: 'detached' })

    user.send('PRIVMSG #plums :plum: which colour have plums?')
    await user.hears('Plums are blue.')
    const written = await readFile(join(host.folder, 'mynah.config.yml'), 'utf8')
    expect(written).not.to.contain(MODEL_KEY)
    expect(written).to.contain('${OPENAI_COMPATIBLE_API_KEY}')
    expect(await readFile(join(host.folder, '.env'), 'utf8')).to.equal(`OPENAI_COMPATIBLE_API_KEY=${MODEL_KEY}\n`)
    expect(written).to.contain('# Chat.').and.to.contain('- adapter-irc').and.to.contain('nick: plum')
    expect(problems).to.deep.equal([])
    process.stdout.write(`      ${effort.summary()}\n`)
    expect(effort.seconds, 'seconds of keys and reading').to.be.at.most(AIM_SECONDS)
    await context.close()
  })

  it('says why an account does not work, and saves it only if one insists', async () => {
    const { page, context } = await open('/setup/platform?platform=irc')
    // Without values the test says what is missing, and the first of these fields has the focus.
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'host')
    for (const [name, text] of [
      ['host', '127.0.0.1'],
      ['nick', 'pear'],
      ['port', '1'],
    ] as const)
      await page.getByLabel(name, { exact: true }).fill(text)
    await page.keyboard.press('Enter')
    await page.getByText('It does not work.').waitFor()
    await page.getByText('connect ECONNREFUSED 127.0.0.1:1').waitFor()
    await page.getByRole('button', { name: 'Save although it does not work' }).waitFor()
    expect(await findings(page)).to.deep.equal([])
    // Another value needs another test.
    await page.getByLabel('port', { exact: true }).fill('2')
    expect(await page.getByRole('button', { name: /^Save/ }).count()).to.equal(0)
    expect(await readFile(join(host.folder, 'mynah.config.yml'), 'utf8')).not.to.contain('pear')
    await context.close()
  })

  it('leaves .env as it was when saving fails, and writes secrets to the file on request', async () => {
    const { page, context } = await open('/setup/model')
    const before = await readFile(join(host.folder, '.env'), 'utf8')
    await page.getByLabel('sdk', { exact: true }).selectOption('openai-compatible')
    await page.getByLabel('apiKey', { exact: true }).fill('another-key')
    await page.getByLabel('baseUrl', { exact: true }).fill(model.url)
    await page.keyboard.press('Enter')
    await page.getByText('player answers').waitFor()
    let refuses = true
    await page.route('**/console/request', async (route) =>
      refuses && (route.request().postData() ?? '').includes('config:set')
        ? route.fulfill({ status: 400, json: { success: false, code: 'invalid_request', error: 'It is refused' } })
        : route.continue(),
    )
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('It is refused').waitFor()
    expect(await readFile(join(host.folder, '.env'), 'utf8')).to.equal(before)
    refuses = false
    await page.getByRole('switch', { name: 'Keep secrets in .env' }).click()
    expect(await findings(page)).to.deep.equal([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('.dash').waitFor()
    expect(await readFile(join(host.folder, '.env'), 'utf8')).to.equal(before)
    expect(await readFile(join(host.folder, 'mynah.config.yml'), 'utf8')).to.contain('another-key')
    await context.close()
  })

  it('keeps the card closed once it was closed, and offers nothing to an older host', async () => {
    const { page, context } = await open('/dashboard')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('.dash').waitFor()
    expect(await page.locator('.first-steps').count(), 'all steps are done').to.equal(0)
    await context.close()
  })
})
