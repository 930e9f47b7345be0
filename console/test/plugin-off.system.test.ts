// A page whose plugin is not enabled says so, says what it would show, and enables it.
import { expect } from 'chai'
import { axeSource, findings } from './axe.js'
import { useBench } from './bench.js'
import { startHost, type RealHost } from './real-host.js'
import { signedIn } from './signed-in.js'

const token = 'token-of-a-test'
const OFF = {
  '/endpoints': 'chat',
  '/inbox': 'inbox',
  '/logs': 'logs',
  '/traces': 'chat',
  '/cron': 'cron',
  '/cron/new': 'cron',
  '/hosts': 'cluster',
  '/database': 'database',
  '/marketplace': 'marketplace',
  '/agent/sessions': 'ai, agent',
  '/agent/tree': 'ai, agent',
  '/agent/approvals': 'exec-security',
  '/agent/models': 'ai',
  '/agent/knowledge': 'knowledge',
  '/introspection/tools': 'introspection',
  '/assistant/jobs': 'assistant',
}

describe('a page whose plugin is not enabled, on a real host', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let host: RealHost

  const open = (path: string) => signedIn(bench.browser, bench.site, { url: host.url, token }, path, {})
  async function start(plugins: string, more: readonly string[] = []): Promise<void> {
    host = await startHost((port) => [
      `plugins: [${plugins}]`,
      `http: { port: ${port}, token: ${token}, corsOrigins: ["${bench.site.url}"] }`,
      ...more,
    ])
  }
  afterEach(() => host.stop())

  it('says so by every address, and what it would show', async () => {
    await start('http-core, console-rpc, events, entries, management, workspace')
    for (const [path, names] of Object.entries(OFF)) {
      const { page, context } = await open(path)
      page.setDefaultTimeout(20_000)
      const notice = page.locator('main .panel')
      await notice.getByText(names.includes(', ') ? `${names} are not enabled` : `${names} is not enabled`).waitFor()
      expect(await page.locator('main .fact').textContent(), path).to.match(/\.$/)
      await notice.getByRole('button', { name: `Enable ${names}` }).waitFor()
      expect(await page.getByText('could not be loaded').count(), path).to.equal(0)
      await context.close()
    }
  })

  it('enables it there, and shows the page', async () => {
    await start('http-core, console-rpc, events, entries, management, workspace')
    const { page, context } = await open('/logs')
    await page.evaluate(await axeSource())
    await page.getByRole('button', { name: 'Enable logs' }).waitFor()
    expect(await findings(page)).to.deep.equal([])
    await page.getByRole('button', { name: 'Enable logs' }).click()
    await page.getByRole('button', { name: 'Enable logs' }).waitFor({ state: 'detached' })
    await page.getByText('logs is not enabled').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Logs' }).first().waitFor()
    await context.close()
  })

  it('names the line to add where the console cannot change the configuration', async () => {
    await start('http-core, console-rpc, events, entries, management')
    const { page, context } = await open('/files')
    await page.getByText('workspace is not enabled').waitFor()
    await page.getByText('Add workspace to the plugins in mynah.config.yml').waitFor()
    await context.close()
  })

  it('is that of a plugin which has failed', async () => {
    await start('http-core, console-rpc, events, entries, management, workspace, database', [
      'database: { url: "mysql://nowhere/x" }',
    ])
    const { page, context } = await open('/database')
    await page.getByText('database did not start').waitFor()
    await page.getByRole('link', { name: 'Open the plugin' }).click()
    await page.waitForURL(/\/plugins\/database$/)
    await context.close()
  })
})
