// No task of any page takes longer than 50 ms on a machine that is four times slower, with 10,000 rows.
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { useBench } from './bench.js'
import { exampleAnswers } from './example-data.js'
import { watchTasks } from './long-tasks.js'
import { healthy } from './stand-in.js'

const MOST_MS = 50
const ROWS = 10_000
const ATTEMPTS = 6

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

  /** Returns the actions of which even the fastest try had a long task: other work on the machine only adds. */
  async function tooLong(
    path: string,
    ready: string,
    acts: Readonly<Record<string, (page: Page, attempt: number) => Promise<unknown>>>,
  ): Promise<Record<string, number>> {
    const { page, context } = await bench.signedIn(path, { reducedMotion: 'reduce' })
    await page.locator(ready).first().waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    const taskOf = await watchTasks(page)
    const found: Record<string, number> = {}
    for (const [name, act] of Object.entries(acts)) {
      let best = Infinity
      for (let attempt = 1; attempt <= ATTEMPTS && best > MOST_MS; attempt += 1)
        best = Math.min(best, await taskOf(() => act(page, attempt)))
      if (best > MOST_MS) found[name] = Math.round(best)
    }
    await context.close()
    return found
  }

  it('Database turns a page and moves through the grid', async () => {
    const slow = await tooLong('/database?table=quotes', '.grid tbody tr', {
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
})
