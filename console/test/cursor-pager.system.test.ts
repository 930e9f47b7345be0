import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { exampleAnswers, SESSION } from './example-data.js'
import { healthy, type Answer } from './stand-in.js'

type Params = Readonly<Record<string, unknown>>

const TOTAL = 250
const PAGE = 100
const HOUR = 3_600_000
const NOW = Date.now()
const id = (index: number): string => `t${String(index).padStart(3, '0')}`
const task = (index: number) => ({
  id: id(index),
  label: `Task ${index}`,
  cronExpression: '0 9 * * *',
  prompt: 'Do it',
  notify: { channel: 'log' },
  createdAt: 0,
  timezone: 'UTC',
  nextRuns: [],
  recent: [],
  failures: 0,
  enabled: index % 50 !== 1,
  nextRun: NOW + (index + 1) * HOUR,
  ...(index % 50 === 2 ? { lastStatus: 'error', lastRun: NOW - HOUR, lastError: 'no answer' } : {}),
})
const all = Array.from({ length: TOTAL }, (_, index) => task(index))
const states: Readonly<Record<string, (row: ReturnType<typeof task>) => boolean>> = {
  failed: (row) => 'lastStatus' in row,
  paused: (row) => !row.enabled,
}

/** Returns the rows of `of` after the id `before`, and where the next page begins. */
function cut<T extends { readonly id: string }>(
  rows: readonly T[],
  before: unknown,
  limit: number,
): { readonly rows: readonly T[]; readonly nextBefore?: string } {
  const from = rows.findIndex((row) => row.id === before) + 1
  const page = rows.slice(from, from + limit)
  return { rows: page, ...(from + limit < rows.length ? { nextBefore: page.at(-1)?.id ?? '' } : {}) }
}

function tasks({ search, state, before, limit }: Params): Answer {
  const matching = all.filter(
    (row) =>
      (search === undefined || row.label.includes(String(search))) &&
      (state === undefined || states[String(state)]?.(row) === true),
  )
  const { rows, nextBefore } = cut(matching, before, Number(limit ?? PAGE))
  return {
    data: {
      memory: [],
      persistent: rows,
      total: TOTAL,
      matching: matching.length,
      failed: 5,
      paused: 5,
      ...(nextBefore ? { nextBefore } : {}),
    },
  }
}

const jobs = all.map((row) => ({
  id: row.id,
  label: `Job ${row.id}`,
  enabled: true,
  trigger: { kind: 'im' },
  action: { kind: 'handler', handler: 'x' },
  notify: { channel: 'log' },
  state: { ...('lastStatus' in row ? { lastStatus: 'error', lastRunAt: row.lastRun } : {}) },
  recent: [],
}))

describe('a long list', function () {
  this.timeout(240_000)
  const bench = useBench()
  const asked: Params[] = []
  const pager = (page: Page, name: string) => page.locator('.pager').getByRole('button', { name })
  const heads = (page: Page) => page.locator('main tbody').first().locator('tr[tabindex], tr:has(th)')

  beforeEach(() => {
    asked.length = 0
    bench.host.answers = {
      ...healthy(),
      ...exampleAnswers(),
      'cron:list': (params) => {
        asked.push(params)
        return tasks(params)
      },
      'GET /assistant/jobs': ({ before }) => {
        const { rows, ...more } = cut(jobs, before, PAGE)
        return { data: { jobs: rows, eventsActive: true, ...more } }
      },
    }
  })

  it('pages tasks by a hundred, forward and back', async () => {
    const { page, context } = await bench.signedIn('/cron')
    await page.getByText('Task 0', { exact: true }).waitFor()
    expect(asked.at(-1)).to.include({ limit: PAGE }).and.not.have.any.keys('before', 'search', 'state')
    await eventually(async () => expect(await page.locator('.tasks tbody th').count()).to.equal(PAGE))
    await page.keyboard.press(']')
    await page.getByText('Task 100', { exact: true }).waitFor()
    await page.waitForURL(`**/cron?before=${id(99)}`)
    await pager(page, 'Older').click()
    await page.getByText('Task 249', { exact: true }).waitFor()
    await eventually(async () => expect(await page.locator('.tasks tbody th').count()).to.equal(TOTAL - 2 * PAGE))
    expect(await pager(page, 'Older').isDisabled()).to.equal(true)
    await page.keyboard.press('[')
    await page.getByText('Task 100', { exact: true }).waitFor()
    await page.keyboard.press('[')
    await page.getByText('Task 0', { exact: true }).waitFor()
    await context.close()
  })

  it('searches and filters tasks on the host, from the first page on', async () => {
    const { page, context } = await bench.signedIn(`/cron?before=${id(99)}`)
    await page.getByText('Task 100', { exact: true }).waitFor()
    await page.getByRole('searchbox').fill('Task 24')
    await page.getByText('Task 240', { exact: true }).waitFor()
    expect(asked.at(-1)).to.include({ search: 'Task 24' }).and.not.have.any.keys('before')
    await eventually(async () => expect(await page.locator('.tasks tbody th').count()).to.equal(11))
    await page.getByText('11 of 11', { exact: false }).waitFor()
    await page.getByRole('searchbox').fill('')
    await page.locator('.segments label', { hasText: 'Failed' }).click()
    await page.waitForFunction(() => document.querySelectorAll('.tasks tbody th').length === 5)
    expect(asked.at(-1)).to.include({ state: 'failed' })
    await page.getByRole('searchbox').fill('nothing like it')
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('Task 0', { exact: true }).waitFor()
    await page.waitForURL('**/cron')
    await context.close()
  })

  it('pages jobs, and filters failed ones within a page', async () => {
    const { page, context } = await bench.signedIn('/assistant/jobs')
    await page.getByText('Job t000', { exact: true }).waitFor()
    await pager(page, 'Older').click()
    await page.getByText('Job t100', { exact: true }).waitFor()
    await page.waitForURL(`**/assistant/jobs?before=${id(99)}`)
    await page.locator('.segments label', { hasText: 'Failed' }).click()
    await page.waitForFunction(() => document.querySelectorAll('.jobs .unfold').length === 2)
    expect(await page.locator('.jobs .unfold').allInnerTexts()).to.deep.equal(['Job t102', 'Job t152'])
    await page.reload()
    await page.getByText('Job t102', { exact: true }).waitFor()
    await pager(page, 'Newest').click()
    await page.getByText('Job t002', { exact: true }).waitFor()
    await context.close()
  })

  it('searches sessions on the host and keeps the search in the address', async () => {
    const rows = Array.from({ length: 3 }, (_, index) => ({
      sessionKey: `${SESSION}-${index}`,
      sessionId: `s-${index}`,
      state: 'active',
      title: `Talk ${index}`,
      messages: 1,
      lastActiveAt: NOW,
      usage: { input: 0, cachedInput: 0, output: 0 },
    }))
    bench.host.answers['agent:sessions'] = ({ filter }) => {
      const found = rows.filter(({ title }) => filter === undefined || title.includes(String(filter)))
      return { data: { sessions: found, total: found.length } }
    }
    const { page, context } = await bench.signedIn('/agent/sessions')
    await page.getByRole('rowheader', { name: /Talk 0/ }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('Talk 2')
    await page.waitForURL('**/agent/sessions?filter=Talk+2')
    await page.getByRole('rowheader', { name: /Talk 0/ }).waitFor({ state: 'detached' })
    await eventually(async () => expect(await heads(page).count()).to.equal(1))
    await context.close()
  })
})
