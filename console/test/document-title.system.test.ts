import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { exampleAnswers, SESSION } from './example-data.js'
import { healthy } from './stand-in.js'

/** Addresses, with the names from the page to what is open on it. */
const PLACES: readonly (readonly [path: string, ...names: string[]])[] = [
  ['/logs', 'Logs'],
  ['/plugins/chat', 'Plugins', 'chat'],
  ['/endpoints/irc/libera', 'Endpoints', 'libera'],
  ['/inbox?open=irc%2Flibera%2Fgroup%2F%2F%2523mynah-dev', 'Inbox', '#mynah-dev'],
  ['/traces?message=x-12', 'Traces', 'mynah: is the shop deploy still on for today?'],
  ['/cron/new', 'Cron', 'New task'],
  ['/cron/inbox', 'Cron', 'Look at the inbox'],
  ['/config?section=http', 'Config', 'http'],
  ['/files?path=skills/deploy/SKILL.md', 'Files', 'skills/deploy/SKILL.md'],
  ['/env', 'Env', '.env'],
  ['/database?table=quotes', 'Database', 'quotes'],
  ['/marketplace/mynah-plugin-matrix', 'Marketplace', 'matrix'],
  [
    `/agent/sessions?key=${encodeURIComponent(SESSION)}`,
    'Sessions',
    'can you look why the docs build is red since this morning?',
  ],
  ['/introspection/commands', 'Introspection', 'Commands'],
  ['/assistant/jobs?open=job_4f7c', 'Jobs', 'GitHub: build broken'],
]

const crumbs = (page: Page): Promise<string[]> => page.locator('.crumbs li').allInnerTexts()

describe('the document title', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })
  before(() => {
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
  })

  const open = async (path: string): Promise<{ page: Page; close: () => Promise<void> }> => {
    const { page, context } = await bench.signedIn(path)
    await page.locator('.state.ok').waitFor()
    return { page, close: () => context.close() }
  }

  for (const [path, ...names] of PLACES) {
    it(`is ${names.join(' / ')} at ${path}`, async () => {
      const { page, close } = await open(path)
      const title = [...names].reverse().join(' · ')
      await page.waitForFunction((wanted) => document.title === `${wanted} · Mynah`, title)
      await eventually(async () => expect((await crumbs(page)).slice(1)).to.deep.equal(names))
      await close()
    })
  }

  it('follows the open item, links back to the page, and drops a closed item', async () => {
    const { page, close } = await open('/database')
    await page.waitForFunction(() => document.title === 'Database · Mynah')
    const table = page.locator('.pane-list :is(button, a)').first()
    const [name = ''] = (await table.innerText()).split('\n')
    await table.click()
    await page.waitForFunction((wanted) => document.title === `${wanted} · Database · Mynah`, name)
    await page.locator('.crumbs').getByRole('link', { name: 'Database' }).click()
    await page.waitForFunction(() => document.title === 'Database · Mynah')
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.waitForFunction(() => document.title === 'Plugins · Mynah')
    await eventually(async () => expect((await crumbs(page)).slice(1)).to.deep.equal(['Plugins']))
    await close()
  })
})
