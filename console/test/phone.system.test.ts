// On a phone nothing that a person needs is left out with the columns, and no key is named.
import { expect } from 'chai'
import type { BrowserContext, Page } from 'playwright-core'
import { useBench } from './bench.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

const HEIGHT = 844

describe('a phone', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })
  let page: Page
  let context: BrowserContext

  const open = async (path: string, ready: string, more = exampleAnswers()): Promise<void> => {
    bench.host.answers = { ...healthy(), ...more }
    ;({ page, context } = await bench.signedIn(path, {
      viewport: { width: 390, height: HEIGHT },
      reducedMotion: 'reduce',
    }))
    await page.locator(`main ${ready}`).first().waitFor()
  }
  const seen = (text: string): Promise<void> => page.locator('main').getByText(text, { exact: true }).first().waitFor()
  afterEach(() => context.close())

  it('shows what is unread at each endpoint', async () => {
    await open('/endpoints', 'tbody tr')
    await page
      .getByRole('rowheader', { name: /^libera/ })
      .getByText('3 unread')
      .waitFor()
  })

  it('shows what each plugin does', async () => {
    await open('/plugins', 'tbody tr', {})
    await page.getByRole('rowheader', { name: /^chat/ }).getByText('Messages, commands and adapters').waitFor()
  })

  it('shows why a part of a command is not covered', async () => {
    await open('/agent/approvals', '.approval tbody tr')
    await page
      .locator('.approval')
      .getByRole('paragraph')
      .filter({ hasText: 'writes package.json; no rule of libera matches' })
      .waitFor()
  })

  it('shows the places of each host, and since when they are there', async () => {
    await open('/hosts', '.cluster-places tbody tr')
    await seen('Places: house')
    await page
      .locator('.cluster-places')
      .getByText(/^since /)
      .first()
      .waitFor()
  })

  it('shows the pane of a key once a key is chosen', async () => {
    await open('/database?table=settings', '.db-split tbody tr')
    const hint = page.getByText('Choose a key to see all of it')
    expect(await hint.isVisible()).to.equal(false)
    await page.getByRole('button', { name: 'greeting' }).click()
    await page.locator('.entry-editor').waitFor()
  })

  it('names no keys', async () => {
    await open('/files?path=skills/deploy/SKILL.md', '.cm-line')
    const save = page.getByRole('button', { name: /^Save/ })
    await save.waitFor()
    expect(await save.locator('kbd').isVisible()).to.equal(false)
  })

  it('has the answer to a conversation at the foot of the window', async () => {
    await open(`/inbox?open=${encodeURIComponent('irc/libera/group//%23mynah-dev')}`, '.said-line')
    const answer = page.locator('.thread .answer')
    await answer.waitFor()
    const { bottom } = await answer.evaluate((form) => form.getBoundingClientRect())
    expect(Math.round(bottom)).to.equal(HEIGHT)
  })
})

describe('the keys of requests', function () {
  this.timeout(240_000)
  const bench = useBench()

  it('are named at the request that they answer', async () => {
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
    const { page, context } = await bench.signedIn('/inbox')
    const requests = page.locator('.requests li')
    const keys = (at: number) => requests.nth(at).locator('.hotkey')
    await keys(0).first().waitFor()
    expect(await keys(0).allTextContents()).to.deep.equal(['A', 'X'])
    expect(await keys(1).count()).to.equal(0)
    await page.keyboard.press('a')
    // Until it goes out, the first can be undone, and the keys answer the next one.
    await requests.nth(0).getByRole('button', { name: 'Undo' }).waitFor()
    expect(await keys(1).allTextContents()).to.deep.equal(['A', 'X'])
    await page.keyboard.press('z')
    await context.close()
  })
})
