// Adds accounts on the page Endpoints of the console: every platform has its form, and XMPP is added against prosody.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { BrowserContextOptions } from 'playwright-core'
import { until } from '@mynah/kernel/testing'
import { useBench } from '../../console/test/dist/test/bench.js'
import { platformsOf } from '../../console/test/dist/src/pages/setup/offers.js'
import { signedIn } from '../../console/test/dist/test/signed-in.js'
import type { TestPage } from '../../console/test/dist/test/browser.js'
import { PASSWORD, Prosody, whyNot } from '../../plugins/adapter-xmpp/dist/test/prosody.js'
import { User } from '../../plugins/adapter-xmpp/dist/test/user.js'
import { findings } from './axe.js'
import { startClone, type StartedClone } from './started-clone.js'
import { hasTerminal } from './terminal.js'

const PLATFORMS = platformsOf([])
/** On IRC there is nothing to do before the bot connects: its values are chosen in the form. */
const WITHOUT_STEPS = 'IRC'

describe('an account that is added in the console', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let host: StartedClone

  before(async function () {
    if (!hasTerminal()) return this.skip()
    host = await startClone()
    bench.atEnd(() => host.stop())
    const response = await fetch(`${host.url}/api/console/request`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${host.token}` },
      body: JSON.stringify({
        type: 'config:enable',
        requestId: 1,
        plugins: PLATFORMS.map(({ name }) => `adapter-${name}`),
      }),
    })
    expect(response.status, await response.text()).to.equal(200)
  })

  const openPage = (path: string, options: BrowserContextOptions = {}): Promise<TestPage> =>
    signedIn(bench.browser, { ...bench.site, url: host.console }, host, path, options)

  it('is offered on the page Endpoints for each platform, with its steps and where to find each value', async () => {
    const { page, context, problems } = await openPage('/endpoints')
    await page.getByRole('link', { name: 'Add an account' }).click()
    await page.locator('.setup-choice').waitFor()
    expect(await page.locator('.setup-choice').getByRole('button').allTextContents()).to.have.members(
      PLATFORMS.map(({ label }) => label),
    )
    await page.getByRole('button', { name: 'Discord', exact: true }).click()
    for (const { label } of PLATFORMS) {
      await page.locator('.segments').getByText(label, { exact: true }).click()
      if (label !== WITHOUT_STEPS) {
        const steps = page.getByRole('region', { name: `Steps on ${label}` })
        await steps.waitFor()
        // A link is a link, and no other mark of Markdown is left.
        expect(await steps.textContent(), label).not.to.match(/\]\(|\*\*|`/)
      }
      const fields = page.locator('.setup-form > .config-field')
      await fields.first().waitFor()
      for (const field of await fields.all())
        expect(((await field.locator('.config-label .muted').textContent()) ?? '').length, label).to.be.above(10)
      await page.getByRole('button', { name: 'Test and save' }).waitFor()
    }
    expect(problems).to.deep.equal([])
    await context.close()
  })

  for (const colorScheme of ['light', 'dark'] as const)
    it(`has an accessible form: ${colorScheme}`, async () => {
      const { page, context } = await openPage('/setup/platform?choice=matrix', {
        colorScheme,
        reducedMotion: 'reduce',
      })
      await page.getByText('Element shows it in Settings, Help & About, Advanced').waitFor()
      expect(await findings(page)).to.deep.equal([])
      await context.close()
    })

  it('is tested, names what XMPP lacks, and answers there once it is saved', async function () {
    if (whyNot() !== undefined) this.skip()
    const server = await Prosody.start(['bot', 'alice'])
    bench.atEnd(() => server.stop())
    const { page, context, problems } = await openPage('/setup/platform?choice=xmpp')
    const config = (): Promise<string> => readFile(join(host.folder, 'mynah.config.yml'), 'utf8')
    await page.getByLabel('jid', { exact: true }).fill('bot@localhost')
    await page.getByLabel('password', { exact: true }).fill('not the password')
    await page.locator('.setup-more summary').click()
    await page.getByLabel('service', { exact: true }).fill(server.service)
    await page.getByRole('switch', { name: 'insecure', exact: true }).click()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('It does not work.').waitFor()
    expect(await page.locator('.setup-result').textContent()).to.contain('password')
    expect(await config()).not.to.contain('xmpp://')
    await page.getByLabel('password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('It works.').waitFor()
    expect(await page.locator('.setup-result').textContent()).to.contain('bot@localhost')
    await page.getByRole('button', { name: 'Save and connect' }).click()
    await page.locator('.dash').waitFor()
    const saved = await config()
    expect(saved).to.contain('jid: bot@localhost').and.to.contain('${XMPP_PASSWORD}').and.not.to.contain(PASSWORD)
    expect(await readFile(join(host.folder, '.env'), 'utf8')).to.contain(PASSWORD)
    const alice = await User.enter(server, 'alice')
    bench.atEnd(() => alice.leave())
    await page.goto(`${host.console}/endpoints`)
    // The changes of state below have rows of the same name.
    const row = page.locator('.endpoints-table').getByRole('row', { name: /xmpp/ })
    await row.getByText('online', { exact: true }).waitFor()
    await alice.say('bot@localhost', '/help')
    await until(
      () => alice.messages.some((message) => (message.getChildText('body') ?? '').includes('/help')),
      'the answer on XMPP',
    )
    expect(problems).to.deep.equal([])
    await context.close()
  })
})
