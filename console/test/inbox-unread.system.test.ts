import { expect } from 'chai'
import type { MessageRow } from '@mynah/contract/types'
import { eventually } from './eventually.js'
import { useBench } from './bench.js'
import { endpointRows, exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

const PAGE = 100

/** Messages of many conversations, newest first, of which every tenth is unread. */
const messages = (count: number): MessageRow[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `m${String(index).padStart(6, '0')}`,
    messageId: `x${index}`,
    sender: { id: 'bob', name: 'bob' },
    channel: { type: 'group' as const, id: `#room${index % 40}`, name: `#room${index % 40}` },
    content: `line ${index}`,
    text: `line ${index}`,
    direction: 'in' as const,
    state: 'handled' as const,
    read: index % 10 !== 0,
    timestamp: Date.now() + (index - count) * 1000,
  })).reverse()

describe('what is unread in the inbox', function () {
  this.timeout(240_000)
  const bench = useBench()

  /** Answers as the store does, with pages of 100. */
  const answer = (rows: readonly MessageRow[]): void => {
    const [libera] = endpointRows(Date.now())
    const unread = { messages: rows.filter(({ read }) => !read).length, requests: 0, notices: 0 }
    bench.host.answers = {
      ...healthy(),
      ...exampleAnswers(),
      'endpoint:list': { data: { endpoints: [{ ...libera, unread }] } },
      'endpoint:inboxRequests': { data: { requests: [], total: 0 } },
      'endpoint:inboxNotices': { data: { notices: [], total: 0 } },
      'endpoint:inboxMessages': ({ before, unreadOnly }) => {
        const found = rows
          .filter(({ id }) => before === undefined || id < String(before))
          .filter(({ read }) => unreadOnly !== true || !read)
        const page = found.slice(0, PAGE)
        const last = page.at(-1)
        return {
          data: { messages: page, total: rows.length, ...(found.length > PAGE && last ? { nextBefore: last.id } : {}) },
        }
      },
    }
  }
  const counted = async (page: { locator(selector: string): { allInnerTexts(): Promise<string[]> } }) =>
    (await page.locator('.talks li em').allInnerTexts()).reduce((sum, text) => sum + Number(/\d+$/.exec(text)?.[0]), 0)

  it('is counted by the store, and each is a row, also those that are older than the newest page', async () => {
    answer(messages(1000))
    const { page, context } = await bench.signedIn('/inbox')
    await page.getByText('100 unread, 0 requests wait').waitFor()
    await eventually(async () => expect(await counted(page)).to.equal(100))
    expect(await page.locator('.talks header .muted').innerText()).to.equal('100 unread')
    expect(await page.locator('.segments label', { hasText: 'Unread' }).locator('small').first().innerText()).to.equal(
      '100',
    )
    await context.close()
  })

  it('says how many are here if there are too many', async () => {
    answer(messages(9000))
    const { page, context } = await bench.signedIn('/inbox')
    await page.getByText('900 unread, the newest 510 are here').waitFor()
    await eventually(async () => expect(await counted(page)).to.equal(510))
    await context.close()
  })

  it('forgets what was read on another console meanwhile', async () => {
    const rows = messages(300)
    answer(rows)
    const { page, context } = await bench.signedIn('/inbox')
    await eventually(async () => expect(await counted(page)).to.equal(30))
    answer(rows.map((row) => ({ ...row, read: true })))
    await page.reload()
    await page.getByText('0 unread, 0 requests wait').waitFor()
    await eventually(async () => expect(await counted(page)).to.equal(0))
    await context.close()
  })
})
