import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { axeSource, findings } from './axe.js'
import { useBench } from './bench.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

describe('the page of knowledge', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })

  for (const { locale, width, question, search, page: label, remove, removeDo, removed } of [
    {
      locale: 'en',
      width: 1440,
      question: 'Question',
      search: 'Search',
      page: 'page 12',
      remove: 'Remove prices.xlsx…',
      removeDo: 'Remove',
      removed: 'prices.xlsx is removed',
    },
    {
      locale: 'zh-CN',
      width: 390,
      question: '问题',
      search: '搜索',
      page: '第 12 页',
      remove: '删除 prices.xlsx…',
      removeDo: '删除',
      removed: 'prices.xlsx 已删除',
    },
  ])
    it(`shows what is found for a question, takes an upload and removes it (${locale}, ${width} px)`, async () => {
      const asked: Record<string, unknown>[] = []
      const noted =
        (data: object) =>
        (params: Readonly<Record<string, unknown>>): { readonly data: object } => {
          asked.push({ ...params })
          return { data }
        }
      const answers = exampleAnswers()
      bench.host.answers = {
        ...healthy(),
        ...answers,
        'knowledge:search': noted((answers['knowledge:search'] as { readonly data: object }).data),
        'knowledge:upload': noted({ chunks: 4 }),
        'knowledge:remove': noted({ success: true }),
      }
      const { page, context } = await bench.signedIn('/agent/knowledge?open=house', {
        locale,
        viewport: { width, height: 900 },
      })
      await page
        .getByText('Live', { exact: true })
        .or(page.getByText('实时', { exact: true }))
        .waitFor()
      await page.getByText('handbook/scan.pdf: its pages have no text, they may be pictures').waitFor()
      await page.getByRole('searchbox', { name: question }).fill('plums in summer')
      await page.getByRole('button', { name: search, exact: true }).click()
      await page.locator('.passages').getByText('Prune plums in summer').waitFor()
      await page.locator('.passages').getByText(label).waitFor()
      expect(asked.at(-1)).to.include({ query: 'plums in summer' })
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('plum') })
      await until(() => asked.some(({ name }) => name === 'notes.md'))
      expect(asked.find(({ name }) => name === 'notes.md')).to.include({ base: 'house', base64: 'cGx1bQ==' })
      await page.evaluate(await axeSource())
      expect(await findings(page)).to.deep.equal([])
      await page.getByRole('button', { name: remove }).click()
      await page.getByRole('dialog').getByRole('button', { name: removeDo, exact: true }).click()
      await page.getByText(removed).waitFor()
      expect(asked.at(-1)).to.include({ base: 'house', path: 'prices.xlsx' })
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).to.equal(true)
      await context.close()
    })
})
