import { expect } from 'chai'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

type Params = Readonly<Record<string, unknown>>

const NOW = Date.now()
const approval = (id: string, minutes: number): object => ({
  id,
  kind: 'bash',
  title: `run ${id}`,
  command: `run ${id}`,
  parts: [],
  status: 'pending',
  createdAt: NOW - 60_000,
  expiresAt: NOW + minutes * 60_000,
})
const looks = [
  {
    locale: 'en',
    width: 1440,
    waits: '3 things wait for you',
    range: 'Time range',
    names: ['Hour', 'Day', 'Week'],
    each: ['1 min a bar', '30 min a bar', '3 h a bar'],
  },
  {
    locale: 'zh-CN',
    width: 390,
    waits: '有 3 项等待你',
    range: '时间范围',
    names: ['小时', '天', '周'],
    each: ['每格 1 分钟', '每格 30 分钟', '每格 3 小时'],
  },
] as const

describe('the dashboard', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })
  const asked: Params[] = []
  beforeEach(() => {
    asked.length = 0
    bench.host.answers = {
      ...healthy(),
      ...exampleAnswers(),
      'exec:pending': { data: { pending: [approval('later', 50), approval('soon', 1)] } },
      'agent:turns': {
        data: {
          turns: [
            {
              id: 't',
              sessionKey: 'irc|libera|group|#a',
              state: 'waiting',
              stage: 'tools',
              step: 1,
              startedAt: NOW,
              text: 'paint it',
              waitingFor: { kind: 'question', id: 'q', text: 'Which colour?' },
            },
          ],
        },
      },
      'chat:activity': (params) => {
        asked.push(params)
        const { minutes, step } = params as { minutes: number; step: number }
        const received = Array.from({ length: minutes / step }, () => (minutes === 60 ? 1 : 20))
        const zero = received.map(() => 0)
        return {
          data: {
            from: NOW - minutes * 60_000,
            step: step * 60_000,
            endpoints: [
              {
                adapter: 'irc',
                endpointId: 'libera',
                received,
                sent: zero,
                failed: zero,
                status: 'o'.repeat(received.length),
              },
            ],
            answers: { count: 0, medianMs: 0 },
          },
        }
      },
    }
  })

  for (const { locale, width, waits, range, names, each } of looks) {
    it(`shows requests before problems, the one that expires first of all (${locale}, ${width} px)`, async () => {
      const { page, context } = await bench.signedIn('/dashboard', { locale, viewport: { width, height: 900 } })
      const section = page.getByRole('region', { name: waits })
      await section.waitFor()
      expect(await section.locator('li strong').allTextContents()).to.deep.equal([
        'run soon',
        'run later',
        'Which colour?',
      ])
      await section.locator('li').first().getByRole('timer').waitFor()
      const [first, second] = [await section.boundingBox(), await page.locator('.wrongs').boundingBox()]
      expect((first?.y ?? 0) + (first?.height ?? 0)).to.be.at.most((second?.y ?? 0) + 1)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).to.equal(true)
      await page.keyboard.press('3')
      await page.waitForURL((url) => url.pathname === '/agent/sessions' && url.searchParams.has('key'))
      await context.close()
    })

    it(`shows an hour, a day or a week, and keeps the choice in the address (${locale}, ${width} px)`, async () => {
      const { page, context } = await bench.signedIn('/dashboard', { locale, viewport: { width, height: 900 } })
      const group = page.getByRole('group', { name: range })
      await page.getByText(each[0], { exact: false }).first().waitFor()
      await group.getByRole('radio', { name: names[0] }).focus()
      await page.keyboard.press('ArrowRight')
      await page.getByText(each[1], { exact: false }).first().waitFor()
      await page.waitForURL(/range=day/)
      await page.keyboard.press('ArrowRight')
      await page.getByText(each[2], { exact: false }).first().waitFor()
      await eventually(async () =>
        expect(await page.locator('.figures dd').first().textContent()).to.equal(locale === 'en' ? '1,120' : '1,120'),
      )
      expect(asked.map(({ minutes, step }) => [minutes, step])).to.deep.include.members([
        [60, 1],
        [1440, 30],
        [10_080, 180],
      ])
      await page.reload()
      await page.getByText(each[2], { exact: false }).first().waitFor()
      expect(await group.getByRole('radio', { name: names[2] }).isChecked()).to.equal(true)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).to.equal(true)
      await context.close()
    })
  }
})
