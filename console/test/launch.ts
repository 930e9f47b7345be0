// Starts the Chromium of an npm package.
import { chromium, type Browser } from 'playwright-core'
import { consoleRoot } from './site.js'

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
