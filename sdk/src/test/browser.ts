// A real browser and a page that has the client, for what only browsers have: CORS, tabs, locks, imports from a URL.
import { readFile } from 'node:fs/promises'
import { chromium as playwright, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { TestHost, text } from './test-host.js'

// Not the defaults of the package: those switch the web's security off.
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const MODULES = [
  'address',
  'client',
  'clock',
  'connection',
  'entries',
  'entry-module',
  'entry-scope',
  'entry-styles',
  'entry-types',
  'entry-validation',
  'errors',
  'events',
  'http',
  'index',
  'probe',
  'obstacle',
  'report-as-uncaught',
  'operation-rules',
  'sse-parser',
  'host-stream',
  'shared-stream',
]

/** Starts the browser; the caller closes it. */
export async function launch(): Promise<Browser> {
  const tool = new URL('../../../tools/chromium.mjs', import.meta.url).href
  const { chromiumPath } = (await import(tool)) as { chromiumPath(): Promise<string> }
  return playwright.launch({ executablePath: await chromiumPath(), args: FLAGS })
}

/** Serves an empty page and the compiled client to it. */
export async function pageServer(): Promise<TestHost> {
  const server = new TestHost()
  const wire = new URL(import.meta.resolve('@mynah/contract/wire'))
  for (const file of ['wire.js', 'file-limits.js'])
    server.on(`GET /${file}`, text(await readFile(new URL(file, wire), 'utf8'), 'text/javascript'))
  server.on(
    'GET /',
    text(
      '<!doctype html><script type="importmap">{"imports":{"@mynah/contract/wire":"/wire.js"}}</script><title>t</title>',
      'text/html',
    ),
  )
  server.on('GET /favicon.ico', text('', 'image/x-icon', 204))
  for (const name of MODULES)
    server.on(
      `GET /sdk/${name}.js`,
      text(await readFile(new URL(`../${name}.js`, import.meta.url), 'utf8'), 'text/javascript'),
    )
  return server.start()
}

/** Returns a tab with the client as `sdk`. */
export async function openTab(context: BrowserContext, server: TestHost): Promise<Page> {
  const page = await context.newPage()
  await page.goto(server.base)
  await page.evaluate(async () => Object.assign(globalThis, { sdk: await import('/sdk/index.js' as string) }))
  return page
}
