import { execFile } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { serveConsole } from '@mynah/console/serve'
import { useBench } from '../../console/test/dist/test/bench.js'
import { open } from '../../console/test/dist/test/browser.js'
import { startExample } from './example-host.js'

const consoleRoot = fileURLToPath(new URL('../../console/', import.meta.url))
const vite = fileURLToPath(new URL('../../node_modules/vite/bin/vite.js', import.meta.url))
const TOKEN = 'demo-token-for-everybody'

/** Builds as `npm run build:demo` does, and gives what was said where that failed. */
async function build(
  mode: string | undefined,
  environment: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const { VITE_API_BASE: _base, VITE_API_TOKEN: _token, ...rest } = process.env
  try {
    await promisify(execFile)(
      process.execPath,
      [vite, 'build', '--logLevel', 'error', ...(mode ? ['--mode', mode] : [])],
      { cwd: consoleRoot, env: { ...rest, ...environment } },
    )
    return undefined
  } catch (error) {
    return (error as { stderr: string }).stderr
  }
}

describe('demo build', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  after(() => rm(join(consoleRoot, 'dist-demo'), { recursive: true, force: true }))

  it('requires a host and a token, and other builds accept no token', async () => {
    expect(await build('demo', {})).to.match(/needs VITE_API_BASE .* and VITE_API_TOKEN/)
    expect(await build('demo', { VITE_API_BASE: 'http://127.0.0.1:1' })).to.match(/needs VITE_API_TOKEN/)
    expect(await build('demo', { VITE_API_BASE: 'ftp://h', VITE_API_TOKEN: 't' })).to.match(/begins with http/)
    expect(await build(undefined, { VITE_API_TOKEN: 'secret' })).to.match(/only the demo build may carry a token/)
  })

  it('starts in the sandbox, is marked as a demo, answers, and contains no code that writes', async () => {
    // The origin is needed for the host, the address of the host for the build.
    let site: Awaited<ReturnType<typeof serveConsole>> | undefined
    const { createServer } = await import('node:net')
    const port = await new Promise<number>((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const { port: free } = server.address() as { port: number }
        server.close(() => resolve(free))
      })
    })
    const host = await startExample('demo-host', `http://127.0.0.1:${port}`)
    bench.atEnd(() => host.stop())
    expect(await build('demo', { VITE_API_BASE: host.url, VITE_API_TOKEN: TOKEN })).to.equal(undefined)
    const dist = join(consoleRoot, 'dist-demo')
    const code = (
      await Promise.all(
        (await readdir(join(dist, 'assets')))
          .filter((name) => name.endsWith('.js'))
          .map((name) => readFile(join(dist, 'assets', name), 'utf8')),
      )
    ).join('\n')
    for (const method of [
      'system:restart',
      'config:set',
      'config:save-yaml',
      'files:save',
      'env:save',
      'cron:add',
      'jobs:run',
      'db:update',
      'endpoint:sendMessage',
      'endpoint:resendMessage',
    ])
      expect(new RegExp(`${method}\\b`).test(code), method).to.equal(false)
    try {
      site = await serveConsole({ port, build: 'dist-demo' })
      const { page, context, problems } = await open(bench.browser)
      await page.goto(`${site.url}/?apiBaseUrl=https%3A%2F%2Fevil.example`)
      await page.waitForURL('**/sandbox')
      await page.getByText('Demo: everybody shares this host').waitFor()
      await page.locator('.sb-composer').waitFor()
      await page.getByText('Live', { exact: true }).waitFor()
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('/help')
      await page.keyboard.press('Enter')
      await page.locator('.sb-message.out', { hasText: 'help' }).waitFor()
      await page.locator('.rail').getByRole('link', { name: 'Dashboard' }).click()
      await page.getByText('Nothing needs you').waitFor()
      expect(await page.getByRole('button', { name: 'More' }).count()).to.equal(0)
      await page.locator('.rail').getByRole('link', { name: 'Plugins' }).click()
      await page.locator('tbody').getByRole('link', { name: 'http-core' }).click()
      await page.getByRole('tab', { name: 'Features' }).waitFor()
      expect(await page.getByRole('tab', { name: 'Settings' }).count()).to.equal(0)
      expect(await page.evaluate(() => localStorage.getItem('mynah_api_token'))).to.equal(null)
      expect(await page.evaluate(() => document.querySelector('meta[http-equiv]')?.getAttribute('content'))).to.contain(
        `connect-src 'self' ${host?.url}`,
      )
      // Nothing is asked that a visitor may not.
      expect(problems).to.deep.equal([])
      await context.close()
    } finally {
      await site?.close()
    }
  })
})
