// Every figure that pages show of a real host, compared with the rows that it counts.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { createClient, type Client } from '@mynah/sdk'
import type { AssistantJob, ExecApproval, JobRun, LogEntry, MessageRow, Trace } from '@mynah/contract/types'
import type { Page } from 'playwright-core'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { startHost, type RealHost } from './real-host.js'
import { signedIn } from './signed-in.js'

const token = 'token-of-a-test'
const FAILED: readonly unknown[] = ['error', 'undelivered', 'interrupted']
const wrong = /^(?:failed|refused|timeout|timed out|unsaved|unmarked|error|interrupted|denied|unknown)/

describe('the figures of a real host', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let host: RealHost
  let page: Page
  let client: Client

  before(async () => {
    host = await startHost(
      (port) => [
        'plugins: [http-core, console-rpc, events, entries, management, database, logs, workspace, introspection, chat, inbox, adapter-sandbox, exec-security, ai, agent, cron, assistant, practice-model]',
        `http: { port: ${port}, token: ${token}, corsOrigins: ["${bench.site.url}"] }`,
        'endpoints: [{ adapter: sandbox, id: sandbox, master: me }]',
        'assistant: { enabled: true }',
      ],
      async (folder) => {
        await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n')
      },
    )
    bench.atEnd(() => host.stop())
    client = createClient({ base: host.url, token })
    bench.atEnd(() => client.close())
    await makeData()
    ;({ page } = await signedIn(bench.browser, bench.site, { url: host.url, token }, '/endpoints'))
    await page.getByText('Live', { exact: true }).waitFor()
  })

  const go = (path: string): Promise<unknown> => page.goto(bench.site.url + path)
  // Also methods of plugins' own contracts, which the types of the client do not have.
  const rpc = <T>(type: string, params: object = {}): Promise<T> =>
    (client.rpc as unknown as (type: string, params: object) => Promise<T>).call(client, type, params)
  const jobs = async (): Promise<readonly AssistantJob[]> =>
    ((await client.rest('GET /assistant/jobs', { query: { limit: 1_000 } })) as { jobs: AssistantJob[] }).jobs
  const runsOf = async (id: string) => (await rpc<{ runs: JobRun[] }>('jobs:runs', { id })).runs
  const traces = async () => (await rpc<{ traces: Trace[] }>('chat:traces', { limit: 1_000 })).traces
  const messages = async () =>
    (
      await rpc<{ messages: MessageRow[] }>('endpoint:inboxMessages', {
        adapter: 'sandbox',
        endpointId: 'sandbox',
        limit: 100,
      })
    ).messages

  /** Makes messages with and without answers, and jobs that end well and badly, and waits until all have ended. */
  async function makeData(): Promise<void> {
    const say = (content: string, id: string, type: 'private' | 'group'): Promise<unknown> =>
      client.rpc('sandbox:send', {
        endpointId: 'sandbox',
        channel: { type, id },
        sender: { id: 'me', name: 'Me' },
        content,
      })
    const areHandled = async (count: number): Promise<boolean> => {
      const all = await traces()
      return all.length === count && all.every(({ endedAt }) => endedAt !== undefined)
    }
    // One after the other, so that none joins the turn of another.
    for (const [index, content] of ['first', 'second', '/help', '/help', '/jobs 1 2 3 4'].entries()) {
      await say(content, 'me', 'private')
      await until(() => areHandled(index + 1))
    }
    for (const content of ['not for the bot', 'nor this']) await say(content, 'lobby', 'group')
    const add = (label: string, notify: object) =>
      rpc<{ id: string }>('cron:add', { cronExpression: '0 0 1 1 *', prompt: label, label, notify })
    const fine = await add('Fine', { channel: 'log' })
    const lost = await add('Lost', {
      channel: 'im',
      platform: 'sandbox',
      endpointId: 'gone',
      sceneId: 'x',
      scope: 'private',
    })
    await add('Never', { channel: 'log' })
    for (const { id } of [fine, fine, lost]) await rpc('jobs:run', { id })
    const haveEnded = (runs: readonly JobRun[], count: number) =>
      runs.length === count && runs.every(({ state }) => state !== 'queued' && state !== 'running')
    await until(async () => haveEnded(await runsOf(fine.id), 2) && haveEnded(await runsOf(lost.id), 1))
    await until(() => areHandled(7))
  }

  it('of the dashboard are those of messages and their traces', async () => {
    const all = await traces()
    const failed = (await messages()).filter(({ state }) => state === 'failed' || state === 'unknown').length
    const answered = all.filter(({ replies }) => replies > 0).length
    expect(answered).to.be.above(0).and.below(all.length)
    await go('/dashboard')
    const figures = page.locator('dl.figures dd')
    await eventually(async () => {
      const [received, answers, , notSent] = await figures.allInnerTexts()
      expect([received, answers?.split(/\s/)[0], notSent]).to.deep.equal([
        String(all.length),
        String(answered),
        String(failed),
      ])
    })
  })

  it('of traces are those of their rows', async () => {
    const all = await traces()
    const bad = all.filter(({ steps }) => steps.some(({ outcome }) => wrong.test(outcome))).length
    await go('/traces')
    await page.getByText(`${all.length} messages, of the last 1,000 that are kept`).waitFor()
    await eventually(async () => {
      expect(await page.locator('.pane-list li').count()).to.equal(all.length)
      const count = page.locator('.segments label', { hasText: 'Went wrong' }).locator('small')
      expect(await count.innerText()).to.equal(String(bad))
    })
  })

  it('of jobs are those of their rows and runs', async () => {
    const all = await jobs()
    const failed = all.filter(({ state }) => FAILED.includes(state.lastStatus))
    expect(failed.map(({ label }) => label)).to.deep.equal(['Lost'])
    await go('/assistant/jobs')
    await page.getByText(`${all.length} jobs, ${failed.length} failed`).waitFor()
    const rows = page.locator('.jobs > .table > table > tbody > tr:not(.below)')
    await eventually(async () => expect(await rows.count()).to.equal(all.length))
    for (const { id, label = '', recent } of all) {
      const runs = await runsOf(id)
      expect(runs).to.have.length(recent.length)
      await go(`/assistant/jobs?open=${id}`)
      await page.getByRole('button', { name: `Runs of ${label}` }).waitFor()
      const bad = runs.filter(({ state }) => state === 'error' || state === 'undelivered').length
      await page
        .getByRole('row', { name: new RegExp(label) })
        .getByRole('img', { name: `${bad} of ${runs.length} failed` })
        .waitFor()
      if (runs.length > 0)
        await eventually(async () =>
          expect(await page.locator('.runs tbody > tr:not(.below)').count()).to.equal(runs.length),
        )
    }
  })

  it('of sessions are those of their rows', async () => {
    const { sessions } = await rpc<{ sessions: unknown[] }>('agent:sessions', { limit: 200 })
    expect(sessions.length).to.be.above(1)
    await go('/agent/sessions')
    await page.getByText(`${sessions.length} of ${sessions.length}, the last active first`).waitFor()
    await eventually(async () => expect(await page.getByRole('rowheader').count()).to.equal(sessions.length))
  })

  it('of the inbox are those of its rows', async () => {
    const unread = (await messages()).filter(({ read, direction }) => !read && direction === 'in').length
    expect(unread).to.be.above(0)
    await go('/inbox')
    await page.getByText(`${unread} unread, 0 requests wait`).first().waitFor()
  })

  it('of approvals are those of their rows', async () => {
    const { pending } = await rpc<{ pending: ExecApproval[] }>('exec:pending')
    await go('/agent/approvals')
    await page.getByText(`${pending.length} waiting`).waitFor()
  })

  it('of the log are those of its lines', async () => {
    await go('/logs')
    await page.locator('.vrow').first().waitFor()
    await eventually(async () => {
      const lines: LogEntry[] = []
      for (let before: string | undefined; ; before = lines.at(-1)?.id) {
        const found = await client.rest('GET /logs', { query: { limit: 1_000, ...(before ? { before } : {}) } })
        lines.push(...found)
        if (found.length < 1_000) break
      }
      const matching = lines.filter(({ level }) => level !== 'debug').length
      const text = matching === lines.length ? `${matching} lines` : `${matching} of ${lines.length} lines`
      await page.locator('.page-head .fact').getByText(text, { exact: true }).waitFor({ timeout: 5_000 })
      const shown = await page.locator('.level-chips small').allInnerTexts()
      const counted = ['error', 'warn', 'info', 'debug'].map((level) =>
        String(lines.filter((line) => line.level === level).length),
      )
      expect(shown).to.deep.equal(counted)
    })
  })
})
