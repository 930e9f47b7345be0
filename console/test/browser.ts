// A real browser for tests: the Chromium of an npm package, started once, a fresh context for each test.
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { consoleRoot } from './site.js'

const PATIENCE_MS = 90_000
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Returns the path of a Chromium. */
async function executable(): Promise<string> {
  const { chromiumPath } = (await import(`${consoleRoot}../tools/chromium.mjs`)) as { chromiumPath(): Promise<string> }
  return chromiumPath()
}

/** Starts a browser, with `more` flags in addition to those of all tests. Web security stays on. */
export async function launch(more: readonly string[] = []): Promise<Browser> {
  const options = { executablePath: await executable(), args: [...flags, ...more] }
  return chromium.launch(options).catch((error: unknown) => {
    // The browser itself has crashed, which it does about once in a thousand starts. Nothing of the console ran yet.
    if (!/signal=SIGSEGV/.test(String(error))) throw error
    return chromium.launch(options)
  })
}

/** A page in a context of its own, which collects what went wrong in it. */
export interface TestPage {
  readonly page: Page
  readonly context: BrowserContext
  readonly problems: string[]
}

export async function open(browser: Browser, options: BrowserContextOptions = {}): Promise<TestPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en-GB', ...options })
  // Fail a wait by its own limit, not because the machine is busy.
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  return { page, context, problems }
}
