// The console's main job against a real host: the command line's own process, under its supervisor.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { launch, open } from './browser.js'
import { signedIn } from './signed-in.js'
import { consoleRoot, serve, type Site } from './site.js'

const workspace = join(consoleRoot, '..')
const token = 'token-of-a-test'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

describe('a real host', function () {
  this.timeout(240_000)
  let folder: string
  let host: ChildProcess
  let url: string
  let site: Site
  let browser: Browser

  before(async () => {
    ;[browser, site, folder] = [await launch(), await serve(), await mkdtemp(join(tmpdir(), 'mynah-host-'))]
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    await symlink(join(workspace, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'mynah.config.yml'), [
      'plugins: [http-core, console-rpc, events, entries, management, workspace, chat, adapter-sandbox, introspection]',
      `http: { port: ${port}, token: ${token}, corsOrigins: ["${site.url}"] }`,
      'endpoints: [{ adapter: sandbox, id: sandbox }]',
    ].join('\n'))
    host = spawn(process.execPath, [join(workspace, 'plugins/mynah/dist/cli/main.js'), 'start', '-c', join(folder, 'mynah.config.yml')], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    await new Promise<void>((resolve, reject) => {
      const hear = (data: Buffer): void => {
        said += data.toString()
        if (said.includes(`:${port}`)) resolve()
      }
      host.stdout?.on('data', hear)
      host.stderr?.on('data', hear)
      host.once('exit', (code) => reject(new Error(`The host ended with ${code}: ${said}`)))
    })
  })
  after(async () => {
    await browser.close()
    await site.close()
    if (host.exitCode === null) {
      const ended = once(host, 'exit')
      host.kill('SIGTERM')
      await ended
    }
    await rm(folder, { recursive: true })
  })

  it('is signed in to, and shows its figures, endpoints and plugins', async () => {
    const { page, context, problems } = await open(browser)
    await page.goto(`${site.url}/?apiBaseUrl=${encodeURIComponent(url)}`)
    await page.getByText('Reachable').waitFor()
    await page.getByLabel('Token', { exact: true }).fill(token)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.locator('.dash .lines', { hasText: '9 active' }).waitFor()
    await page.getByText('Live').waitFor()
    const row = page.getByRole('row', { name: /sandbox/ })
    expect(await row.textContent()).to.contain('online')
    await page.getByText('Nothing needs you').waitFor()
    await page.locator('.rail').getByRole('link', { name: 'Plugins' }).click()
    await page.getByRole('link', { name: 'http-core' }).click()
    await page.getByRole('heading', { level: 1, name: 'http-core' }).waitFor()
    await page.getByRole('tab', { name: 'Features' }).click()
    await page.getByText('GET /pub/health').waitFor()
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByRole('rowheader', { name: 'corsOrigins' }).first().waitFor()
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('refuses a wrong token in its own words', async () => {
    const { page, context } = await open(browser)
    await page.goto(site.url)
    await page.getByLabel('Address of the host').fill(url)
    await page.getByLabel('Token', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('The host refused the token').waitFor()
    await context.close()
  })

  it('restarts when told to, and the console finds it again', async () => {
    const { page, context } = await signedIn(browser, site, { url, token })
    await page.getByText('Live').waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Restart host' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restart host' }).click()
    await page.getByText('The host is restarting').waitFor()
    await page.getByText('The host is back').waitFor()
    await page.locator('.bar').getByText('Live').waitFor()
    await page.locator('.dash .lines', { hasText: '9 active' }).waitFor()
    await context.close()
  })
})
