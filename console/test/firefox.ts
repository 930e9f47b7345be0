// A real Firefox for tests, over WebDriver BiDi: the one of the operating system, started once for a suite.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { consoleRoot } from './site.js'

const PATIENCE_MS = 90_000

/** The part of the driver's page that these tests use. */
export interface FirefoxPage {
  readonly keyboard: {
    press(key: string): Promise<void>
    type(text: string): Promise<void>
    down(key: string): Promise<void>
    up(key: string): Promise<void>
  }
  goto(url: string): Promise<unknown>
  reload(): Promise<unknown>
  url(): string
  focus(selector: string): Promise<void>
  click(selector: string): Promise<void>
  evaluate<A extends readonly unknown[], R>(run: (...args: A) => R, ...args: A): Promise<Awaited<R>>
  evaluateOnNewDocument<A extends readonly unknown[]>(run: (...args: A) => void, ...args: A): Promise<unknown>
  waitForFunction<A extends readonly unknown[]>(
    run: (...args: A) => unknown,
    options: object,
    ...args: A
  ): Promise<unknown>
  waitForSelector(selector: string, options?: { readonly hidden?: boolean }): Promise<unknown>
  setViewport(size: { readonly width: number; readonly height: number }): Promise<void>
  setDefaultTimeout(milliseconds: number): void
  on(event: 'pageerror', hear: (error: Error) => void): unknown
  on(event: 'console', hear: (message: { type(): string; text(): string }) => void): unknown
}

interface Context {
  newPage(): Promise<FirefoxPage>
  close(): Promise<void>
}

/** A running Firefox. */
export interface Firefox {
  createBrowserContext(): Promise<Context>
  close(): Promise<void>
}

interface Driver {
  readonly default: { launch(options: object): Promise<Firefox> }
}

/** Returns the path of the installed Firefox: FIREFOX_PATH, or a program of the PATH. */
export function firefoxPath(): string | undefined {
  const { FIREFOX_PATH: given, PATH: folders = '' } = process.env
  if (given) return given
  return ['firefox-esr', 'firefox']
    .flatMap((name) => folders.split(delimiter).map((folder) => join(folder, name)))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/** Starts a Firefox without a window. */
export async function launchFirefox(executablePath: string): Promise<Firefox> {
  const { resolveOnDemand } = (await import(`${consoleRoot}../tools/on-demand.mjs`)) as {
    resolveOnDemand(set: string, module: string): Promise<string>
  }
  const module = pathToFileURL(await resolveOnDemand('firefox', 'puppeteer-core')).href
  const { default: driver } = (await import(module)) as Driver
  return driver.launch({ browser: 'firefox', protocol: 'webDriverBiDi', executablePath, headless: true })
}

/** A page in a context of its own, which collects what went wrong in it. */
export interface FirefoxTest {
  readonly page: FirefoxPage
  readonly problems: string[]
  close(): Promise<void>
}

/** The storage of an origin at the first visit. */
interface Stored {
  readonly origin: string
  readonly values: Readonly<Record<string, string>>
}

/** Opens an empty page. */
export async function openFirefox(firefox: Firefox, stored?: Stored): Promise<FirefoxTest> {
  const context = await firefox.createBrowserContext()
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  await page.setViewport({ width: 1280, height: 720 })
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  if (stored)
    await page.evaluateOnNewDocument(({ origin, values }) => {
      if (location.origin !== origin || localStorage.getItem('mynah_test') !== null) return
      localStorage.setItem('mynah_test', 'prepared')
      for (const [name, value] of Object.entries(values)) localStorage.setItem(name, value)
    }, stored)
  return { page, problems, close: () => context.close() }
}
