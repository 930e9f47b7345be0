import { expect } from 'chai'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { exampleAnswers, SESSION, tree } from './example-data.js'
import { healthy } from './stand-in.js'

const path = `/agent/sessions?key=${encodeURIComponent(SESSION)}`
const treeCall = `GET /agent/sessions/${SESSION}/tree`

describe('a session', function () {
  this.timeout(240_000)
  const bench = useBench()
  beforeEach(() => {
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
  })

  it('continues from a point chosen by keys, and reloads the tree', async () => {
    let active: number | null = null
    bench.host.answers[treeCall] = () => ({ data: { ...tree, activeLeafMessageId: active } })
    bench.host.answers[`POST /agent/sessions/${SESSION}/leaf`] = () => {
      active = 9
      return { data: { sessionKey: SESSION, sessionId: 's-1', activeLeafMessageId: 9 } }
    }
    const { page, context } = await bench.signedIn(path)
    const current = page.locator('.points [aria-current=true]')
    await page.getByText('Live', { exact: true }).waitFor()
    await eventually(async () => expect(await current.textContent()).to.contain('then fix it'))
    await current.focus()
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key)
    const dialog = page.getByRole('dialog', { name: 'Continue from #3?' })
    await dialog.getByText('who touched the sidebar config last').waitFor()
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal('Cancel'),
    )
    expect(bench.host.calls.filter((call) => call.startsWith('POST'))).to.deep.equal([])
    await dialog.getByRole('button', { name: 'Continue from #3' }).click()
    await page.locator('.strip-line', { hasText: 'The conversation continues from #3' }).waitFor()
    await page.locator('.points [aria-current=true]', { hasText: 'who touched' }).waitFor()
    expect(bench.host.calls.filter((call) => call === treeCall).length).to.be.greaterThan(1)
    await context.close()
  })

  it('folds the points on a phone, below a head of one line', async () => {
    const { page, context } = await bench.signedIn(path, { viewport: { width: 390, height: 844 } })
    const fold = page.getByRole('button', { name: 'Branch points #6 then fix it' })
    await fold.waitFor()
    const middle = async (locator: ReturnType<typeof page.locator>): Promise<number> => {
      const box = await locator.boundingBox()
      return box ? Math.round(box.y + box.height / 2) : Number.NaN
    }
    const title = await middle(page.locator('.page-head h1'))
    for (const name of ['Export', 'Refresh'])
      expect(await middle(page.getByRole('button', { name }))).to.be.closeTo(title, 2)
    const points = page.locator('.points li')
    expect(await points.first().isVisible()).to.equal(false)
    await fold.click()
    await points.first().waitFor()
    await points.nth(1).getByRole('button').click()
    await page.getByRole('dialog', { name: 'Continue from #2?' }).getByRole('button', { name: 'Cancel' }).click()
    await points.first().waitFor({ state: 'hidden' })
    expect(await fold.getAttribute('aria-expanded')).to.equal('false')
    await context.close()
  })

  it('says in which currency a session cost', async () => {
    const { page, context } = await bench.signedIn(path)
    await page.locator('.usage-line div', { hasText: 'Cost' }).getByText('in the currency of your prices').waitFor()
    await context.close()
  })

  it('says which model was chosen for a session, and how much it thinks', async () => {
    const { page, context } = await bench.signedIn(path)
    const chosen = page.locator('.usage-line div', { hasText: 'Chosen' })
    await chosen.getByText('openai:gpt-5').waitFor()
    await chosen.getByText('/think low').waitFor()
    await context.close()
  })

  it('shows what a tool was given in lines, once it is unfolded', async () => {
    const { page, context } = await bench.signedIn(path)
    const failed = page.locator('.tool-output.err')
    await failed.getByText('"query": "fast-glob advisory"').waitFor()
    expect(await failed.textContent()).to.match(/^\{\n {2}"query": "fast-glob advisory",\n {2}"path": .*\n\}\n\n/)
    const other = page.locator('.tool-list details', { hasText: 'search_files' }).first()
    await other.locator('summary').click()
    await eventually(async () =>
      expect(await other.locator('pre').textContent()).to.match(/^\{\n {2}"query": "audit",\n/),
    )
    await context.close()
  })

  it('suggests similar keys if it is missing, and waits for an agent that is not ready', async () => {
    bench.host.answers[treeCall] = { status: 404, error: 'No active session has this key', code: 'not_found' }
    const { page, context } = await bench.signedIn(path)
    await page.getByText('No active session has this key').waitFor()
    await page.getByText('Keys like it').waitFor()
    bench.host.answers[treeCall] = {
      status: 503,
      error: 'The agent is starting',
      code: 'not_ready',
      headers: { 'retry-after': '1' },
    }
    await page.keyboard.press('r')
    await page.getByText('The agent is not ready').waitFor()
    bench.host.answers[treeCall] = { data: tree }
    await page.locator('.points li').first().waitFor()
    await context.close()
  })

  it('answers a question of the agent in place', async () => {
    bench.host.answers['agent:turns'] = {
      data: {
        turns: [
          {
            id: 't',
            sessionKey: SESSION,
            state: 'waiting',
            startedAt: 1,
            waitingFor: { kind: 'question', id: 'q1', text: 'Which branch?', choices: ['main', 'next'] },
          },
        ],
      },
    }
    const answered = new Promise<Readonly<Record<string, unknown>>>((resolve) => {
      bench.host.answers['agent:answer'] = (params) => {
        resolve(params)
        return { data: { success: true } }
      }
    })
    const { page, context } = await bench.signedIn(path)
    await page.getByText('Which branch?').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'next', exact: true }).click()
    expect(await answered).to.include({ id: 'q1', text: 'next' })
    await context.close()
  })
})
