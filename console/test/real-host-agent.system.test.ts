import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { createClient, type Client } from '@mynah/sdk'
import type { Page } from 'playwright-core'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { startHost, type RealHost } from './real-host.js'
import { signedIn } from './signed-in.js'

const token = 'token-of-a-test'
const LINES = 5_000

/** Writes a thousand lines a second on command. */
const chatter = `import { definePlugin } from '@mynah/kernel'
import { commands, defineCommand } from '@mynah/plugin-chat/api'
export default definePlugin({
  name: 'chatter',
  setup(ctx) {
    ctx.contribute(commands, defineCommand({ name: 'chatter', description: 'Writes ${LINES} lines', run() {
      let written = 0
      const stop = ctx.clock.setInterval(() => {
        for (let index = 0; index < 50 && written < ${LINES}; index++) ctx.log.info('line ' + ++written + ' of ${LINES}')
        if (written === ${LINES}) stop()
      }, 50)
      return 'it begins'
    } }))
  },
})
`

describe('an agent on a real host', function () {
  this.timeout(90_000)
  const bench = useBench({ host: 'none' })
  let host: RealHost
  let page: Page
  let client: Client
  const problems: string[] = []

  before(async () => {
    host = await startHost(
      (port) => [
        'plugins: [http-core, console-rpc, events, entries, management, database, logs, workspace, introspection, chat, inbox, adapter-sandbox, exec-security, ai, agent, cron, assistant, mcp, practice-model, ./chatter.mjs]',
        `http: { port: ${port}, token: ${token}, corsOrigins: ["${bench.site.url}"] }`,
        'endpoints: [{ adapter: sandbox, id: sandbox, master: me }]',
        'assistant: { enabled: true }',
        'ai:',
        '  mcpServers: { archive: { command: node, args: ["none.js"], disabled: true } }',
      ],
      async (folder) => {
        await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n')
        await writeFile(join(folder, 'chatter.mjs'), chatter)
      },
    )
    bench.atEnd(() => host.stop())
    client = createClient({ base: host.url, token })
    bench.atEnd(() => client.close())
    ;({ page } = await signedIn(bench.browser, bench.site, { url: host.url, token }, '/endpoints'))
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
  // Of a plugin's own contract, which the types of the client do not have.
  const activeTurns = (): Promise<{ turns: unknown[] }> =>
    (client.rpc as unknown as (type: string, params: object) => Promise<{ turns: unknown[] }>)('agent:turns', {
      active: true,
    })
  const isAnswered = async (id: string): Promise<boolean> => {
    const channel = { type: 'private' as const, id }
    const { messages } = await client.rpc('sandbox:history', { endpointId: 'sandbox', channel })
    return JSON.stringify(messages).includes('I am a practice model')
  }
  const say = (content: string, id = 'me'): Promise<unknown> =>
    client.rpc('sandbox:send', {
      endpointId: 'sandbox',
      channel: { type: 'private', id },
      sender: { id: 'me', name: 'Me' },
      content,
    })

  it('continues a conversation from an earlier point', async () => {
    await say('the first thing')
    await go('/agent/sessions')
    await page
      .getByRole('rowheader', { name: /sandbox\|sandbox\|private\|me/ })
      .getByRole('link')
      .click()
    await page.locator('.turn', { hasText: 'You said: the first thing' }).waitFor()
    await say('the second thing')
    await page.locator('.turn', { hasText: 'You said: the second thing' }).waitFor()
    await page.locator('.points li button', { hasText: 'the first thing' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Continue from #1' }).click()
    await page.locator('.strip-line', { hasText: 'The conversation continues from #1' }).waitFor()
    await page.locator('.turn', { hasText: 'the second thing' }).waitFor({ state: 'detached' })
    await say('another thing')
    await page.locator('.turn', { hasText: 'You said: another thing' }).waitFor()
    expect(await page.locator('.turn', { hasText: 'the second thing' }).count()).to.equal(0)
    expect(await page.locator('.turn', { hasText: 'the first thing' }).count()).to.equal(1)
  })

  it('creates a job, runs it, and shows the run with its result', async () => {
    await go('/cron')
    await page.getByText('No tasks yet').waitFor()
    await page.keyboard.press('n')
    await page.getByLabel('Cron expression').fill('30 17 * * 1-5')
    await page.getByLabel('Prompt').fill('count the birds')
    await page.getByRole('button', { name: 'Make the task' }).click()
    await page.getByRole('switch', { name: 'Pause count the birds' }).waitFor()
    await page.locator('.rail').getByRole('link', { name: 'Jobs' }).click()
    await page.getByRole('button', { name: 'Runs of count the birds' }).click()
    await page.getByText('It has not run yet').waitFor()
    await page.getByRole('button', { name: 'Run now…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click()
    await page
      .locator('.runs tbody tr', { hasText: 'You said: count the birds' })
      .getByText('ok', { exact: true })
      .waitFor()
  })

  it('finds a task in a long list by page, text and state, and edits it', async () => {
    const add = (index: number) =>
      client.rpc('cron:add', {
        cronExpression: `${index % 60} 4 * * *`,
        prompt: `look at shelf ${index}`,
        notify: { channel: 'silent' },
      })
    const oldest = await add(0)
    await Promise.all(Array.from({ length: 100 }, (_, index) => add(index + 1)))
    await client.rpc('cron:pause', { id: oldest.id })
    await go('/cron')
    const shelves = page.locator('.tasks tbody tr', { hasText: /look at shelf 0(?!\d)/ })
    await page.getByText(/^100 of 10\d$/).waitFor()
    expect(await shelves.count()).to.equal(0)
    await page.keyboard.press(']')
    await page.waitForURL('**/cron?before=*')
    await shelves.waitFor()
    await page.keyboard.press('[')
    await page.waitForURL('**/cron')
    await page.locator('.segments label', { hasText: 'Paused' }).click()
    await page.waitForURL('**/cron?show=paused')
    await shelves.waitFor()
    await page.locator('.segments label', { hasText: 'All' }).click()
    await page.keyboard.press('/')
    await page.keyboard.type('Shelf 0')
    await page.waitForURL('**/cron?filter=Shelf+0')
    await shelves.waitFor()
    expect(await page.locator('.tasks tbody tr[tabindex]').count()).to.equal(1)
    // By keys: the space bar presses what has the focus, switches the row, and Enter opens it.
    await shelves.getByRole('button', { name: /^Actions for/ }).press(' ')
    await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
    await page.keyboard.press('Escape')
    expect((await client.rpc('cron:get', { id: oldest.id })).enabled).to.equal(false)
    await shelves.focus()
    await page.keyboard.press(' ')
    await page.getByRole('switch', { name: 'Pause look at shelf 0' }).waitFor()
    await until(async () => (await client.rpc('cron:get', { id: oldest.id })).enabled)
    await shelves.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/cron/${oldest.id}`)
    await page.getByLabel('Name').fill('The oldest shelf')
    await page.getByLabel('If the host was down then').selectOption('once')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL('**/cron')
    expect(await client.rpc('cron:get', { id: oldest.id })).to.include({
      label: 'The oldest shelf',
      missed: 'once',
      enabled: true,
      prompt: 'look at shelf 0',
    })
  })

  it('pages its sessions, and goes back to the newest', async () => {
    await Promise.all(Array.from({ length: 52 }, (_, index) => say(`hello ${index}`, `room-${index}`)))
    // An answered row moves to the top, and pages are stable when all are answered.
    for (let index = 0; index < 52; index++) await until(() => isAnswered(`room-${index}`))
    await until(async () => (await activeTurns()).turns.length === 0)
    await go('/agent/sessions')
    await page.getByText(/^50 of 5\d, the last active first$/).waitFor()
    const first = await page.getByRole('rowheader').first().textContent()
    await page.keyboard.press(']')
    await page.waitForURL('**/agent/sessions?before=*')
    await page.getByText(/^[1-9] of 5\d, the last active first$/).waitFor()
    await eventually(async () => expect(await page.getByRole('button', { name: 'Older' }).isDisabled()).to.equal(true))
    await page.keyboard.press('[')
    await page.waitForURL('**/agent/sessions')
    await page.getByText(/^50 of 5\d, the last active first$/).waitFor()
    await eventually(async () => expect(await page.getByRole('rowheader').first().textContent()).to.equal(first))
  })

  it('shows a disabled server with a link to its settings', async () => {
    await go('/agent/models')
    await page.getByText('0 of 0 connected, 1 switched off').waitFor()
    expect(await page.getByText(/servers? away/).count()).to.equal(0)
    await page.getByRole('link', { name: 'Turn on archive in the configuration' }).click()
    await page.getByRole('heading', { name: 'ai.mcpServers' }).waitFor()
  })

  it('follows a thousand lines of the log a second to the last one', async () => {
    await go('/logs')
    await page.locator('.vrow').first().waitFor()
    await say('/chatter')
    await page.locator('.vrow', { hasText: `line ${LINES} of ${LINES}` }).waitFor({ timeout: 60_000 })
    await page.getByText('Following').waitFor()
    expect(await page.locator('.vrow').count()).to.be.at.most(60)
    expect((await client.rest('GET /logs/stats')).total).to.be.at.least(LINES)
  })
})
