// A console that is signed in to a host, for browser tests.
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { open, type TestPage } from './browser.js'
import type { Site } from './site.js'
import { TOKEN } from './stand-in.js'

export interface Target {
  readonly url: string
  readonly token?: string
}

/** Opens `path` with base and token stored, as after an earlier visit. */
export async function signedIn(
  browser: Browser,
  site: Site,
  host: Target,
  path = '/dashboard',
  options: BrowserContextOptions = {},
): Promise<TestPage> {
  const test = await open(browser, options)
  await test.context.addInitScript(
    ({ base, token, origin }) => {
      if (location.origin !== origin || localStorage.getItem('mynah_test') !== null) return
      localStorage.setItem('mynah_test', 'prepared')
      localStorage.setItem('mynah_api_base', base)
      localStorage.setItem('mynah_api_token', token)
    },
    { base: host.url, token: host.token ?? TOKEN, origin: site.url },
  )
  await test.page.goto(site.url + path)
  return test
}
