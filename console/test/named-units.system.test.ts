import { expect } from 'chai'
import { useBench } from './bench.js'
import { endpointRows, exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

const DAY = 86_400_000

describe('figures and times', function () {
  this.timeout(240_000)
  const bench = useBench()
  beforeEach(() => {
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
  })

  it('of a key-value table are entries, and no longer count one that has expired', async () => {
    const now = Date.now()
    const entries = [
      { key: 'greeting', value: 'hello' },
      { key: 'kept', value: 1 },
      { key: 'gone', value: 2, expiresAt: now - 1 },
    ]
    bench.host.answers['db:kv:entries'] = { data: { entries, total: 3, page: 1, pageSize: 50 } }
    const { page, context } = await bench.signedIn('/database?table=settings')
    await page.getByText('2 entries', { exact: true }).waitFor()
    expect(await page.locator('.db-split tbody tr').count()).to.equal(2)
    bench.host.answers['db:kv:entries'] = { data: { entries: [], total: 0, page: 1, pageSize: 50 } }
    await page.keyboard.press('r')
    await page.getByText('0 entries', { exact: true }).waitFor()
    await context.close()
  })

  it('of a table of documents are entries', async () => {
    const { page, context } = await bench.signedIn('/database?table=notes')
    await page.getByText('1 entry', { exact: true }).waitFor()
    await context.close()
  })

  it('of a new task are in the zone of the host, which is named, until another one is given', async () => {
    const nextRuns = [Date.UTC(2027, 0, 1, 8)]
    bench.host.answers['cron:preview'] = ({ timezone }) => ({
      data: { nextRuns, timezone: timezone ?? 'Europe/Berlin' },
    })
    const { page, context } = await bench.signedIn('/cron/new', { timezoneId: 'America/New_York' })
    const runs = page.locator('.section', { hasText: 'Next five runs' })
    await runs.getByText('times in Europe/Berlin').waitFor()
    await runs.getByText('09:00').waitFor()
    await page.getByText('Empty: the zone of the host, Europe/Berlin').waitFor()
    const zone = page.getByLabel('Time zone')
    expect(await zone.getAttribute('placeholder')).to.equal('Europe/Berlin')
    await zone.fill('Asia/Tokyo')
    await runs.getByText('times in Asia/Tokyo').waitFor()
    await runs.getByText('17:00').waitFor()
    await context.close()
  })

  it('of changes of state have the form of all pages: the clock today, the day with it before', async () => {
    const [libera] = endpointRows(Date.now())
    const today = new Date()
    today.setHours(0, 0, 1)
    const before = new Date(today.getTime() - 3 * DAY)
    bench.host.answers['endpoint:list'] = { data: { endpoints: [libera] } }
    bench.host.answers['endpoint:info'] = {
      data: {
        changes: [
          { at: today.getTime(), status: 'online' },
          { at: before.getTime(), status: 'offline', reason: 'lost' },
        ],
      },
    }
    const { page, context } = await bench.signedIn('/endpoints')
    const times = page.getByRole('table', { name: 'Changes of state' }).locator('time')
    await times.nth(1).waitFor()
    const [first, second] = await times.allInnerTexts()
    expect(first).to.equal('00:00')
    expect(second).to.match(/^[A-Z][a-z]{2} \d{1,2} \d\d:00$/)
    await context.close()
  })
})
