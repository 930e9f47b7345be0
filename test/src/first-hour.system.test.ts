// Walks from the README of a clone to an answer of a model on IRC, in a terminal and a browser and with nothing else.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { BrowserContextOptions } from 'playwright-core'
import { useBench } from '../../console/test/dist/test/bench.js'
import { signedIn } from '../../console/test/dist/test/signed-in.js'
import { open, type TestPage } from '../../console/test/dist/test/browser.js'
import { findings } from './axe.js'
import { PageEffort } from './effort.js'
import { hasIrcServer, IrcUser, startIrcServer, type IrcServer } from './irc-server.js'
import { ModelServer } from './model-server.js'
import { startClone, type StartedClone } from './started-clone.js'
import { hasTerminal } from './terminal.js'

/** Keys, clicks and reading from the first word of the README to the answer of a model, s. */
const AIM_SECONDS = 180
const MODEL_KEY = 'a-key-that-nobody-shows'
const README = new URL('../../README.md', import.meta.url)

/** Returns what one reads of the README until both commands and their result are known. */
async function startOfReadme(): Promise<string> {
  const [text = ''] = (await readFile(README, 'utf8')).split('Ctrl-C stops')
  expect(text).to.contain('npm ci && npm start').and.to.contain('8086')
  // A page shows the picture instead of its text.
  return text.replace(/!\[.*\]\(.*\)/, '').replace(/^```\w*$/gm, '')
}

describe('the first hour', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let host: StartedClone
  let irc: IrcServer
  let model: ModelServer
  let user: IrcUser

  before(async function () {
    if (!hasIrcServer() || !hasTerminal()) return this.skip()
    irc = await startIrcServer()
    bench.atEnd(() => irc.stop())
    model = await ModelServer.start(() => 'Plums are blue.')
    bench.atEnd(() => model.stop())
    user = await IrcUser.join(irc.port, 'ada', '#plums')
    bench.atEnd(() => user.leave())
    host = await startClone()
    bench.atEnd(() => host.stop())
  })

  const openPage = (path: string, options: BrowserContextOptions = {}): Promise<TestPage> =>
    signedIn(bench.browser, { ...bench.site, url: host.console }, host, path, options)

  for (const [colorScheme, width, locale] of [
    ['light', 1280, 'en-US'],
    ['dark', 1280, 'zh-CN'],
    ['light', 390, 'zh-CN'],
    ['dark', 390, 'en-US'],
  ] as const)
    it(`begins with a card that is accessible: ${colorScheme}, ${width} px, ${locale}`, async () => {
      const look = { colorScheme, viewport: { width, height: 900 }, reducedMotion: 'reduce', locale } as const
      for (const path of ['/dashboard', '/setup/platform', '/setup/model']) {
        const { page, context, problems } = await openPage(path, look)
        await page.locator(path === '/dashboard' ? '.first-steps' : '.setup-choice').waitFor()
        expect(await findings(page), path).to.deep.equal([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth), path).to.be.at.most(width)
        expect(problems, path).to.deep.equal([])
        await context.close()
      }
    })

  it('says which package to install for a platform that is not there', async () => {
    const { page, context } = await openPage('/setup/platform?choice=webhook')
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

  it('leads from the README to an answer on IRC with two commands and forms', async () => {
    const { page, context, problems } = await open(bench.browser)
    const effort = new PageEffort(page)
    effort.section('README')
    effort.readText(await startOfReadme())
    effort.section('start')
    effort.decide(0)
    effort.keys('npm ci && npm start'.length + 1)
    effort.readText(host.said)
    effort.decide(1)
    await page.goto(host.link)
    const step = (name: string) => page.locator('.first-steps li', { hasText: name })
    await page.locator('.first-steps').waitFor()
    expect(await page.locator('.first-steps li.done').count()).to.equal(0)
    expect(page.url()).to.equal(`${host.console}/dashboard`)
    effort.section('dashboard')
    await effort.read(page.locator('.first-steps'))

    effort.section('hello')
    await effort.click(step('Say hello').getByRole('link'))
    await page.getByText('Say hello, or send /help').waitFor()
    await effort.read(page.locator('.sb-chat'))
    await effort.type(page.getByRole('textbox', { name: 'Message', exact: true }), 'hello')
    await effort.press('Enter')
    await page.locator('.sb-message.out', { hasText: 'on the dashboard replaces me' }).waitFor()
    await effort.read(page.locator('.sb-list'))
    await effort.click(page.locator('.rail').getByRole('link', { name: 'Dashboard' }))
    await page.locator('.first-steps li.done', { hasText: 'Say hello' }).waitFor()

    effort.section('platform')
    await effort.click(step('Add a platform').getByRole('link'))
    await page.locator('.setup-choice').waitFor()
    await effort.read(page.locator('main'))
    await effort.click(page.getByRole('button', { name: 'IRC', exact: true }))
    // The form begins with its first field.
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'host')
    await effort.read(page.locator('main'))
    await effort.type(page.getByLabel('host', { exact: true }), '127.0.0.1')
    await effort.type(page.getByLabel('nick', { exact: true }), 'plum')
    await effort.type(page.getByLabel('port', { exact: true }), String(irc.port))
    await effort.click(page.getByRole('switch', { name: 'tls', exact: true }))
    await effort.type(page.getByLabel('channels No. 1'), '#plums')
    await effort.press('Enter')
    await page.locator('.first-steps li.done', { hasText: 'Add a platform' }).waitFor()
    await page.getByText('It connects as plum').waitFor()
    await effort.read(page.locator('.toasts'))
    await user.hears(':plum!')

    effort.section('model')
    await effort.click(step('Give it a model').getByRole('link'))
    await page.locator('.setup-choice').waitFor()
    await effort.read(page.locator('main'))
    await effort.click(page.getByRole('button', { name: 'openai-compatible', exact: true }))
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'baseUrl')
    await effort.read(page.locator('main'))
    expect(await page.locator('.crumbs').textContent()).to.match(/Dashboard.*Setup$/)
    await effort.type(page.getByLabel('baseUrl', { exact: true }), model.url)
    await effort.type(page.getByLabel('apiKey', { exact: true }), MODEL_KEY)
    await effort.press('Enter')
    await page.locator('.dash').waitFor()
    await page.getByText('player answers').waitFor()
    await effort.read(page.locator('.toasts'))
    await page.locator('.first-steps').waitFor({ state: 'detached' })

    effort.section('IRC')
    const question = 'plum: hello'
    effort.decide(0)
    effort.keys(question.length + 1)
    user.send(`PRIVMSG #plums :${question}`)
    await user.hears('Plums are blue.')
    const written = await readFile(join(host.folder, 'mynah.config.yml'), 'utf8')
    expect(written).not.to.contain(MODEL_KEY)
    expect(written).to.contain('${OPENAI_COMPATIBLE_API_KEY}')
    expect(await readFile(join(host.folder, '.env'), 'utf8')).to.equal(`OPENAI_COMPATIBLE_API_KEY=${MODEL_KEY}\n`)
    expect(written).to.contain('# Chat, and jobs').and.to.contain('- adapter-irc').and.to.contain('nick: plum')
    expect(problems).to.deep.equal([])
    process.stdout.write(`      ${effort.summary()}\n`)
    expect(effort.seconds, 'seconds of keys and reading').to.be.at.most(AIM_SECONDS)
    await context.close()
  })

  it('says why an account does not work, and saves it only if one insists', async () => {
    const { page, context } = await openPage('/setup/platform?choice=irc')
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
    const { page, context } = await openPage('/setup/model?choice=openai-compatible')
    const before = await readFile(join(host.folder, '.env'), 'utf8')
    await page.getByLabel('apiKey', { exact: true }).fill('another-key')
    await page.getByLabel('baseUrl', { exact: true }).fill(model.url)
    // A test alone shows the lines, and saves nothing.
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('player answers').waitFor()
    expect(await page.locator('.setup-result').textContent()).to.match(/1 model.*tokens in, 10 out/)
    expect(await page.locator('.setup-review').textContent())
      .to.contain('${MAIN_2_API_KEY}')
      .and.not.to.contain('another-key')
    expect(await readFile(join(host.folder, 'mynah.config.yml'), 'utf8')).not.to.contain('main-2')
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
    const { page, context } = await openPage('/dashboard')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('.dash').waitFor()
    expect(await page.locator('.first-steps').count(), 'all steps are done').to.equal(0)
    await context.close()
  })
})
