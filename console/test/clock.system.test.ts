import { expect } from 'chai'
import { useBench } from './bench.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

const START = Date.UTC(2026, 0, 10, 12)

describe('displayed time', function () {
  this.timeout(240_000)
  const bench = useBench()

  it('shows the end of a recent run in the past', async () => {
    const task = (lastRun: number) => ({
      data: {
        memory: [],
        persistent: [
          {
            id: 'a',
            label: 'Digest',
            cronExpression: '0 9 * * *',
            prompt: 'x',
            enabled: true,
            notify: { channel: 'log' },
            createdAt: 0,
            timezone: 'UTC',
            nextRun: START + 7_200_000,
            nextRuns: [],
            recent: [],
            failures: 0,
            lastRun,
            lastStatus: 'ok',
          },
        ],
        total: 1,
        matching: 1,
        failed: 0,
        paused: 0,
      },
    })
    bench.host.answers = { ...healthy(), ...exampleAnswers(), 'cron:list': task(START - 3_600_000) }
    const { page, context } = await bench.signedIn('/logs')
    await page.clock.setFixedTime(START)
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    const row = page.getByRole('row', { name: /Digest/ })
    await row.getByText('1 h ago').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.clock.setFixedTime(START + 10_000)
    bench.host.answers['cron:list'] = task(START + 9_000)
    bench.host.push('job:run', {})
    await row.getByText('1 h ago').waitFor({ state: 'detached' })
    expect(await row.innerText())
      .to.contain('1 s ago')
      .and.not.contain('in 9 s')
    await context.close()
  })
})
