// No task of any page takes longer than 50 ms on a machine that is four times slower, with 10,000 rows.
import { expect } from 'chai'
import { useBench } from './bench.js'
import { exampleAnswers } from './example-data.js'
import { tooLong, visit } from './long-tasks.js'
import { healthy } from './stand-in.js'

const ROWS = 10_000

const columns = ['id', 'text', 'author', 'source', 'score', 'at', 'tag', 'note'].map((name, index) => ({
  name,
  type: index === 0 || name === 'score' ? 'integer' : 'text',
  ...(index === 0 ? { primary: true } : { nullable: true }),
}))
const rowOf = (id: number) => ({
  id,
  text: `Words of row ${id}, which are as long as people write them`,
  author: id % 3 ? `person ${id % 40}` : null,
  source: 'libera|#mynah-dev',
  score: id % 100,
  at: 1_790_000_000_000 + id,
  tag: id % 5 ? 'a' : '',
  note: null,
})

describe('pages with many rows, on a slow machine', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })
  beforeEach(() => {
    bench.host.answers = {
      ...healthy(),
      ...exampleAnswers(),
      'db:tables': { data: { tables: [{ name: 'quotes', kind: 'related', writable: true, columns }] } },
      'db:select': ({ page, pageSize }) => ({
        data: {
          rows: Array.from({ length: Number(pageSize) }, (_, index) =>
            rowOf((Number(page) - 1) * Number(pageSize) + index + 1),
          ),
          total: ROWS,
          page,
          pageSize,
        },
      }),
    }
  })

  it('Database turns a page and moves through the grid', async () => {
    const slow = await tooLong(bench, '/database?table=quotes', '.grid tbody tr', {
      turn: async (page, attempt) => {
        await page.keyboard.press(']')
        await page.getByRole('rowheader', { name: String(45 * attempt + 1), exact: true }).waitFor()
      },
      move: async (page) => {
        await page.locator('.grid .cell').first().focus()
        for (let at = 0; at < 20; at += 1) await page.keyboard.press('ArrowDown')
      },
    })
    expect(slow).to.deep.equal({})
  })

  it('Traces opens with a thousand messages, goes to the next one, and folds a long one', async () => {
    const step = (index: number) => ({
      stage: index % 2 ? 'tool' : 'model',
      name: `n${index}`,
      outcome: 'ran',
      ms: 10 * index,
      durationMs: 9,
      ...(index % 2 ? { id: `c${index}` } : { parent: `c${index - (index % 10) + 9}` }),
    })
    const trace = (index: number) => ({
      messageId: `m${index}`,
      endpointId: 'libera',
      adapter: 'irc',
      channel: { type: 'group', id: `#room${index % 40}` },
      sender: { id: `u${index % 90}`, name: `Person ${index % 90}` },
      text: `Words of message ${index}, which are as long as people write them`,
      startedAt: 1_790_000_000_000 - index * 1_000,
      endedAt: 1_790_000_000_000,
      durationMs: 5_000,
      replies: 1,
      steps: Array.from({ length: index < 3 ? 500 : 20 }, (_, at) => step(at)),
    })
    bench.host.answers['chat:traces'] = { data: { traces: Array.from({ length: 1_000 }, (_, index) => trace(index)) } }
    const slow = await tooLong(bench, '/traces', '.pane-list li', {
      open: visit('/traces', '.pane-list li'),
      next: async (page, attempt) => {
        await page.keyboard.press('j')
        await page
          .locator('.trace .said', { hasText: `message ${attempt - 1},` })
          .first()
          .waitFor()
      },
      long: visit('/traces?message=m1', '.trace-row'),
      fold: async (page) => {
        await page.locator('.trace-row.group').first().focus()
        await page.keyboard.press('Enter')
        await page.keyboard.press('Enter')
      },
      filter: async (page, attempt) => {
        await page.getByLabel('Text, sender or message id').fill(`message 9${attempt}`)
        await page.waitForURL(new RegExp(`filter=message.9${attempt}`))
      },
    })
    expect(slow).to.deep.equal({})
  })

  it('Jobs opens with a page of them, and opens and filters one', async () => {
    const job = (index: number) => ({
      id: `job${String(index).padStart(5, '0')}`,
      label: `Job ${index}`,
      enabled: true,
      trigger: { kind: 'event', source: 'github', type: 'push' },
      action: { kind: 'agent', prompt: 'Look' },
      notify: { channel: 'log' },
      state: { lastRunAt: 1_790_000_000_000 - index, lastStatus: index % 9 ? 'ok' : 'error' },
      createdAt: 1_790_000_000_000,
      recent: Array.from({ length: 30 }, (_, at) => ({ slot: `s${at}`, state: at % 7 ? 'ok' : 'error' })),
      failures: 0,
    })
    bench.host.answers['GET /assistant/jobs'] = ({ limit = 200 }) => ({
      data: {
        jobs: Array.from({ length: Number(limit) }, (_, index) => job(index)),
        eventsActive: true,
        nextBefore: `job${String(limit).padStart(5, '0')}`,
      },
    })
    const slow = await tooLong(bench, '/assistant/jobs', '.jobs tbody tr', {
      open: visit('/assistant/jobs', '.jobs tbody tr'),
      unfold: async (page, attempt) => {
        await page.locator('.jobs .unfold').nth(attempt).click()
        await page.locator('.runs').first().waitFor()
      },
      filter: async (page, attempt) => {
        await page.getByRole('radio', { name: attempt % 2 ? 'By event' : 'By hand' }).check({ force: true })
      },
    })
    expect(slow).to.deep.equal({})
  })

  it('Sessions opens, turns a page of ten thousand, and opens one', async () => {
    const session = (index: number) => ({
      sessionKey: `irc|libera|group|#room${index}`,
      sessionId: `s${index}`,
      state: 'active',
      title: `#room${index}`,
      subject: `Words of room ${index}`,
      adapter: 'irc',
      endpointId: 'libera',
      channel: { type: 'group', id: `#room${index}` },
      messages: 40,
      lastActiveAt: 1_790_000_000_000 - index * 1_000,
      usage: { input: 182_406, cachedInput: 129_508, output: 9_318 },
    })
    bench.host.answers['agent:sessions'] = ({ limit, before }) => {
      const from = before === undefined ? 0 : Number(before)
      return {
        data: {
          sessions: Array.from({ length: Number(limit) }, (_, index) => session(from + index)),
          total: ROWS,
          nextBefore: String(from + Number(limit)),
        },
      }
    }
    const slow = await tooLong(bench, '/agent/sessions', 'main table tbody tr', {
      open: visit('/agent/sessions', 'tbody tr'),
      turn: async (page, attempt) => {
        await page.getByRole('button', { name: 'Older' }).click()
        await page
          .getByText(`room ${attempt * 50}`, { exact: false })
          .first()
          .waitFor()
      },
    })
    expect(slow).to.deep.equal({})
  })

  it('Inbox opens with what ten thousand messages leave, and opens conversations', async () => {
    const message = (index: number, endpoint: string) => ({
      id: `${endpoint}${String(ROWS - index).padStart(6, '0')}`,
      messageId: `x-${index}`,
      sender: { id: `u${index % 300}`, name: `Person ${index % 300}` },
      channel: { type: 'private', id: `u${index % 300}`, name: `Person ${index % 300}` },
      content: `Words of message ${index}`,
      text: `Words of message ${index}`,
      direction: 'in',
      state: 'handled',
      read: index % 3 > 0,
      timestamp: 1_790_000_000_000 - index * 1_000,
    })
    bench.host.answers['endpoint:inboxMessages'] = ({ endpointId, limit }) => ({
      data: {
        messages: Array.from({ length: Number(limit ?? 50) }, (_, index) => message(index, String(endpointId))),
        total: ROWS,
      },
    })
    const slow = await tooLong(bench, '/inbox', '.talks li, main ul li', {
      open: visit('/inbox', 'ul li > button'),
      choose: async (page, attempt) => {
        await page.locator('main ul li > button').nth(attempt).click()
        await page.waitForURL(/open=/)
      },
    })
    expect(slow).to.deep.equal({})
  })

  it('Approvals opens with a hundred that wait', async () => {
    const answers = bench.host.answers['exec:pending'] as { data: { pending: object[] } }
    const [first] = answers.data.pending
    bench.host.answers['exec:pending'] = {
      data: { ...answers.data, pending: Array.from({ length: 100 }, (_, index) => ({ ...first, id: `a${index}` })) },
    }
    const slow = await tooLong(bench, '/agent/approvals', 'h1', {
      open: visit('/agent/approvals', '.section, .approval'),
    })
    expect(slow).to.deep.equal({})
  })

  it('Logs opens, filters and chooses a minute', async () => {
    const slow = await tooLong(bench, '/logs', '.vrow', {
      open: visit('/logs', '.vrow'),
      filter: async (page, attempt) => {
        await page.getByLabel('Text in the message').fill(attempt % 2 ? 'accepted' : '')
        await page.waitForURL(attempt % 2 ? /filter=accepted/ : /logs$/)
      },
      minute: async (page) => {
        await page.getByRole('slider').focus()
        await page.keyboard.press('End')
        await page.keyboard.press('Escape')
      },
    })
    expect(slow).to.deep.equal({})
  })
})
