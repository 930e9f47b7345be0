// Finds the Chromium that tests with a real browser use: CHROMIUM_PATH, or a package that is installed on demand.
import { pathToFileURL } from 'node:url'
import { resolveOnDemand } from './on-demand.mjs'

/** Returns the path of the program. */
export async function chromiumPath() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const { default: chromium } = await import(
    pathToFileURL(await resolveOnDemand('browser', '@sparticuz/chromium')).href
  )
  return chromium.executablePath()
}
