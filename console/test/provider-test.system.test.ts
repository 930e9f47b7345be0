import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { useBench } from './bench.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

describe('the test of a provider', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })

  for (const { locale, width, name, live, answers, cost } of [
    {
      locale: 'en',
      width: 1440,
      name: 'Test openai',
      live: 'Live',
      answers: 'gpt-5 answers',
      cost: '820 ms, 12 tokens in, 3 out, cost 0.00012 in the currency of your prices',
    },
    {
      locale: 'zh-CN',
      width: 390,
      name: '测试 openai',
      live: '实时',
      answers: 'gpt-5 有回复',
      cost: '820 毫秒，输入 12、输出 3 个 token，费用 0.00012（按所配价格的货币）',
    },
  ])
    it(`takes one key, and tells what came of it and what it cost (${locale}, ${width} px)`, async () => {
      const asked: unknown[] = []
      const example = exampleAnswers()
      bench.host.answers = {
        ...healthy(),
        ...example,
        'models:test': (params) => {
          asked.push({ alias: params['alias'], provider: params['provider'] })
          return asked.length === 1
            ? {
                data: {
                  ok: true,
                  message: 'gpt-5 answers',
                  model: 'gpt-5',
                  ms: 820,
                  tokens: { input: 12, output: 3, cost: 0.00012 },
                },
              }
            : { data: { ok: false, message: 'openai refused the key', ms: 40 } }
        },
      }
      const { page, context } = await bench.signedIn('/agent/models', { locale, viewport: { width, height: 900 } })
      await page.getByText(live, { exact: true }).waitFor({ state: 'attached' })
      const button = page.getByRole('button', { name })
      await button.focus()
      await page.keyboard.press('Enter')
      await page.getByText(answers).waitFor()
      await page.getByText(cost).waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).to.equal(true)
      await button.focus()
      await page.keyboard.press('Enter')
      await page.getByText('openai refused the key').waitFor()
      await until(async () => (await page.getByText(answers).count()) === 0)
      expect(asked).to.deep.equal([
        { alias: 'openai', provider: undefined },
        { alias: 'openai', provider: undefined },
      ])
      await context.close()
    })
})
