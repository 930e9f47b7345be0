// The pages that list rows of several hosts, against two hosts that share a database.
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { until } from '@mynah/kernel/testing'
import { useBench } from '../../console/test/dist/test/bench.js'
import { signedIn } from '../../console/test/dist/test/signed-in.js'
import { startPostgres, needPostgres, type TestServer } from '../../plugins/database/dist/testing/postgres-server.js'
import { ClusterHost, TOKEN } from './cluster-host.js'
import { ModelServer } from './model-server.js'

const ANN = { type: 'private', id: 'ann' } as const

describe('the pages of rows of two hosts that share a database', function () {
  this.timeout(300_000)
  const bench = useBench({ host: 'none' })
  const hosts: ClusterHost[] = []
  let server: TestServer
  let model: ModelServer
  let url: string
  const at = (index: number): ClusterHost => hosts[index] as ClusterHost

  before(async function () {
    await needPostgres(this)
    this.timeout(300_000)
    server = await startPostgres()
    url = await server.create()
    model = await ModelServer.start(() => 'fine')
    const options = {
      lease: '10s',
      console: bench.site.url,
      plugins: ['logs', 'ai', 'agent', 'cron', 'assistant'],
      more: [
        'assistant: { enabled: true }',
        `ai: { providers: { practice: { sdk: openai-compatible, baseUrl: "${model.url}", apiKey: none } } }`,
      ],
      endpoints: ['{ adapter: sandbox, id: a, hosts: [one, two] }', '{ adapter: sandbox, id: b, hosts: [two, one] }'],
    }
    for (const name of ['one', 'two']) {
      const host = await ClusterHost.start(name, url, options)
      hosts.push(host)
      // Each step of a start on a busy machine is waited for by itself.
      await until(async () => (await host.hosts()).some((known) => known.name === name && known.state === 'live'))
      if (name === 'one') await until(() => host.answers())
    }
    await until(async () => {
      const { places } = await at(1)
        .client.rpc('cluster:places', {})
        .catch(() => ({ places: [] }))
      const owners = places.map(({ id, owner }) => `${id.split('|').at(-1)}:${owner?.name}`)
      return owners.join(' ') === 'a:one b:two house:one'
    })
    for (const host of hosts)
      await until(async () => {
        const { endpoints } = await host.client.rpc('endpoint:list', {}).catch(() => ({ endpoints: [] }))
        return endpoints.length === 2 && endpoints.every(({ status }) => status === 'online')
      })
    for (const endpointId of ['a', 'b'])
      await at(0).client.rpc('sandbox:send', {
        endpointId,
        channel: ANN,
        sender: { id: 'ann' },
        content: `hello ${endpointId}`,
      })
    await until(async () => {
      const { traces } = await at(0).client.rpc('chat:traces', {})
      return traces.length === 2 && traces.every(({ endedAt }) => endedAt !== undefined)
    })
  })
  after(async () => {
    for (const host of hosts) await host.remove()
    await model?.stop()
    if (url) await server.drop(url)
  })

  const open = async (path: string) =>
    signedIn(bench.browser, bench.site, { url: at(0).base, token: TOKEN }, path) as Promise<{
      page: Page
      context: { close(): Promise<void> }
    }>
  const choose = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('combobox', { name: 'Host', exact: true }).selectOption(name)
    await page.waitForURL(/[?&]host=two\b/)
  }

  it('shows the log lines of both, or of one', async () => {
    for (const name of ['one', 'two'])
      await until(async () => {
        const lines = await at(0).client.rest('GET /logs', { query: { host: name } })
        return lines.length > 0 && lines.every(({ host }) => host === name)
      })
    const { page, context } = await open('/logs')
    for (const name of ['one', 'two']) await page.locator('.vrow .host-name', { hasText: name }).first().waitFor()
    await choose(page, 'two')
    // The column would say the same in each row.
    await page.locator('.vrow .host-name').first().waitFor({ state: 'detached' })
    await page.locator('.vrow').first().click()
    await page.locator('.record').getByText('two', { exact: true }).waitFor()
    await context.close()
  })

  it('shows the traces of both, or of one', async () => {
    const { page, context } = await open('/traces')
    const row = (endpoint: string) => page.locator('.workbench').getByText(`hello ${endpoint}`).first()
    await row('a').waitFor()
    await row('b').waitFor()
    for (const name of ['one', 'two']) await page.locator('.trace-below', { hasText: `· ${name}` }).waitFor()
    await choose(page, 'two')
    await row('a').waitFor({ state: 'detached' })
    await row('b').waitFor()
    await context.close()
  })

  it('shows which host has a conversation, and the conversations of one', async () => {
    const { page, context } = await open('/agent/sessions')
    const row = (endpoint: string) => page.getByRole('row', { name: new RegExp(`hello ${endpoint}`) })
    await row('a').getByRole('cell', { name: 'one', exact: true }).waitFor()
    await row('b').getByRole('cell', { name: 'two', exact: true }).waitFor()
    await choose(page, 'two')
    await row('a').waitFor({ state: 'detached' })
    await row('b').waitFor()
    // An address leads to the same rows.
    await page.reload()
    await row('b').waitFor()
    expect(await row('a').count()).to.equal(0)
    await context.close()
  })

  it('shows which host has run a job, and the jobs of one', async () => {
    const { id } = await at(1).client.rpc('cron:add', {
      cronExpression: '0 0 1 1 *',
      prompt: 'look around',
      notify: { channel: 'log' },
    } as never)
    await at(1).client.rpc('jobs:run', { id })
    await until(async () => {
      const { runs } = await at(1).client.rpc('jobs:runs', { id })
      return runs[0]?.state === 'ok' && runs[0].host === 'one'
    })
    const { page, context } = await open('/assistant/jobs')
    const row = page.getByRole('row', { name: /look around/ })
    await row.getByRole('cell', { name: 'one', exact: true }).waitFor()
    await choose(page, 'two')
    await row.waitFor({ state: 'detached' })
    await context.close()
  })

  it('says which host did not answer', async () => {
    const { page, context } = await open('/traces')
    await page.getByText('hello b').first().waitFor()
    await at(1).signal('SIGSTOP')
    try {
      await page.getByRole('button', { name: 'Refresh' }).click()
      await page.getByText('two did not answer').waitFor()
    } finally {
      await at(1).signal('SIGCONT')
    }
    await context.close()
  })
})
