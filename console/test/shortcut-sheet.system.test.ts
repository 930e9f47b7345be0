import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { useBench } from './bench.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

/** Returns the titles of the groups with their rows: what it does, and the keys. */
async function sheetAt(page: Page): Promise<Record<string, string[]>> {
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).locator('.keys section').last().waitFor()
  const found = await page.locator('.keys section').evaluateAll((sections) =>
    sections.map(
      (section) =>
        [
          section.querySelector('h3')?.textContent ?? '',
          [...section.querySelectorAll('dl > div')].map((row) => {
            const keys = [...row.querySelectorAll('kbd')].map((key) => key.textContent).join(' ')
            return `${row.querySelector('dt')?.textContent}: ${keys}`
          }),
        ] as const,
    ),
  )
  return Object.fromEntries(found)
}

describe('the shortcut sheet', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })
  before(() => {
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
  })

  it('begins with the keys of the page: registered ones, then those of buttons, each once', async () => {
    const { page, context } = await bench.signedIn('/inbox')
    await page.locator('.talks li').first().waitFor()
    await page.getByRole('button', { name: 'Approve' }).first().waitFor()
    const sheet = await sheetAt(page)
    expect(Object.keys(sheet)).to.deep.equal(['On this page', 'Lists', 'Editing', 'Everywhere', 'Go to: G, then'])
    expect(sheet['On this page']).to.deep.equal([
      'move: J K',
      'open: Enter',
      'mark read: E',
      'approve, reject: A X',
      'undo: Z',
    ])
    expect(sheet['Lists']).to.deep.equal([
      'Row by row: ↑ ↓',
      'Go to the filter: /',
      'Page back, page on: [ ]',
      'Refresh the page: R',
    ])
    expect(sheet['Everywhere']).to.deep.equal([
      'Search or run a command: Ctrl K',
      'This list: ?',
      'Close the top layer: Esc',
    ])
    expect(sheet['Go to: G, then']?.slice(0, 4)).to.deep.equal(['Dashboard: D', 'Endpoints: E', 'Inbox: I', 'Logs: L'])
    await context.close()
  })

  it('labels the key of a button by the button, and has no group for a page without keys', async () => {
    const { page, context } = await bench.signedIn('/database?table=notes')
    await page.getByRole('button', { name: 'New document' }).waitFor()
    expect((await sheetAt(page))['On this page']).to.deep.equal(['New document: N'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.getByRole('heading', { level: 1, name: 'Plugins' }).waitFor()
    expect(Object.keys(await sheetAt(page))).to.not.include('On this page')
    await context.close()
  })

  it('has the pages of the rail and no others', async () => {
    const methods = ['ping', 'endpoint:list', 'endpoint:inboxMessages', 'cron:list'].map((name) => ({ name }))
    bench.host.answers = {
      ...healthy(),
      'GET /plugins': {
        data: [
          {
            name: 'some',
            status: 'active',
            description: '',
            features: [{ name: 'methods', count: methods.length, items: methods }],
          },
        ],
      },
    }
    const { page, context } = await bench.signedIn('/dashboard')
    await page.getByRole('navigation').getByRole('link', { name: 'Inbox' }).waitFor()
    const rail = (
      await page.locator('nav a').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    ).filter((path) => path.startsWith('/'))
    const listed = (await sheetAt(page))['Go to: G, then'] ?? []
    expect(rail).to.include('/cron').and.not.include('/sessions')
    expect(listed.map((row) => row.split(':')[0]))
      .to.include('Cron')
      .and.not.include('Sessions')
    expect(listed).to.have.length(new Set(rail).size)
    await context.close()
  })
})
