import { expect } from 'chai'
import { useBench } from './bench.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

describe('saved filters', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })
  before(() => {
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
  })

  for (const { locale, width, menu, save, forget } of [
    { locale: 'en', width: 1440, menu: 'Saved filters', save: 'Save “irc, late”', forget: /^Remove/ },
    { locale: 'zh-CN', width: 390, menu: '已保存的筛选', save: '保存“irc，late”', forget: /^从列表中移除/ },
  ])
    it(`of logs are saved, shown after a reload, and removed, by keyboard (${locale}, ${width} px)`, async () => {
      const { page, context } = await bench.signedIn('/logs?plugin=irc&filter=late', {
        locale,
        viewport: { width, height: 900 },
      })
      const button = page.getByRole('button', { name: menu })
      await button.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: save }).focus()
      await page.keyboard.press('Enter')
      await page.goto(`${bench.site.url}/logs`)
      await button.click()
      await page
        .getByRole('menuitem', { name: /irc/ })
        .or(page.getByRole('menuitemcheckbox', { name: /irc/ }))
        .click()
      await page.waitForURL(
        (url) => url.searchParams.get('plugin') === 'irc' && url.searchParams.get('filter') === 'late',
      )
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).to.equal(true)
      await button.click()
      await page.getByRole('menuitem', { name: forget }).click()
      await page.goto(`${bench.site.url}/logs`)
      await page.locator('.vrow').first().waitFor()
      expect(await button.count()).to.equal(0)
      await context.close()
    })

  it('of introspection name their list, and lead back to it from another', async () => {
    const { page, context } = await bench.signedIn('/introspection/commands?filter=re')
    const button = page.getByRole('button', { name: 'Saved filters' })
    await button.click()
    await page.getByRole('menuitem', { name: 'Save “Commands: re”' }).click()
    await page.goto(`${bench.site.url}/introspection/tools`)
    await button.click()
    await page.getByText('Commands: re').click()
    await page.waitForURL(/\/introspection\/commands\?filter=re/)
    await context.close()
  })
})
