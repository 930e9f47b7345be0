// The built console, served for browser tests. It is built before the tests run: a build in a test would take it away
// from those that run at the same time.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** The folder of the console. */
export const consoleRoot = fileURLToPath(new URL('../../../', import.meta.url))

let building: Promise<unknown> | undefined

/** Builds console/dist where there is none. */
export function buildConsole(): Promise<unknown> {
  building ??= existsSync(`${consoleRoot}dist/index.html`)
    ? Promise.resolve()
    : build({ root: consoleRoot, configFile: `${consoleRoot}vite.config.ts`, logLevel: 'error' })
  return building
}

export interface Site {
  readonly url: string
  close(): Promise<void>
}

/** Serves the built console on a free port. */
export async function serve(): Promise<Site> {
  await buildConsole()
  const { serveConsole } = await import('@mynah/console/serve')
  return serveConsole({ port: 0 })
}
