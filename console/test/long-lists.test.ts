// Lists that are drawn in steps.
import { expect } from 'chai'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

const JOBS = 60

describe('a long list', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })

  it('shows its rows in steps by keyboard, an open one always, and says how many are left', async () => {
    const job = (index: number) => ({
      id: `job${String(index).padStart(3, '0')}`,
      label: `Job ${index}`,
      enabled: true,
      trigger: { kind: 'im' },
      action: { kind: 'agent', prompt: 'Look' },
      notify: { channel: 'log' },
      state: { lastRunAt: 1_790_000_000_000 - index, lastStatus: 'ok' },
      createdAt: 1_790_000_000_000,
      recent: [],
      failures: 0,
    })
    bench.host.answers = {
      ...healthy(),
      ...exampleAnswers(),
      'GET /assistant/jobs': {
        data: { jobs: Array.from({ length: JOBS }, (_, index) => job(index)), eventsActive: true },
      },
      'jobs:runs': { data: { runs: [] } },
    }
    const { page, context } = await bench.signedIn('/assistant/jobs?open=job030')
    await page.getByText(`${JOBS} jobs`).waitFor()
    const rows = page.locator('.jobs > .table > table > tbody > tr:not(.below)')
    const hasRows = (count: number): Promise<void> => eventually(async () => expect(await rows.count()).to.equal(count))
    await hasRows(31)
    await page.getByRole('button', { name: 'Show 25 of 29 more' }).focus()
    await page.keyboard.press('Enter')
    await hasRows(56)
    await page.getByRole('button', { name: 'Show 4 of 4 more' }).focus()
    await page.keyboard.press('Enter')
    await hasRows(JOBS)
    expect(await page.getByRole('button', { name: /^Show/ }).count()).to.equal(0)
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement === document.body)).to.equal(false),
    )
    await context.close()
  })
})
