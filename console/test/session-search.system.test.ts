import { expect } from 'chai'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { exampleAnswers, SESSION } from './example-data.js'
import { healthy, type Answer } from './stand-in.js'

type Params = Readonly<Record<string, unknown>>

const NOW = Date.now()
const LAST = 300
const PLACE = 41

/** A long conversation; entry `n` says its number. */
const entry = (id: number) => ({
  id,
  parentId: id === 1 ? null : id - 1,
  kind: 'message',
  role: id % 2 === 1 ? 'user' : 'assistant',
  content: id === PLACE ? 'where is the blue lamp?' : `message ${id}`,
  timestamp: NOW - (LAST - id) * 1_000,
})
function session({ before = LAST + 1, leaf = LAST, limit = 100 }: Params): Answer {
  const end = Math.min(Number(before) - 1, Number(leaf))
  const ids = Array.from({ length: Math.min(end, Number(limit)) }, (_, index) => end - index)
  return {
    data: {
      sessionKey: SESSION,
      sessionId: 's-1',
      activeLeafMessageId: null,
      entries: ids.map(entry),
      ...(end > ids.length ? { nextBefore: ids.at(-1) } : {}),
    },
  }
}
const hit = (entryId: number, more: object = {}) => ({
  sessionKey: SESSION,
  sessionId: 's-1',
  state: 'active',
  title: '#mynah-dev',
  subject: 'message 1',
  entryId,
  role: 'user',
  timestamp: NOW,
  before: 'where is the blue ',
  match: 'lamp',
  after: '?',
  ...more,
})

const looks = [
  {
    name: 'English, wide',
    locale: 'en',
    width: 1440,
    said: 'In what was said',
    newest: 'Go to the newest',
    further: 'Search further back',
  },
  {
    name: 'Chinese, narrow',
    locale: 'zh-CN',
    width: 390,
    said: '在对话内容中',
    newest: '转到最新',
    further: '继续向前搜索',
  },
] as const

describe('search in sessions', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })
  beforeEach(() => {
    bench.host.answers = {
      ...healthy(),
      ...exampleAnswers(),
      'agent:session': session,
      'agent:turns': { data: { turns: [] } },
    }
  })

  for (const { name, locale, width, said, newest, further } of looks)
    it(`finds what was said by keyboard, and opens its place (${name})`, async () => {
      bench.host.answers['agent:search'] = ({ text, before }) => ({
        data:
          before === undefined
            ? { found: text === 'lamp' ? [hit(PLACE)] : [], nextBefore: 's-1/1' }
            : { found: [hit(7, { state: 'archived', sessionId: 's-0', after: ' of old' })] },
      })
      const { page, context } = await bench.signedIn('/agent/sessions', { locale, viewport: { width, height: 900 } })
      await page.locator('main input').waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('lamp')
      const section = page.getByRole('region', { name: said })
      await section.locator('mark', { hasText: 'lamp' }).waitFor()
      await section.getByRole('button', { name: further }).click()
      await section.getByText(' of old').waitFor()
      expect(await section.locator('tbody tr').count()).to.equal(2)
      expect(await section.getByRole('button', { name: further }).count()).to.equal(0)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).to.equal(true)
      await section.locator('tbody tr').first().focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.searchParams.get('at') === String(PLACE))
      const place = page.locator('.turn.found')
      await place.getByText('where is the blue lamp?').waitFor()
      await eventually(async () => {
        expect(await place.evaluate((element) => element === document.activeElement)).to.equal(true)
        const [top, box] = [await place.boundingBox(), await page.locator('.talk').boundingBox()]
        expect(top?.y).to.be.within(box?.y ?? 0, (box?.y ?? 0) + (box?.height ?? 0))
      })
      await page.getByText('message 75', { exact: true }).waitFor()
      await page.getByRole('link', { name: newest }).click()
      await page.getByText('message 299', { exact: true }).waitFor()
      expect(await page.locator('.turn.found').count()).to.equal(0)
      await context.close()
    })

  it('shows a place of another branch by its own path', async () => {
    const asked: Params[] = []
    bench.host.answers['agent:session'] = (params) => {
      asked.push(params)
      if (params['leaf'] !== undefined) return session(params)
      return { data: { sessionKey: SESSION, sessionId: 's-1', activeLeafMessageId: null, entries: [entry(1)] } }
    }
    const { page, context } = await bench.signedIn(`/agent/sessions?key=${encodeURIComponent(SESSION)}&at=${PLACE}`)
    await page.locator('.turn.found').getByText('where is the blue lamp?').waitFor()
    expect(asked.at(-1)).to.include({ leaf: PLACE })
    await context.close()
  })

  it('names sessions by what they are about, and never by an id', async () => {
    const job = {
      ...hit(1),
      messages: 2,
      lastActiveAt: NOW,
      adapter: '',
      endpointId: '',
      usage: { input: 0, cachedInput: 0, output: 0 },
    }
    bench.host.answers['agent:sessions'] = {
      data: {
        sessions: [
          { ...job, sessionKey: 'job|0m1abc', sessionId: 'a', title: 'Evening round', subject: 'Evening round' },
          { ...job, sessionKey: 'job|0m2abc', sessionId: 'b', title: undefined, subject: undefined },
          { ...job, sessionKey: 'task|0m3abc', sessionId: 'c', title: undefined, subject: 'Count the lamps' },
        ],
        total: 3,
      },
    }
    const { page, context } = await bench.signedIn('/agent/sessions')
    await page.getByRole('link', { name: 'Evening round' }).waitFor()
    expect(await page.locator('tbody th a').allTextContents()).to.deep.equal([
      'Evening round',
      'A task',
      'Count the lamps',
    ])
    await context.close()
  })

  it('says that a search failed', async () => {
    bench.host.answers['agent:search'] = { status: 503, error: 'The agent is starting', code: 'not_ready' }
    const { page, context } = await bench.signedIn('/agent/sessions?filter=lamp')
    await page.getByText('The agent is starting').first().waitFor()
    await context.close()
  })

  it('shows a turn that waits in its path: all its words, its tools, and the question after the call', async () => {
    const words = `paint the fence, ${'and the gate '.repeat(30)}`.trim()
    const open = [
      { ...entry(301), content: words },
      { ...entry(302), content: [{ type: 'tool-call', id: 'c9', name: 'ask_user', input: { question: 'Which?' } }] },
    ]
    bench.host.answers['agent:session'] = (params) =>
      params['leaf'] === 302
        ? { data: { sessionKey: SESSION, sessionId: 's-1', activeLeafMessageId: null, entries: [...open].reverse() } }
        : session(params)
    const turn = {
      id: 't',
      sessionKey: SESSION,
      state: 'waiting',
      stage: 'tools',
      step: 1,
      startedAt: NOW,
      text: words,
    }
    bench.host.answers['agent:turns'] = {
      data: {
        turns: [
          { ...turn, entryId: 302, waitingFor: { kind: 'question', id: 'q1', call: 'c9', text: 'Which colour?' } },
        ],
      },
    }
    const path = `/agent/sessions?key=${encodeURIComponent(SESSION)}`
    const { page, context } = await bench.signedIn(path, { viewport: { width: 390, height: 844 } })
    const talk = page.getByRole('log')
    await talk.getByText(words).waitFor()
    await talk.locator('summary', { hasText: 'ask_user' }).getByText('waits', { exact: true }).waitFor()
    const question = talk.getByRole('group', { name: 'Waits for you' })
    await question.getByText('Which colour?').waitFor()
    await page.getByRole('button', { name: 'Go to it' }).click()
    await eventually(async () =>
      expect(await question.getByRole('textbox').evaluate((field) => field === document.activeElement)).to.equal(true),
    )
    expect(await question.evaluate((element) => element.previousElementSibling?.textContent)).to.include('ask_user')
    await context.close()
    bench.host.answers['agent:turns'] = { data: { turns: [{ ...turn, state: 'queued' }] } }
    const second = await bench.signedIn(path)
    await second.page.getByRole('log').getByText(words).waitFor()
    await second.page.getByText('message 299', { exact: true }).waitFor()
    await second.context.close()
  })
})
