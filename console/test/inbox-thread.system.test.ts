import { expect } from 'chai'
import type { MessageRow } from '@mynah/contract/types'
import type { Page } from 'playwright-core'
import { until } from '@mynah/kernel/testing'
import { useBench } from './bench.js'
import { endpointRows } from './example-data.js'
import { healthy } from './stand-in.js'

const LINES = 120
const READ = 60
const channel = { type: 'group' as const, id: '#room', name: '#room' }
const path = `/inbox?open=${encodeURIComponent('irc/libera/group//%23room')}`
const methods = [
  'ping',
  'endpoint:list',
  'endpoint:inboxMessages',
  'endpoint:inboxRequests',
  'endpoint:inboxNotices',
].map((name) => ({ name }))

const messages = (count: number): MessageRow[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `m${String(index).padStart(4, '0')}`,
    messageId: `x${index}`,
    sender: { id: 'bob', name: 'bob' },
    channel,
    content: `line ${index}`,
    text: `line ${index}`,
    direction: 'in' as const,
    state: 'handled' as const,
    read: index < READ,
    timestamp: Date.now() + (index - count) * 400_000,
  })).reverse()

describe('a conversation', function () {
  this.timeout(240_000)
  const bench = useBench()
  const marked: number[] = []

  beforeEach(() => {
    marked.length = 0
    const [libera] = endpointRows(Date.now())
    const rows = messages(LINES)
    bench.host.answers = {
      ...healthy(),
      'GET /plugins': {
        data: [
          {
            name: 'inbox',
            status: 'active',
            description: '',
            features: [{ name: 'methods', count: methods.length, items: methods }],
          },
        ],
      },
      'endpoint:list': { data: { endpoints: [libera] } },
      'endpoint:inboxMessages': { data: { messages: rows, total: LINES } },
      'endpoint:inboxRequests': { data: { requests: [], total: 0 } },
      'endpoint:inboxNotices': { data: { notices: [], total: 0 } },
      'endpoint:messageConsumed': (params) => {
        marked.push((params['ids'] as string[]).length)
        return { data: { consumed: (params['ids'] as string[]).length } }
      },
    }
  })

  const box = (page: Page) => page.locator('.thread .lines')
  const fromEnd = (page: Page): Promise<number> =>
    box(page).evaluate((element) => Math.round(element.scrollHeight - element.scrollTop - element.clientHeight))
  const atEnd = (page: Page): Promise<unknown> =>
    page.waitForFunction(() => {
      const element = document.querySelector('.thread .lines')
      return element !== null && element.scrollHeight - element.scrollTop - element.clientHeight < 24
    })

  /** Waits for two frames, after which scroll events have fired. */
  const frames = (page: Page): Promise<unknown> =>
    page.evaluate(
      () =>
        new Promise((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(resolve))
        }),
    )
  const read = (times: number): Promise<void> => until(() => marked.length >= times, `${times} calls that mark as read`)

  it('opens at the first unread message, and is marked read after scrolling to its end', async () => {
    const { page, context } = await bench.signedIn(path)
    await page.getByText('Live', { exact: true }).waitFor()
    const rule = box(page).locator('.rule.new')
    await rule.waitFor()
    await page.waitForFunction(() => {
      const [lines, line] = [document.querySelector('.thread .lines'), document.querySelector('.thread .rule.new')]
      const above = lines && line ? line.getBoundingClientRect().top - lines.getBoundingClientRect().top : -1
      return above >= 0 && above < 100
    })
    expect(await fromEnd(page)).to.be.greaterThan(500)
    expect(marked).to.deep.equal([])
    // Scrolling by the page itself does not count as reading.
    await box(page).evaluate((element) => {
      element.scrollTop = element.scrollHeight
    })
    await atEnd(page)
    await box(page).evaluate((element) => {
      element.scrollTop = 0
    })
    await page.waitForFunction(() => document.querySelector('.thread .lines')?.scrollTop === 0)
    expect(marked).to.deep.equal([])
    await box(page).focus()
    await page.keyboard.press('End')
    await page.locator('.talks li .unread, .talks .unread').first().waitFor({ state: 'detached' })
    await read(1)
    expect(marked).to.deep.equal([LINES - READ])
    expect(await rule.count()).to.equal(1)
    // A reader at the end reads new messages.
    const [row] = messages(LINES + 1)
    bench.host.push('endpoint:message', {
      ...row,
      read: false,
      timestamp: Date.now(),
      adapter: 'irc',
      endpoint_id: 'libera',
    })
    await box(page).getByText(`line ${LINES}`, { exact: true }).waitFor()
    await read(2)
    expect(marked).to.deep.equal([LINES - READ, 1])
    await context.close()
  })

  it('shows edits, reactions and deletions as they happen', async () => {
    const { page, context } = await bench.signedIn(path)
    await page.getByText('Live', { exact: true }).waitFor()
    await box(page)
      .getByText(`line ${LINES - 1}`, { exact: true })
      .waitFor()
    const [row] = messages(LINES)
    const change = (more: object): void =>
      bench.host.push('endpoint:messageChanged', { ...row, adapter: 'irc', endpoint_id: 'libera', ...more })
    const edit = { text: 'better words', content: 'better words', editedAt: Date.now() }
    const by = (id: string) => ({ emoji: '👍', sender: { id } })
    change({ ...edit, reactions: [by('ann'), by('cy')] })
    await box(page).getByText('better words', { exact: true }).waitFor()
    await box(page)
      .getByText(/^edited \d\d:\d\d/)
      .waitFor()
    expect(await box(page).getByRole('list', { name: 'Reactions' }).innerText()).to.match(/👍\s2\s+ann, cy/)
    change({ ...edit, reactions: [], deletedAt: Date.now() })
    await box(page).locator('del', { hasText: 'better words' }).waitFor()
    await box(page)
      .getByText(/^deleted \d\d:\d\d/)
      .waitFor()
    expect(await box(page).getByRole('list', { name: 'Reactions' }).count()).to.equal(0)
    await context.close()
  })

  it('keeps its end in sight when the window shrinks, and its position when scrolled up', async () => {
    const { page, context } = await bench.signedIn(path)
    await page.getByText('Live', { exact: true }).waitFor()
    await box(page).focus()
    await page.keyboard.press('End')
    await read(1)
    await atEnd(page)
    await frames(page)
    await page.setViewportSize({ width: 1280, height: 480 })
    await atEnd(page)
    await box(page).evaluate((element) => {
      element.scrollTop = 300
    })
    await frames(page)
    await page.setViewportSize({ width: 1280, height: 720 })
    await frames(page)
    expect(await box(page).evaluate((element) => element.scrollTop)).to.equal(300)
    await context.close()
  })
})
