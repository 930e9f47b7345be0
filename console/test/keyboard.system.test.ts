import { expect } from 'chai'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'

describe('the keyboard', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })

  it('opens pages, focuses the heading, filters, sorts and opens rows', async () => {
    const { page, context, problems } = await bench.signedIn()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.getByRole('rowheader', { name: 'chat' }).waitFor()
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal('Plugins'),
    )
    await page.keyboard.press('/')
    await page.keyboard.type('market')
    await page.waitForURL('**/plugins?filter=market')
    await eventually(async () =>
      expect(await page.getByRole('rowheader').getByRole('link').allTextContents()).to.deep.equal(['marketplace']),
    )
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.waitForURL('**/plugins')
    await page.locator('tbody tr[tabindex="0"]').focus()
    await page.keyboard.press('ArrowDown')
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.querySelector('th a')?.textContent)).to.equal('chat'),
    )
    await page.keyboard.press('Enter')
    await page.waitForURL('**/plugins/chat')
    await page.getByRole('heading', { level: 1, name: 'chat' }).waitFor()
    await page.goBack()
    await page.getByRole('rowheader', { name: 'chat' }).waitFor()
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('opens the palette, runs a command, and Escape closes only the top layer', async () => {
    const { page, context } = await bench.signedIn()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search or run a command' })
    await field.fill('nothing like this')
    await page.getByText('Nothing matches').waitFor()
    // Things of the host: an endpoint, a command of the bot, a setting, a plugin.
    for (const [query, option] of [
      ['mail', 'mail telegram endpoint'],
      ['/help', '/help command of chat'],
      ['limits', 'limits.length setting of chat'],
      ['http', 'http-core plugin'],
    ] as const) {
      await field.fill(query)
      await page.getByRole('option', { name: option }).waitFor()
    }
    await page.keyboard.press('Enter')
    await page.waitForURL('**/plugins/http-core')
    await page.keyboard.press('Control+k')
    // Without a query the last choice comes first, and pages show their keys.
    await eventually(async () => expect(await page.getByRole('option').first().textContent()).to.contain('http-core'))
    await eventually(async () =>
      expect(await page.getByRole('option', { name: 'Dashboard' }).locator('kbd').allTextContents()).to.deep.equal([
        'g',
        'd',
      ]),
    )
    await field.fill('plug')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/plugins')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(page.url()).to.contain('/plugins')
    await context.close()
  })

  it('ignores single keys when they are disabled', async () => {
    const { page, context } = await bench.signedIn()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor()
    expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count()).to.equal(0)
    await context.close()
  })

  it('skips to the main content', async () => {
    const { page, context } = await bench.signedIn()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.keyboard.press('Tab')
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal('Skip to content'),
    )
    await page.keyboard.press('Enter')
    await eventually(async () => expect(await page.evaluate(() => document.activeElement?.id)).to.equal('main'))
    await context.close()
  })

  it('changes language and theme at once and keeps both', async () => {
    const { page, context } = await bench.signedIn('/plugins')
    await page.getByRole('rowheader', { name: 'chat' }).waitFor()
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('menuitemradio', { name: '简体中文' }).click()
    await page.getByRole('heading', { level: 1, name: '插件' }).waitFor()
    await page.getByRole('button', { name: '显示' }).click()
    await page.getByRole('menuitemradio', { name: '深色' }).click()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: '插件' }).waitFor()
    await eventually(async () =>
      expect(
        await page.evaluate(() => [
          document.documentElement.lang,
          document.documentElement.dataset['theme'],
          getComputedStyle(document.body).getPropertyValue('--bg').trim(),
        ]),
      ).to.deep.equal(['zh-CN', 'dark', '#0f1312']),
    )
    await context.close()
  })

  it('opens the pages from a sheet on a narrow screen, without scrolling sideways', async () => {
    const { page, context } = await bench.signedIn('/dashboard', { viewport: { width: 390, height: 844 } })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Open pages' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Plugins' }).click()
    await page.getByRole('rowheader', { name: 'chat' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.be.at.most(390)
    await context.close()
  })

  it('shows every part of a plugin, says when there is none of that name, and keeps the tab in the address', async () => {
    const { page, context } = await bench.signedIn('/plugins/chat')
    await page.getByRole('tab', { name: 'Overview' }).focus()
    await page.getByText('Sends and receives messages').waitFor()
    await page.getByText('2 commands').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByText('Lists commands').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.locator('[data-setting="chat.limits"]').getByText('length', { exact: true }).waitFor()
    await eventually(async () => expect(await page.getByLabel('prefix', { exact: true }).inputValue()).to.equal('!'))
    await page.waitForURL('**/plugins/chat?tab=settings')
    await page.goto(`${bench.site.url}/plugins/marketplace`)
    await page.getByText('marketplace.registry: must be an address').waitFor()
    await page.goto(`${bench.site.url}/plugins/unknown`)
    await page.getByText('No plugin named unknown').waitFor()
    await page.goto(`${bench.site.url}/nowhere`)
    await page.getByText('Nothing is at /nowhere').waitFor()
    await context.close()
  })
})
