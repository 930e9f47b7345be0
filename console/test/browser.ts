// A real browser for tests: the Chromium of an npm package, started once for the files of a process, a fresh context
// for each test.
import { channel } from 'node:diagnostics_channel'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { launch } from './launch.js'

const PATIENCE_MS = 90_000
/** So long a browser waits for the next test file of the process. */
const IDLE_MS = 2000
/** Tells tools/suites.mjs that the current test file uses a process that another one has started. */
const uses = channel('mynah:test-uses')

let shared: Promise<Browser> | undefined
let idle: NodeJS.Timeout | undefined

/** Returns the browser of this process, which is started for the first test file that wants it. */
export async function takeBrowser(): Promise<Browser> {
  clearTimeout(idle)
  uses.publish('a browser')
  const found = await shared?.catch(() => undefined)
  if (found?.isConnected()) return found
  shared = launch()
  return shared
}

/** Closes all pages of the browser of this process, and the browser itself unless another file takes it soon. */
export async function leaveBrowser(): Promise<void> {
  const browser = await shared?.catch(() => undefined)
  if (!browser) return
  for (const context of browser.contexts()) await context.close()
  clearTimeout(idle)
  idle = setTimeout(() => {
    shared = undefined
    void browser.close()
  }, IDLE_MS)
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
