// The base of browser tests: the browser of this process and the built console for a suite, and a stand-in host. Opened
// and closed here, whatever happens between.
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { leaveBrowser, takeBrowser, type TestPage } from './browser.js'
import { signedIn } from './signed-in.js'
import { serve, type Site } from './site.js'
import { standIn, type StandIn } from './stand-in.js'

export interface BenchOptions {
  /** Whether each test has a stand-in host of its own, all share one, or there is none; default `each`. */
  readonly host?: 'each' | 'shared' | 'none'
  /** The folder from which that host serves modules of entries, once the suite has made it. */
  readonly modules?: () => string
}

export interface Bench {
  readonly browser: Browser
  readonly site: Site
  readonly host: StandIn
  /** Opens `path`, signed in to the stand-in host. */
  signedIn(path?: string, options?: BrowserContextOptions): Promise<TestPage>
  /** Has something end with the suite, the last first, also when its hooks or tests fail. */
  atEnd(end: () => unknown): void
}

/**
 * Sets up the suite in whose body it is called.
 * The suite's own hooks give everything they open afterwards to `atEnd`.
 */
export function useBench({ host: kind = 'each', modules }: BenchOptions = {}): Bench {
  const ends: (() => unknown)[] = []
  const parts: { browser?: Browser; site?: Site; host?: StandIn } = {}
  const part = <K extends keyof typeof parts>(name: K): NonNullable<(typeof parts)[K]> => {
    const found = parts[name]
    if (!found) throw new Error(`The bench has no ${name} now`)
    return found as NonNullable<(typeof parts)[K]>
  }
  const startHost = async (): Promise<void> => {
    parts.host = await standIn(modules ? { modules: modules() } : {})
  }

  before(async () => {
    ends.push(leaveBrowser)
    parts.browser = await takeBrowser()
    const site = (parts.site = await serve())
    ends.push(() => site.close())
  })
  if (kind === 'each') {
    beforeEach(startHost)
    afterEach(() => parts.host?.close())
  }
  if (kind === 'shared') {
    before(async () => {
      await startHost()
      ends.push(() => parts.host?.close())
    })
  }
  after(async () => {
    const failures: unknown[] = []
    // One after the other: a folder goes when the process that watches it has ended.
    for (const end of ends.splice(0).reverse())
      try {
        await end()
      } catch (error) {
        failures.push(error)
      }
    if (failures.length) throw failures[0]
  })
  return {
    get browser() {
      return part('browser')
    },
    get site() {
      return part('site')
    },
    get host() {
      return part('host')
    },
    signedIn: (path, options) => signedIn(part('browser'), part('site'), part('host'), path, options),
    atEnd: (end) => {
      ends.push(end)
    },
  }
}
