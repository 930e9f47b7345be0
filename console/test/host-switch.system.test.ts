import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { useBench } from './bench.js'
import { open } from './browser.js'
import { eventually } from './eventually.js'
import { startHost, type RealHost } from './real-host.js'

const tokenOf = (name: string): string => `token-of-host-${name}`

describe('two hosts in one browser', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  const hosts: Record<'first' | 'second', RealHost> = { first: undefined as never, second: undefined as never }
  let page: Page

  before(async () => {
    for (const name of ['first', 'second'] as const) {
      hosts[name] = await startHost(
        (port) => [
          'plugins: [http-core, console-rpc, events, entries, management, workspace, chat, logs, adapter-sandbox]',
          `http: { port: ${port}, token: ${tokenOf(name)}, corsOrigins: ["${bench.site.url}"] }`,
          'logs: { maxRecords: 5000 }',
          'endpoints: [{ adapter: sandbox, id: sandbox }]',
        ],
        (folder) => writeFile(join(folder, 'NOTES.md'), `# Notes of the ${name}\n`),
      )
      bench.atEnd(() => hosts[name].stop())
    }
    ;({ page } = await open(bench.browser))
    await page.goto(bench.site.url)
    await signIn('first')
  })

  /** Goes to a page by the router of the console, as a link does: what only the page holds is still there. */
  const go = (path: string): Promise<void> =>
    page.evaluate((to) => {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
  const composer = () => page.getByRole('textbox', { name: 'Message', exact: true })
  const signIn = async (name: 'first' | 'second'): Promise<void> => {
    await page.getByLabel('Address of the host').fill(hosts[name].url)
    await page.getByLabel('Token', { exact: true }).fill(tokenOf(name))
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('Live', { exact: true }).waitFor()
  }
  const toHost = async (action: string | RegExp): Promise<void> => {
    await page.locator('.rail .brand').click()
    await page.getByRole('dialog').getByRole('button', { name: action }).click()
  }

  it('keep their drafts apart', async () => {
    await go('/sandbox')
    await composer().fill('said only at the first')
    await page.keyboard.press('Enter')
    await page
      .getByRole('region', { name: /Private with/ })
      .getByText('said only at the first')
      .waitFor()
    await composer().fill('begun at the first')
    await go('/files?path=NOTES.md')
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.insertText('A draft. ')
    await page.getByText(/not saved/).waitFor()
    await go('/config?section=logs')
    await page.getByLabel('maxRecords').fill('1234')
    await page.getByText('1 change in 1 section').waitFor()

    await toHost('Change address or token')
    await signIn('second')
    await go('/config?section=logs')
    await page.getByLabel('maxRecords').waitFor()
    expect(await page.getByLabel('maxRecords').inputValue()).to.equal('5000')
    await go('/files?path=NOTES.md')
    await page.locator('.cm-line', { hasText: '# Notes of the second' }).waitFor()
    expect(await page.locator('.cm-content').innerText()).to.not.contain('A draft.')
    await go('/sandbox')
    await composer().waitFor()
    expect(await composer().inputValue()).to.equal('')
    expect(await page.getByText('said only at the first').count()).to.equal(0)
    await composer().fill('begun at the second')
  })

  it('are switched without a token and keep their drafts', async () => {
    await toHost(new RegExp(`^Switch: .*${new URL(hosts.first.url).host}`))
    await page.getByText('said only at the first').waitFor()
    await eventually(async () => expect(await composer().inputValue()).to.equal('begun at the first'))
    await go('/config?section=logs')
    await page.getByText('1 change in 1 section').waitFor()
    await eventually(async () => expect(await page.getByLabel('maxRecords').inputValue()).to.equal('1234'))
    await go('/files?path=NOTES.md')
    await page.locator('.cm-line', { hasText: 'A draft. # Notes of the first' }).waitFor()
    await page.reload()
    await page.locator('.cm-line', { hasText: 'A draft. # Notes of the first' }).waitFor()
  })

  it('lose only their own token on sign-out', async () => {
    await toHost('Sign out')
    await page.getByLabel('Address of the host').waitFor()
    const kept = () => page.evaluate(() => Object.values({ ...localStorage }).join('\n'))
    await eventually(async () => expect(await kept()).to.not.contain(tokenOf('first')))
    expect(await kept()).to.contain(tokenOf('second'))
  })
})
