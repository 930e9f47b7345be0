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

  it('of files shows every file in steps, and an open one at once', async () => {
    const file = (index: number) => {
      const path = `note-${String(index).padStart(3, '0')}.md`
      return { name: path, path, type: 'file', size: 100 }
    }
    bench.host.answers = {
      ...healthy(),
      ...exampleAnswers(),
      'files:tree': { data: { tree: Array.from({ length: 730 }, (_, index) => file(index)) } },
    }
    const { page, context } = await bench.signedIn('/files?path=note-520.md')
    const items = page.getByRole('treeitem')
    const hasItems = (count: number): Promise<void> =>
      eventually(async () => expect(await items.count()).to.equal(count))
    await hasItems(521)
    await page.getByRole('treeitem', { name: 'note-520.md', selected: true }).focus()
    await page.keyboard.press('Tab')
    for (const [left, count] of [
      [209, 621],
      [109, 721],
    ] as const) {
      await page.getByRole('button', { name: `Show 100 of ${left} more` }).press('Enter')
      await hasItems(count)
    }
    await page.getByRole('button', { name: 'Show 9 of 9 more' }).press('Enter')
    await hasItems(730)
    await page.getByRole('treeitem', { name: 'note-729.md' }).waitFor()
    expect(await page.getByRole('button', { name: /^Show \d/ }).count()).to.equal(0)
    // One that is far below is open in its tab, and found by a filter.
    await page.goto(`${bench.site.url}/files?path=note-700.md`)
    await hasItems(100)
    await page.getByRole('searchbox').fill('note-70')
    await page.getByRole('treeitem', { name: 'note-700.md', selected: true }).waitFor()
    await context.close()
  })

  it('of endpoints is in pages, with what is wrong on the first, and filters all of them', async () => {
    const { 'endpoint:list': list } = exampleAnswers() as Record<string, { data: { endpoints: object[] } }>
    const first = list?.data.endpoints[0]
    const endpoints = Array.from({ length: 60 }, (_, index) => ({
      ...first,
      name: `room${String(index).padStart(2, '0')}`,
      status: index === 59 ? 'offline' : 'online',
      connected: index !== 59,
      unread: { messages: 0, requests: 0, notices: 0 },
    }))
    bench.host.answers = { ...healthy(), ...exampleAnswers(), 'endpoint:list': { data: { endpoints } } }
    const { page, context } = await bench.signedIn('/endpoints')
    const names = page.locator('.endpoints-table tbody th a')
    const shows = (count: number, name: string): Promise<void> =>
      eventually(async () =>
        expect([await names.count(), await names.first().textContent()]).to.deep.equal([count, name]),
      )
    await shows(20, 'room59')
    await page.keyboard.press(']')
    await shows(20, 'room19')
    await page.keyboard.press(']')
    await shows(20, 'room39')
    await page.waitForURL('**/endpoints?page=3')
    // A filter begins on its first page.
    await page.locator('.segments label', { hasText: 'Offline' }).click()
    await shows(1, 'room59')
    await page.waitForURL('**/endpoints?status=offline')
    await context.close()
  })
})
