import { expect } from 'chai'
import { useBench } from './bench.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

describe('the servers of tools', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })

  for (const { locale, width, count, title, more, actions, show } of [
    {
      locale: 'en',
      width: 1440,
      count: '5 tools not offered',
      title: 'Tools that cannot be used, so that no agent gets them:',
      more: 'and 2 more',
      actions: 'Actions for tickets',
      show: 'Show its tools',
    },
    {
      locale: 'zh-CN',
      width: 390,
      count: '5 个工具未提供',
      title: '无法使用的工具，智能体不会得到它们：',
      more: '另有 2 个',
      actions: 'tickets 的操作',
      show: '显示其工具',
    },
  ])
    it(`name the tools that cannot be used, and why (${locale}, ${width} px)`, async () => {
      const server = { name: 'tickets', transport: 'stdio', connected: true, since: 0, toolCount: 0, tools: [] }
      const leftOut = Array.from({ length: 5 }, (_, index) => ({
        name: `tool_${index}`,
        reason: `has a schema that cannot be used: properties.${'x'.repeat(80)} is not a schema`,
      }))
      bench.host.answers = {
        ...healthy(),
        ...exampleAnswers(),
        'mcp:list': { data: { servers: [{ ...server, leftOut }] } },
      }
      const { page, context } = await bench.signedIn('/agent/models', { locale, viewport: { width, height: 900 } })
      await page.getByText(count).waitFor()
      await page.getByText(title).waitFor()
      await page.getByText(more, { exact: true }).waitFor()
      expect(await page.getByText('has a schema that cannot be used').count()).to.equal(3)
      await page.getByRole('button', { name: actions }).click()
      await page.getByRole('menuitem', { name: show }).click()
      await page.getByText('tool_4', { exact: true }).waitFor()
      expect(await page.getByText(more, { exact: true }).count()).to.equal(0)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).to.equal(true)
      await context.close()
    })
})
