import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { createClient, type Client } from '@mynah/sdk'
import type { BrowserContext, Page } from 'playwright-core'
import { skipBecause } from '@mynah/kernel/testing'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { hasIrc, IrcPerson, startIrc, type IrcServer } from './irc.js'
import { freePort, startHost, type RealHost } from './real-host.js'
import { signedIn } from './signed-in.js'
import { consoleRoot } from './site.js'

const workspace = join(consoleRoot, '..')
const token = 'token-of-a-test'

describe('the pages on a real host', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let host: RealHost
  let irc: IrcServer | undefined
  let person: IrcPerson | undefined
  let context: BrowserContext
  let page: Page
  let client: Client
  const problems: string[] = []

  before(async function () {
    this.timeout(240_000)
    if (hasIrc()) {
      irc = await startIrc(await freePort())
      bench.atEnd(() => irc?.stop())
      person = await IrcPerson.join(irc.port, 'carol', '#mynah')
      bench.atEnd(() => person?.leave())
    }
    host = await startHost(
      (port) => [
        'plugins: [http-core, console-rpc, events, entries, management, workspace, database, logs, chat, inbox, adapter-sandbox, adapter-irc, exec-security, introspection, ./plugins/notes, ./later.mjs]',
        `http: { port: ${port}, token: ${token}, corsOrigins: ["${bench.site.url}"] }`,
        'database: { consoleWrites: all }',
        'logs:',
        '  maxRecords: 5000 # enough for a week',
        'ai: { agent: { execSecurity: allowlist, execApprovalMode: ask } }',
        'endpoints:',
        '  - { adapter: sandbox, id: sandbox, master: alice }',
        ...(irc
          ? [
              `  - { adapter: irc, id: libera, host: 127.0.0.1, port: ${irc.port}, tls: false, ` +
                'nick: mynah, channels: ["#mynah"] }',
            ]
          : []),
      ],
      async (folder) => {
        await cp(join(workspace, 'examples/starter/plugins'), join(folder, 'plugins'), { recursive: true })
        await writeFile(
          join(folder, 'later.mjs'),
          `export { default } from ${JSON.stringify(join(consoleRoot, 'test/dist/test/example-plugin.js'))}\n`,
        )
      },
    )
    bench.atEnd(() => host.stop())
    const { url } = host
    client = createClient({ base: url, token })
    bench.atEnd(() => client.close())
    const opened = await signedIn(bench.browser, bench.site, { url, token }, '/endpoints')
    ;({ context, page } = opened)
    page.on('pageerror', (error) => problems.push(error.message))
    await page.getByText('Live', { exact: true }).waitFor()
    await page
      .locator('.endpoints-table')
      .getByRole('row', { name: /sandbox/ })
      .getByText('online')
      .waitFor()
  })
  afterEach(() => {
    expect(problems).to.deep.equal([])
  })

  const go = (path: string): Promise<unknown> => page.goto(bench.site.url + path)
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) })
  const inject = (content: string, id = 'lobby'): Promise<unknown> =>
    client.rpc('sandbox:send', {
      endpointId: 'sandbox',
      channel: { type: 'group', id, name: 'Lobby' },
      sender: { id: 'alice', name: 'Alice' },
      content,
    })

  it('send a message to an IRC channel and show the answer in the inbox', async function () {
    if (!irc || !person) return skipBecause(this, 'there is no IRC server')
    await page.locator('.endpoints-table').getByRole('rowheader', { name: 'libera' }).waitFor()
    await page
      .locator('.endpoints-table')
      .getByRole('row', { name: /libera/ })
      .getByText('online')
      .waitFor()
    await page.locator('.endpoints-table').getByRole('link', { name: 'libera' }).click()
    await page
      .getByRole('cell', { name: 'administrator' })
      .or(page.getByRole('rowheader', { name: 'carol' }))
      .first()
      .waitFor()
    await page.locator('.send-form select').selectOption('#mynah')
    await page.getByLabel('Message', { exact: true }).fill('Deploy starts at 14:30')
    await button('Send to #mynah').click()
    await person.hears('Deploy starts at 14:30')
    await page.getByText(/Sent at .* to #mynah/).waitFor()
    await page.getByRole('link', { name: 'Open in inbox' }).click()
    person.say('PRIVMSG #mynah :thanks, go ahead')
    await page.getByRole('button', { name: /#mynah.*thanks, go ahead/s }).click()
    await page.locator('.said-line', { hasText: 'thanks, go ahead' }).waitFor()
    await page.getByLabel(/^Answer in/).fill('will do')
    await button('Send').click()
    await person.hears('will do')
    await page.locator('.said-by.own', { hasText: 'will do' }).waitFor()
  })

  it('keep the inbox in the browser, and approve a request when the page is left', async () => {
    await inject('first words')
    await client.rpc('sandbox:request', {
      endpointId: 'sandbox',
      kind: 'friend',
      sender: { id: 'lena', name: 'Lena' },
      comment: 'me again',
    })
    await go('/inbox?endpoint=sandbox')
    await page.getByRole('button', { name: /Lobby.*first words/s }).waitFor()
    await button('Approve').click()
    await page.locator('.held', { hasText: 'Approved: Lena' }).waitFor()
    await button('Undo').click()
    await button('Approve').waitFor()
    await button('Approve').click()
    await page.locator('.rail').getByRole('link', { name: 'Endpoints' }).click()
    await page.getByRole('heading', { level: 1, name: 'Endpoints' }).waitFor()
    await page.locator('.rail').getByRole('link', { name: 'Inbox' }).click()
    await page.getByText('Earlier').click()
    await page.getByText(/Lena.*approved/).waitFor()
    const kept = () =>
      page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const opening = indexedDB.open('mynah-inbox')
            opening.onsuccess = () => {
              const all = opening.result.transaction('messages').objectStore('messages').count()
              all.onsuccess = () => {
                resolve(all.result)
                opening.result.close()
              }
            }
          }),
      )
    await eventually(async () => expect(await kept()).to.be.greaterThan(0))
  })

  it('move the focus on when what has it goes away', async () => {
    for (const name of ['Mara', 'Nils'])
      await client.rpc('sandbox:request', {
        endpointId: 'sandbox',
        kind: 'friend',
        sender: { id: name.toLowerCase(), name },
        comment: 'hello',
      })
    await go('/inbox?endpoint=sandbox')
    // The part that keeps the focus comes after the first screen: it has come when a button that goes away is replaced.
    await page.waitForFunction(async () => {
      const probe = document.createElement('button')
      document.querySelector('main')?.append(probe)
      probe.focus()
      probe.remove()
      await new Promise((resolve) => {
        setTimeout(resolve, 200)
      })
      return document.activeElement !== document.body
    })
    const request = (name: string) => page.locator('.requests li', { hasText: name })
    const focused = (name: string, label: string) =>
      page.waitForFunction(
        ([who, what]) => {
          const now = document.activeElement
          return now?.closest('li')?.textContent?.includes(who) === true && now.textContent?.startsWith(what)
        },
        [name, label] as const,
      )
    await request('Nils').getByRole('button', { name: 'Approve' }).press('Enter')
    await focused('Nils', 'Undo')
    await page.keyboard.press('Enter')
    await focused('Nils', 'Approve')
    await page.keyboard.press('Enter')
    // The answer goes out, and the request leaves the list.
    await request('Nils').getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
    await focused('Mara', 'Approve')
    await request('Mara').getByRole('button', { name: 'Approve' }).press('Enter')
    await request('Mara').getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement !== document.body)
  })

  it('open the conversation of an address in a new browser', async () => {
    await inject('words for a stranger', 'linked')
    const other = await signedIn(
      bench.browser,
      bench.site,
      { url: host.url, token },
      `/inbox?open=${encodeURIComponent('sandbox/sandbox/group//linked')}`,
    )
    await other.page.locator('.said-line', { hasText: 'words for a stranger' }).waitFor()
    expect(other.problems).to.deep.equal([])
    await other.context.close()
  })

  it('save a section after its review, keep the comment, and report the reload', async () => {
    await go('/config?section=logs')
    await page.getByLabel('maxRecords').fill('50')
    await page.locator('.config-field.wrong').getByText('must be at least 100').waitFor()
    await page.getByLabel('maxRecords').fill('9000')
    await page.getByText('1 change in 1 section').waitFor()
    await button(/^Review changes/).press('Enter')
    await page.locator('.diff .add', { hasText: 'maxRecords: 9000' }).waitFor()
    await page.waitForFunction(() => document.activeElement?.textContent === 'Review')
    await page.keyboard.press('Control+s')
    await page.getByText('Reloaded').waitFor()
    expect(await readFile(join(host.folder, 'mynah.config.yml'), 'utf8')).to.contain(
      'maxRecords: 9000 # enough for a week',
    )
  })

  it('edit the file as text with the same draft, and show the line of a problem', async () => {
    await go('/config?section=logs')
    await page.getByLabel('maxRecords').fill('7000')
    await page.getByText('YAML', { exact: true }).click()
    await page.locator('.cm-line', { hasText: 'maxRecords: 7000' }).waitFor()
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.insertText('broken: [\n')
    await page.getByText(/not valid: line/).waitFor()
    await page.keyboard.press('Control+z')
    await button('Discard').click()
    await button(/^Discard /).click()
    await page.locator('.draft-bar').waitFor({ state: 'detached' })
  })

  it('report a conflicting change without overwriting it', async () => {
    await go('/config?section=logs')
    await page.getByLabel('maxRecords').fill('6000')
    await client.rpc('config:set', { pluginName: 'logs', data: { maxRecords: 8000 } })
    await page.getByText('logs was changed elsewhere').waitFor()
    expect(await page.getByLabel('maxRecords').inputValue()).to.equal('6000')
    await button('Take theirs').click()
    await page.locator('.draft-bar').waitFor({ state: 'detached' })
    await eventually(async () => expect(await page.getByLabel('maxRecords').inputValue()).to.equal('8000'))
  })

  it('report an external edit of the file on an open page', async () => {
    const file = join(host.folder, 'mynah.config.yml')
    await go('/config?section=logs')
    await page.getByLabel('maxRecords').fill('6000')
    await page.getByText('1 change in 1 section').waitFor()
    await writeFile(file, (await readFile(file, 'utf8')).replace(/maxRecords: \d+/, 'maxRecords: 8400'))
    await host.reload()
    await page.getByText('logs was changed elsewhere').waitFor()
    expect(await page.getByLabel('maxRecords').inputValue()).to.equal('6000')
    await button('Take theirs').click()
    await page.locator('.draft-bar').waitFor({ state: 'detached' })
    await eventually(async () => expect(await page.getByLabel('maxRecords').inputValue()).to.equal('8400'))
  })

  it('load an external edit at the latest before saving', async () => {
    const file = join(host.folder, 'mynah.config.yml')
    const edit = async (value: number): Promise<void> =>
      writeFile(file, (await readFile(file, 'utf8')).replace(/maxRecords: \d+/, `maxRecords: ${value}`))
    await go('/config?section=logs')
    await page.getByLabel('maxRecords').fill('6000')
    await page.getByText('1 change in 1 section').waitFor()
    await edit(8500)
    await button(/^Review changes/).click()
    await page.getByText('logs was changed elsewhere').waitFor()
    const atCompare = () => page.waitForFunction(() => document.activeElement?.textContent === 'Compare')
    await atCompare()
    await page.getByLabel('maxRecords').focus()
    await page.keyboard.press('Control+s')
    await atCompare()
    await button('Compare').click()
    await page.getByRole('dialog').locator('.diff .add', { hasText: 'maxRecords: 6000' }).waitFor()
    await page.keyboard.press('Escape')
    await button('Keep mine').click()
    // Coming back to the window is enough.
    await edit(8600)
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await page.getByText('logs was changed elsewhere').waitFor()
    await button('Keep mine').click()
    await button(/^Review changes/).click()
    await page.locator('.diff .del', { hasText: 'maxRecords: 8600' }).waitFor()
    await page.locator('.diff .add', { hasText: 'maxRecords: 6000' }).waitFor()
    await button(/^Save 1 section/).click()
    await page.getByText('Reloaded').waitFor()
    expect(await readFile(file, 'utf8')).to.contain('maxRecords: 6000 # enough for a week')
  })

  it('write a file, and keep a draft over a reload', async () => {
    await go('/files')
    await button('New file…').click()
    await page.getByLabel('Path').fill('NOTES.md')
    await button('Make it').click()
    await page.locator('.cm-content').click()
    await page.keyboard.insertText('# Kept\n')
    await page.getByText(/not saved/).waitFor()
    await page.waitForFunction(() =>
      Object.keys(localStorage).some(
        (key) => key.startsWith('mynah_files:') && (localStorage.getItem(key) ?? '').includes('# Kept'),
      ),
    )
    await page.reload()
    await page.locator('.cm-line', { hasText: '# Kept' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('NOTES.md was saved').first().waitFor()
    expect(await readFile(join(host.folder, 'NOTES.md'), 'utf8')).to.contain('# Kept')
  })

  it('set an environment variable', async () => {
    await go('/env')
    await page.getByLabel('Add a variable: Name').fill('GREETING')
    await button('Add a variable').click()
    await page.getByLabel('GREETING', { exact: true }).fill('good morning')
    await page.keyboard.press('Control+s')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).waitFor()
    await page.keyboard.press('Control+s')
    await page
      .getByText(/\.env was saved/)
      .first()
      .waitFor()
    expect(await readFile(join(host.folder, '.env'), 'utf8')).to.equal("GREETING='good morning'\n")
  })

  it('change a cell and delete a row after a review, and restore the row', async () => {
    await inject('a row to lose', 'rows')
    const where = encodeURIComponent(JSON.stringify([['text', '$eq', 'a row to lose']]))
    await go(`/database?table=message&where=${where}`)
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Delete row/ }).click()
    await page.getByText('1 change in message').waitFor()
    await button(/^Review 1 change/).click()
    await button(/^Make 1 change/).click()
    await page.getByText('1 row was deleted').waitFor()
    await page.getByText('0 rows').waitFor()
    await button('Put them back').click()
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Edit text/ }).click()
    await page.getByLabel('Edit text').fill('changed here')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+s')
    await button(/^Make 1 change/).waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('0 rows').waitFor()
    const { rows } = await client.rpc('db:select', { table: 'message', where: { text: 'changed here' } })
    expect(rows).to.have.length(1)
  })

  it('set and delete a key', async () => {
    await go('/database?table=settings')
    await button(/^New key/).click()
    await page.getByLabel('Key', { exact: true }).fill('colour')
    await page.getByLabel('Value as JSON').fill('{"shade": "teal"}')
    await page.getByLabel('Expires after (seconds)').fill('600')
    await button('Save').click()
    await page.getByRole('button', { name: 'colour' }).click()
    await page.getByText(/^9:\d\d$/).waitFor()
    await button('Delete…').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'colour' }).waitFor({ state: 'detached' })
  })

  it('follow the log, and find a line by its text', async () => {
    await go('/logs')
    await page.locator('.vrow').first().waitFor()
    await page.getByLabel('Text in the message').fill('listening on')
    // The host says it as well, in other words.
    await page.locator('.vrow', { hasText: 'http-core' }).locator('mark', { hasText: 'listening on' }).first().click()
    await page.locator('.record').getByRole('link', { name: 'http-core' }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.record').waitFor({ state: 'detached' })
  })

  it('preview a cleanup before deleting lines', async () => {
    const stats = () => client.rest('GET /logs/stats')
    await go('/logs')
    await page.locator('.vrow').first().waitFor()
    const before = (await stats()).total
    await button('More').click()
    await page.getByRole('menuitem', { name: 'Clean up…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Clean up the log' })
    await dialog.getByText(/^0 rows go, \d+ stay$/).waitFor()
    await eventually(async () =>
      expect(await dialog.getByRole('button', { name: /^Delete/ }).isDisabled()).to.equal(true),
    )
    await dialog.getByLabel('Delete', { exact: true }).selectOption('maxRecords')
    await dialog.getByLabel('Rows to keep').fill('3')
    await dialog.getByText(/^\d+ rows go, 3 stay$/).waitFor()
    expect((await stats()).total).to.be.at.least(before)
    await dialog.getByRole('button', { name: /^Delete \d+ rows$/ }).click()
    await page
      .getByText(/\d+ rows were deleted/)
      .first()
      .waitFor()
    expect((await stats()).total).to.be.below(before)
  })

  it('show the trace of a message', async () => {
    await inject('/help', 'traced')
    await go('/traces')
    await page
      .getByRole('button', { name: /\/help/ })
      .first()
      .click()
    await page.locator('.trace-row', { hasText: 'help' }).first().waitFor()
  })

  it('approve a pending shell command', async () => {
    await go('/agent/approvals')
    await page.getByText('Nothing waits').waitFor()
    await inject('/shell npm audit fix', 'shell')
    await page.locator('.approval', { hasText: 'npm audit fix' }).waitFor()
    await button('Approve once').click()
    await page.getByText('Approved, runs now').or(page.getByText('Nothing waits')).first().waitFor()
    await eventually(async () => {
      const { pending } = await client.rpc('exec:pending')
      expect(pending.filter((approval) => approval.status === 'pending')).to.deep.equal([])
    })
  })

  it('create a task, pause it, and run it', async () => {
    await go('/cron')
    await page.getByText('No tasks yet').waitFor()
    await page.keyboard.press('n')
    await page.getByLabel('Cron expression').fill('30 17 * * 1-5')
    await page.getByText(/Monday through Friday/).waitFor()
    await page.getByLabel('Prompt').fill('Write the notes')
    await button('Make the task').click()
    await page.getByRole('switch', { name: 'Pause Write the notes' }).click()
    await page.getByRole('switch', { name: 'Resume Write the notes' }).waitFor()
    await button('Actions for Write the notes').click()
    await page.getByRole('menuitem', { name: 'Run now…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click()
    await page
      .getByRole('row', { name: /Write the notes/ })
      .getByText('ok', { exact: true })
      .waitFor()
  })

  it('list introspection by page and filter, kept in the address', async () => {
    await go('/introspection/commands?filter=help')
    await page.locator('mark', { hasText: 'help' }).first().waitFor()
    await page.getByRole('tab', { name: /Endpoints/ }).click()
    await page.waitForURL('**/introspection/endpoints')
    await page.getByRole('rowheader', { name: 'sandbox' }).waitFor()
    await page.getByRole('tab', { name: 'Tools' }).click()
    await page.locator('main').getByText('Not ready').waitFor()
    await page.getByRole('columnheader', { name: 'description' }).waitFor()
    expect(await context.pages()).to.have.length(1)
  })

  it('show only the pages in the rail that the host supports', async () => {
    await go('/endpoints')
    const rail = page.locator('.rail')
    await rail.getByRole('link', { name: 'Models' }).waitFor()
    expect(await rail.getByRole('link', { name: 'Marketplace' }).count()).to.equal(0)
    expect(await rail.getByRole('link', { name: 'Jobs' }).count()).to.equal(0)
    await go('/assistant/jobs')
    await page.getByText('assistant is not enabled').waitFor()
  })
})
